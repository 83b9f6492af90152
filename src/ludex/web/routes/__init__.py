"""The addresses of the web app, a file a subject."""
