"""The web app: a server that applies the rules, and a page that draws what it receives."""
