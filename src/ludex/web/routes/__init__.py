"""The routes of the web app, one file per subject."""
