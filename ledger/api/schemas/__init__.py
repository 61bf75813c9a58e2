"""marshmallow schemas of the API's requests and responses, which also supply its documentation."""
