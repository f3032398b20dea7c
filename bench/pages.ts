/** Elements of `shopTable` outside of product rows, and per product row. */
const fixedElements = 30;
const elementsPerRow = 10;

const styles = ['Blue', 'Oak', 'Striped', 'Tall', 'Plain', 'Folding', 'Enamel', 'Woven', 'Smoked', 'Linen'];
const things = ['mug', 'lamp', 'basket', 'chair', 'kettle', 'blanket', 'shelf', 'clock', 'vase', 'tray', 'stool'];

export function rowCount(elementCount: number): number {
  return (elementCount - fixedElements) / elementsPerRow;
}

/** Product names are unique. Rows are counted from 1. */
export function productName(row: number): string {
  return `${styles[row % styles.length]} ${things[row % things.length]} ${row}`;
}

/**
 * A stock list with exactly `elementCount` elements: a header with search and navigation, and a table. Rows have a
 * checkbox, a name, a price, the stock, a link and a button.
 */
export function shopTable(elementCount: number): string {
  return page('Stock list', tableBody(rowCount(elementCount)), { script: countEffects });
}

/** The same list with a typical style sheet, which is one more element. */
export function styledShopTable(elementCount: number): string {
  return page('Stock list', tableBody(rowCount(elementCount)), { script: countEffects, css: shopStyles });
}

/** About 20 fields with labels, text and choices. */
export function checkoutForm(): string {
  const texts = ['Email', 'First name', 'Last name', 'Company', 'Street', 'House number', 'Postcode', 'City', 'Phone'];
  const fields = texts.map(
    (label, index) => `<p><label for="t${index}">${label}</label> <input id="t${index}" required></p>`,
  );
  const main =
    `<main><h1>Checkout</h1><form><fieldset><legend>Address</legend>${fields.join('')}` +
    `<p><label for="country">Country</label> <select id="country">${options(40, 'Country')}</select></p></fieldset>` +
    `<fieldset><legend>Delivery</legend>${radios('delivery', ['Standard, 3 days', 'Express, 1 day', 'Collect in store'])}</fieldset>` +
    `<fieldset><legend>Payment</legend>${radios('payment', ['Card', 'Invoice', 'Bank transfer'])}` +
    `<p><label for="card">Card number</label> <input id="card" inputmode="numeric" placeholder="0000 0000 0000 0000"></p>` +
    `<p><label for="until">Valid until</label> <input id="until" type="month"></p></fieldset>` +
    `<p><label><input type="checkbox"> I accept the <a href="/terms">terms of sale</a></label></p>` +
    `<p><label for="note">Note to the shop</label> <textarea id="note" rows="3"></textarea></p>` +
    `<button type="button">Back to cart</button> <button type="submit">Place order</button></form></main>`;
  return page('Checkout', shopHeader() + main);
}

/** Headings, paragraphs with links, a table of contents and a list of sources. */
export function article(): string {
  const titles = Array.from(
    { length: 12 },
    (_, index) => `${styles[index % styles.length]} ${things[index % things.length]}s through the years`,
  );
  const contents = titles.map((title, index) => `<li><a href="#s${index}">${title}</a></li>`).join('');
  const sections = titles.map(
    (title, index) =>
      `<h2 id="s${index}">${title}</h2>${paragraph(index)}${paragraph(index + 5)}${paragraph(index + 9)}`,
  );
  const sources = Array.from(
    { length: 40 },
    (_, index) =>
      `<li>${productName(index)}, <a href="/source/${index}?page=${index * 7}">catalogue ${1950 + index}</a>, p. ${index * 7}</li>`,
  );
  const main =
    `<main><article><h1>A history of household things</h1><nav aria-label="Contents"><ol>${contents}</ol></nav>` +
    `${sections.join('')}<h2>Sources</h2><ol>${sources.join('')}</ol></article></main>`;
  return page('A history of household things', shopHeader() + main);
}

/** Filters in a sidebar, 60 different product cards, and pagination. */
export function productCards(): string {
  const filters = styles
    .map((style) => `<li><label><input type="checkbox" name="style"> ${style}</label></li>`)
    .join('');
  const cards = Array.from({ length: 60 }, (_, index) => productCard(index + 1)).join('');
  const pages = [1, 2, 3, 4, 5].map((number) => `<a href="/list?page=${number}">${number}</a>`).join(' ');
  const main =
    `<aside><h2>Filters</h2><ul>${filters}</ul><label>Highest price <input type="range" min="0" max="200"></label></aside>` +
    `<main><h1>Everything for the home</h1><ul>${cards}</ul><nav aria-label="Pages">${pages}</nav></main>`;
  return page('Everything for the home', shopHeader() + main);
}

