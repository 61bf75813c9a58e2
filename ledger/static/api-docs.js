// Shows the OpenAPI document on the API's page. Nothing is asked of any other host.
const place = document.getElementById("api-docs");

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
