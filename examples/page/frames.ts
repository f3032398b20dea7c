// Frames: an order whose card form is two frames deep. Prints what the frames are, and pays.
import { Driver } from 'pagechauffeur';

const card = `<label>Number <input></label><button onclick="parent.parent.paid.textContent = 'Paid'">Pay</button>`;
const checkout = `<h2>Checkout</h2><iframe name="card" srcdoc="${escape(card)}"></iframe>`;
const order = `<title>Order</title><p id="paid">Open</p><iframe name="checkout" srcdoc="${escape(checkout)}"></iframe>`;

await using driver = new Driver({ env: 'LOCAL', verbose: 0 });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
await page.setContent(order);

// A frame locator is resolved on each use: frames may appear, disappear and navigate meanwhile.
const form = page.frameLocator('[name=checkout]').frameLocator('[name=card]');
await form.getByLabel('Number').fill('4242 4242 4242 4242');

// A frame is one place in the page for as long as it is there.
const frame = await form.resolveFrame();
console.log(`${page.frames().length} frames, the form in ${frame.parentFrame()?.name()} > ${frame.name()}`);
console.log(`typed: ${String(await frame.evaluate('document.querySelector("input").value'))}`);

await frame.getByRole('button', { name: 'Pay' }).click();
console.log(`the order is ${await page.locator('#paid').textContent()}`);

function escape(html: string): string {
  return html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
