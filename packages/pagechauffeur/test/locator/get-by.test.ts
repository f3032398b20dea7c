import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FrameLocator, Frame, Locator, Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { openShownPage, type ShownPage } from './shown-page.ts';

function boxless(id: string): string {
  return `<div role="note" id="${id}" style="display: contents">Note</div>`;
}

const FORM = `
  <h1 id="h1">Orders</h1><h2 id="h2">Open orders</h2><div role="heading" aria-level="3" id="h3">Old orders</div>
  <button id="save">Save</button><button id="draft">Save draft</button><button id="hiddenSave" hidden>Save</button>
  <button id="off" disabled>Send</button><button id="on">Send</button><div role="button" aria-disabled="true" id="ariaOff">Send</div>
  <button id="bold" aria-pressed="true">Bold</button><button id="italic" aria-pressed="false">Italic</button>
  <button id="some" aria-pressed="mixed">Some</button>
  <button id="menu" aria-expanded="false">Menu</button><button id="open" aria-expanded="true">Menu</button>
  <input type="checkbox" id="news" aria-label="News" checked><input type="checkbox" id="mail" aria-label="Mail">
  <div role="checkbox" aria-checked="mixed" id="all" aria-label="All"></div>
  <div role="switch" aria-checked="true" id="wifi" aria-label="Wi-Fi"></div>
  <div role="tablist"><div role="tab" aria-selected="true" id="tab1">One</div><div role="tab" aria-selected="false" id="tab2">Two</div></div>
  <label for="email">E-mail address</label><input id="email" placeholder="you@example.com">
  <label id="phoneLabel">Phone <input id="phone" placeholder="Your phone"></label>
  <span id="cityLabel">City of birth</span><input id="city" aria-labelledby="cityLabel">
  <textarea id="notes" aria-label="Notes" placeholder="Say &quot;hello&quot; [here] > there"></textarea>
  <label for="two">First</label><label for="two">Second</label><input id="two">
  <img id="logo" alt="Shop logo"><img id="cart" alt="Cart"><area id="area" alt="Map part">
  <a id="help" href="#" title="Help me">?</a><span id="hint" title="Help">hint</span>
  <p id="para">Total: <b id="sum">42 €</b> today</p><p id="quote">It's "fine" >> really</p><p id="path">C:\\temp\\new</p>
  <input type="submit" id="submit" value="Order now">
  <section data-testid="cart-1" id="t1"></section><section data-testid="cart-2" id="t2"></section><section data-testid=" cart " id="t3"></section>
  <ul><li id="li1">Apples</li><li id="li2">Pears</li></ul>
  <table><tr id="row"><th>Name</th><td id="cell">Ada</td></tr></table>
  <nav id="nav" aria-label="Main"></nav><progress id="progress" aria-label="Loading" value="1" max="2"></progress>
  <select id="size" aria-label="Size"><option>S</option></select><input type="radio" id="red" aria-label="Red"><input type="search" id="search" aria-label="Find">
  <span aria-hidden="true"><button id="ariaHidden">Concealed</button></span>
  ${boxless('note')}<div hidden>${boxless('inHidden')}<div style="display: contents">${boxless('inBoth')}</div></div>
  <div style="content-visibility: hidden">${boxless('inSkipped')}</div><details>${boxless('inClosed')}</details>
  <details open>${boxless('inOpen')}</details>`;

let shown: ShownPage;
let page: Page;

beforeAll(async () => {
  shown = await openShownPage();
  ({ page } = shown);
  await shown.show(FORM);
});

afterAll(() => shown?.[Symbol.asyncDispose]());

async function ids(locator: Locator): Promise<(string | null)[]> {
  return Promise.all((await locator.all()).map((one) => one.getAttribute('id')));
}

type Query = (at: Page) => Locator;

