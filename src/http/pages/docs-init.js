// A file of its own, because the page allows no inline script.
window.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
});
