"""`ludex openapi`: what the web app's API takes and gives."""


def openapi() -> None:
    """Print the OpenAPI document of the web app."""
    import json

    from ludex.web.app import create_app
    from ludex.web.settings import Settings

    print(json.dumps(create_app(Settings.read(environment={})).openapi(), indent=1))