describe('page.getByRole()', () => {
  it.each<[string, Query, string[]]>([
    ['heading', (at) => at.getByRole('heading'), ['h1', 'h2', 'h3']],
    ['heading with a level', (at) => at.getByRole('heading', { level: 2 }), ['h2']],
    ['heading with an aria-level', (at) => at.getByRole('heading', { level: 3 }), ['h3']],
    ['part of the name in any case', (at) => at.getByRole('button', { name: 'save' }), ['save', 'draft']],
    ['the exact name', (at) => at.getByRole('button', { name: 'Save', exact: true }), ['save']],
    ['the exact name in another case', (at) => at.getByRole('button', { name: 'save', exact: true }), []],
    ['name as a RegExp', (at) => at.getByRole('button', { name: /^save\s[a-z]+$/i }), ['draft']],
    ['name as a RegExp with quotes and brackets', (at) => at.getByRole('button', { name: /[Ss]av(e|"'])$/ }), ['save']],
    ['name as a RegExp with slashes', (at) => at.getByRole('button', { name: /Save|a\/b[/]/ }), ['save', 'draft']],
    [
      'name with includeHidden',
      (at) => at.getByRole('button', { name: 'Save', exact: true, includeHidden: true }),
      ['save', 'hiddenSave'],
    ],
    ['name in an aria-hidden part', (at) => at.getByRole('button', { name: 'Concealed' }), []],
    [
      'name in an aria-hidden part with includeHidden',
      (at) => at.getByRole('button', { name: 'Concealed', includeHidden: true }),
      ['ariaHidden'],
    ],
    ['checked', (at) => at.getByRole('checkbox', { checked: true }), ['news']],
    ['not checked', (at) => at.getByRole('checkbox', { checked: false }), ['mail']],
    ['partly checked', (at) => at.getByRole('checkbox', { checked: 'mixed' }), ['all']],
    ['checked switch', (at) => at.getByRole('switch', { checked: true }), ['wifi']],
    ['disabled', (at) => at.getByRole('button', { name: 'Send', disabled: true }), ['off', 'ariaOff']],
    ['not disabled', (at) => at.getByRole('button', { name: 'Send', disabled: false }), ['on']],
    ['expanded', (at) => at.getByRole('button', { expanded: true }), ['open']],
    ['collapsed', (at) => at.getByRole('button', { expanded: false }), ['menu']],
    ['pressed', (at) => at.getByRole('button', { pressed: true }), ['bold']],
    ['partly pressed', (at) => at.getByRole('button', { pressed: 'mixed' }), ['some']],
    ['selected', (at) => at.getByRole('tab', { selected: true }), ['tab1']],
    ['not selected', (at) => at.getByRole('tab', { selected: false }), ['tab2']],
    ['link', (at) => at.getByRole('link'), ['help']],
    ['img', (at) => at.getByRole('img', { name: 'cart' }), ['cart']],
    ['textbox', (at) => at.getByRole('textbox', { name: 'e-mail' }), ['email']],
    ['searchbox', (at) => at.getByRole('searchbox'), ['search']],
    ['combobox', (at) => at.getByRole('combobox', { name: 'Size' }), ['size']],
    ['radio', (at) => at.getByRole('radio', { name: 'Red', checked: false }), ['red']],
    ['listitem', (at) => at.getByRole('listitem'), ['li1', 'li2']],
    ['cell', (at) => at.getByRole('cell', { name: 'Ada' }), ['cell']],
    ['navigation', (at) => at.getByRole('navigation', { name: 'Main' }), ['nav']],
    ['progressbar', (at) => at.getByRole('progressbar'), ['progress']],
    ['two states', (at) => at.getByRole('checkbox', { checked: true, disabled: false }), ['news']],
    ['a role in capitals', (at) => at.getByRole('HEADING', { level: 1 }), ['h1']],
    ['a role without elements', (at) => at.getByRole('slider'), []],
  ])('finds by %s', async (_title, query, expected) => {
    expect(await ids(query(page))).toEqual(expected);
  });

  it.each<[string, () => Locator]>([
    ['no role', () => page.getByRole('')],
    ['a role with brackets', () => page.getByRole('button[name="x"]')],
    ['a state that is not a boolean', () => page.getByRole('button', { disabled: 'yes' as never })],
    ['an unknown state', () => page.getByRole('button', { colour: true } as never)],
    ['a level that is not a number', () => page.getByRole('heading', { level: '2' as never })],
    ['a name that is a number', () => page.getByRole('button', { name: 7 as never })],
  ])('rejects %s', async (_title, query) => {
    expect(await failureOf(Promise.resolve().then(query))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('getBy… methods', () => {
  it.each<[string, Query, string[]]>([
    ['part of the text in any case', (at) => at.getByText('total'), ['para']],
    ['text split across elements', (at) => at.getByText('total: 42 € today'), ['para']],
    ['text of the innermost element', (at) => at.getByText('42'), ['sum']],
    ['the exact text', (at) => at.getByText('Apples', { exact: true }), ['li1']],
    ['the exact text in another case', (at) => at.getByText('apples', { exact: true }), []],
    ['text as a RegExp', (at) => at.getByText(/^\d+ €$/), ['sum']],
    ['text of an outer element as a RegExp', (at) => at.getByText(/^Total: \d+/), ['para']],
    ['text with quotes, an apostrophe and >>', (at) => at.getByText('it\'s "fine" >> really'), ['quote']],
    ['the same text as the exact text', (at) => at.getByText('It\'s "fine" >> really', { exact: true }), ['quote']],
    ['the same text as a RegExp', (at) => at.getByText(/"fine" >> r/), ['quote']],
    ['text with backslashes', (at) => at.getByText('C:\\temp\\new'), ['path']],
    ['text that looks like a RegExp', (at) => at.getByText('/Apples/'), []],
    ['the value of a submit button', (at) => at.getByText('Order now'), ['submit']],
    ['a label with `for`', (at) => at.getByLabel('e-mail'), ['email']],
    ['a label around the field', (at) => at.getByLabel('Phone'), ['phone']],
    ['aria-labelledby', (at) => at.getByLabel('City of birth', { exact: true }), ['city']],
    ['aria-label', (at) => at.getByLabel('Notes', { exact: true }), ['notes']],
    ['one of two labels', (at) => at.getByLabel('Second', { exact: true }), ['two']],
    ['a label as a RegExp', (at) => at.getByLabel(/^e-mail\b/i), ['email']],
    ['an exact label that is only part of the name', (at) => at.getByLabel('mail', { exact: true }), []],
    ['a placeholder', (at) => at.getByPlaceholder('phone'), ['phone']],
    ['an exact placeholder', (at) => at.getByPlaceholder('you@example.com', { exact: true }), ['email']],
    ['a placeholder as a RegExp', (at) => at.getByPlaceholder(/@example\.(com|org)$/), ['email']],
    ['a placeholder with quotes and brackets', (at) => at.getByPlaceholder('"hello" [here] > there'), ['notes']],
    ['part of the alt text', (at) => at.getByAltText('logo'), ['logo']],
    ['the exact alt text', (at) => at.getByAltText('Cart', { exact: true }), ['cart']],
    ['alt text as a RegExp', (at) => at.getByAltText(/^(shop|map)/i), ['logo', 'area']],
    ['a title', (at) => at.getByTitle('help'), ['help', 'hint']],
    ['an exact title', (at) => at.getByTitle('Help', { exact: true }), ['hint']],
    ['a title as a RegExp', (at) => at.getByTitle(/me$/), ['help']],
    ['a test id', (at) => at.getByTestId('cart-1'), ['t1']],
    ['part of a test id, which never matches', (at) => at.getByTestId('cart'), []],
    ['a test id with its white space', (at) => at.getByTestId(' cart '), ['t3']],
    ['a test id as a RegExp', (at) => at.getByTestId(/^cart-\d$/), ['t1', 't2']],
    ['a test id as a RegExp with a flag', (at) => at.getByTestId(/^CART-1$/i), ['t1']],
  ])('finds by %s', async (_title, query, expected) => {
    expect(await ids(query(page))).toEqual(expected);
  });

  it.each<[string, () => Locator]>([
    ['getByText with nothing', () => page.getByText('')],
    ['getByLabel with a number', () => page.getByLabel(1 as never)],
    ['getByTitle with `exact` that is not a boolean', () => page.getByTitle('x', { exact: 'yes' as never })],
    ['getByTestId with null', () => page.getByTestId(null as never)],
  ])('rejects %s', async (_title, query) => {
    expect(await failureOf(Promise.resolve().then(query))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('finds elements in a form whose fields are named like DOM properties', async () => {
    await shown.show(`<form id="form" aria-label="Order"><input name="labels" aria-label="Count"><input name="textContent" placeholder="How many">
      <input name="getAttribute" title="Trap"><button name="parentNode">Send</button></form>`);
    expect(await ids(page.getByLabel('Order'))).toEqual(['form']);
    expect(await page.locator('form').filter({ hasText: 'Send' }).count()).toBe(1);
    expect(
      await page
        .locator('form')
        .filter({ has: page.getByTitle('trap') })
        .count(),
    ).toBe(1);
    expect(await page.locator('form').getByPlaceholder('how many').count()).toBe(1);
    await shown.show(FORM);
  });

  it('`getByRole().click()` waits for an element that appears late', async () => {
    await shown.show(`<script>setTimeout(() => { document.body.insertAdjacentHTML('beforeend',
      '<button id="late" onclick="this.textContent = \\'Done\\'">Late one</button>'); }, 100)</script>`);
    await page.getByRole('button', { name: 'late' }).click();
    expect(await page.getByText('Done').getAttribute('id')).toBe('late');
    await shown.show(FORM);
  });
});

describe('getBy… methods by receiver', () => {
  const PLACES: [string, (at: Page) => Page | Frame | Locator | FrameLocator][] = [
    ['page', (at) => at],
    ['frame', (at) => at.mainFrame()],
    ['locator', (at) => at.locator('#box')],
    ['frame locator', (at) => at.frameLocator('#frame')],
    ['frame of a frame locator', (at) => at.frame('inner') ?? at],
  ];
  const INNER = `<div id="box"><button id="b">Go</button><label>Name <input id="n" placeholder="Your name"></label>
    <img alt="Logo" id="i"><em title="Tip" id="e">tip</em><p data-testid="p" id="p">words</p></div>`;

  it.each(PLACES)('%s finds elements by every getBy… method', async (_title, place) => {
    await shown.show(`${INNER}<iframe id="frame" name="inner" srcdoc="${INNER.replaceAll('"', '&quot;')}"></iframe>`);
    const at = place(page);
    const found = [
      at.getByRole('button', { name: 'Go' }),
      at.getByText('words'),
      at.getByLabel('Name'),
      at.getByPlaceholder('Your name'),
      at.getByAltText('Logo'),
      at.getByTitle('Tip'),
      at.getByTestId('p'),
      at.locator('button'),
    ];
    expect(await Promise.all(found.map((one) => one.count()))).toEqual(found.map(() => 1));
    expect(await Promise.all(found.map((one) => one.getAttribute('id')))).toEqual([
      'b',
      'p',
      'n',
      'n',
      'i',
      'e',
      'p',
      'b',
    ]);
  });
});
