window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'list',
  validatorUrl: null,
});
