// Requests: a whole site made of routes. Some requests are answered here, one is refused; none leaves the machine.
import { Driver } from 'pagechauffeur';

const site = 'https://mugs.example';
const shop = `<title>Mugs</title><ul></ul><img src="/picture.png"><script>
  fetch('/api/mugs').then((answer) => answer.json()).then((mugs) => {
    document.querySelector('ul').innerHTML = mugs.map((mug) => '<li>' + mug + '</li>').join('');
  });
</script>`;

await using driver = new Driver({ env: 'LOCAL', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();

// The last that fits is asked first; what it hands on by fallback() comes to the one before.
await page.route(`${site}/**`, (route) => route.fulfill({ contentType: 'text/html', body: shop }));
await page.route('**/api/*', (route, request) => {
  console.log(`${request.method()} ${request.url()} for ${request.frame()?.url()}`);
  return request.method() === 'GET' ? route.fulfill({ json: ['blue mug', 'red mug'] }) : route.fallback();
});
await page.route('**/*.png', (route) => route.abort('blockedbyclient'));

page.on('response', (response) => console.log(`${response.status()} ${new URL(response.url()).pathname}`));
const refused = page.waitForEvent('request', (request) => request.resourceType() === 'image');

const response = await page.goto(site, { waitUntil: 'load' });
console.log(`${response?.url()} is ${await response?.headerValue('content-type')}`);
console.log(`on sale: ${await page.getByRole('listitem').last().textContent()}`);
console.log(`the picture failed: ${(await refused).failure()?.errorText}`);
