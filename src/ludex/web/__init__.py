"""The web app: the one server that knows the rules, and a page that draws what it is told."""