/** Contains another page in a frame and stores the messages that the frame posts. */
export function framed(url: string): string {
  const frame = `<iframe id="shop" src="${url}" style="width: 100%; height: 90vh"></iframe>`;
  return page('Shop in a frame', `<h1>Shop</h1>${frame}`, {
    script: `addEventListener('message', ({ data }) => { told = data; }); let told;`,
  });
}

/** Counts the effects of clicks, so that benchmarks can check them. In a frame, also posts them to the parent page. */
const countEffects =
  `let additions = 0; let ticks = 0; document.addEventListener('change', () => { ticks += 1; }); ` +
  `document.addEventListener('click', (event) => { if (event.target.matches('button.add')) cart.textContent = 'Cart (' + ++additions + ')'; });` +
  `const tell = () => parent === window || parent.postMessage({ cart: cart.textContent, search: search.value }, '*'); ` +
  `document.addEventListener('click', tell); document.addEventListener('input', tell);`;

const shopStyles =
  `body { margin: 0; font: 15px/1.4 sans-serif; color: #223 } header { display: flex; gap: 1rem; padding: 1rem; background: #eef } ` +
  `a { color: #06c; text-decoration: none } a::after { content: ' ›' } table { border-collapse: collapse; width: 100% } ` +
  `th { text-align: left; position: sticky; top: 0; background: #fff } td, th { padding: .3rem .6rem; border-bottom: 1px solid #ddd } ` +
  `tbody tr:nth-child(even) { background: #f8f8fb } tbody tr:hover { background: #ffd } td:nth-child(3) { text-align: right } ` +
  `button { cursor: pointer; border: 1px solid #889; border-radius: 4px; background: #fff } button.add::before { content: '+ ' } ` +
  `.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0 0 0 0) }`;

function page(title: string, body: string, { script = '', css = '' } = {}): string {
  const style = css === '' ? '' : `<style>${css}</style>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${style}</head>` +
    `<body>${body}<script>${script}</script></body></html>`
  );
}

function tableBody(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => tableRow(index + 1));
  return `${shopHeader()}<main><h1>Stock list</h1>${table(lines)}</main><footer>Prices include tax</footer>`;
}

function shopHeader(): string {
  const links = ['Home', 'Kitchen', 'Living', 'Garden', 'Sale'];
  const items = links.map((link) => `<a href="/${link.toLowerCase()}">${link}</a>`).join(' ');
  return (
    `<header><nav aria-label="Main">${items}</nav>` +
    `<input id="search" type="search" aria-label="Search products"><button type="button">Search</button> <span id="cart">Cart (0)</span></header>`
  );
}

function table(rows: readonly string[]): string {
  const heads = ['Pick', 'Name', 'Price', 'Stock', 'Details', 'Order'].map((head) => `<th>${head}</th>`).join('');
  return `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table><p id="note">${rows.length} products</p>`;
}

function tableRow(row: number): string {
  const name = productName(row);
  return (
    `<tr><td><input type="checkbox" id="pick-${row}" aria-label="Pick ${name}"></td><td>${name}</td><td>${price(row)}</td><td>${(row * 7) % 40} left</td>` +
    `<td><a href="/product/${row}?from=stock-list">Details</a></td><td><button type="button" class="add" id="add-${row}">Add to cart</button></td></tr>\n`
  );
}

function productCard(row: number): string {
  const stars = 1 + (row % 5);
  const sale = row % 4 === 0 ? `<p><s>${price(row + 20)}</s> <strong>Sale</strong></p>` : '';
  return (
    `<li><article><a href="/product/${row}"><img src="/image/${row}.png" alt="${productName(row)}"></a>` +
    `<h3><a href="/product/${row}">${productName(row)}</a></h3><p>${sentence(row)}</p>${sale}` +
    `<p>${price(row)}</p><p aria-label="${stars} of 5 stars">${'★'.repeat(stars)}</p><button type="button" class="add">Add to cart</button></article></li>`
  );
}

function price(row: number): string {
  return `${3 + ((row * 13) % 180)}.${row % 2 ? '50' : '95'} €`;
}

function paragraph(seed: number): string {
  const sentences = Array.from({ length: 5 }, (_, index) => sentence(seed * 5 + index));
  return `<p>${sentences.join(' ')} See also <a href="/topic/${seed}">the ${things[seed % things.length]} page</a>.</p>`;
}

function sentence(seed: number): string {
  const style = styles[(seed * 3) % styles.length];
  const thing = things[(seed * 7) % things.length];
  return `The ${style?.toLowerCase()} ${thing} was made in ${1900 + ((seed * 17) % 120)} and sold in ${2 + (seed % 9)} sizes.`;
}

function options(count: number, label: string): string {
  return Array.from({ length: count }, (_, index) => `<option>${label} ${index + 1}</option>`).join('');
}

function radios(name: string, labels: readonly string[]): string {
  return labels.map((label) => `<p><label><input type="radio" name="${name}"> ${label}</label></p>`).join('');
}
