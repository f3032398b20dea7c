import { beforeAll, expect, test } from 'vitest';
import type { Dialog, Page } from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

const SECRET = 'Ultramarine-4711';
const browser = useBrowser({ selfHeal: false });

/** Shows what is typed back in names of elements, in a dialog, and in what its scripts throw. */
const PAGE = `<label>Token <input oninput="
  out.textContent = 'Log out ' + value; cover.textContent = value; frame.srcdoc = '<p>' + value; document.title = value"></label>
<button id="out">Log out</button><div id="cover" style="position: fixed; inset: 100px 0 0 0"></div><iframe id="frame"></iframe>`;

beforeAll(async () => {
  await browser.page.goto(browser.server.page('/', `<!doctype html>${PAGE}`), { waitUntil: 'load' });
  const action = { selector: 'input', description: 'the token', method: 'fill', arguments: ['%token%'] };
  await browser.driver.act(action, { variables: { token: SECRET } });
});

/** All that an error and its causes say, as an inspector shows them. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) => JSON.stringify(Reflect.get(error, name)));
  return [error.message, error.stack, ...own, error.cause === undefined ? '' : allOf(error.cause)].join('\n');
}

test.each<[title: string, call: (page: Page) => Promise<unknown>]>([
  [
    'evaluate that throws',
    (page) => page.evaluate("throw new TypeError('bad ' + document.querySelector('input').value)"),
  ],
  ['evaluate of a locator', (page) => page.locator('input').evaluate('(() => { throw element.value })()')],
  ['evaluate of a frame', (page) => page.mainFrame().evaluate("throw 'bad ' + document.title")],
  ['waitForFunction', (page) => page.waitForFunction('(() => { throw new Error(document.title) })()')],
  ['a click that fails', (page) => page.locator('#out').click({ timeout: 300, position: { x: 5, y: 99_999 } })],
  ['a strict locator', (page) => page.locator('button, div', { strict: true }).click({ timeout: 300 })],
  ['a selector without a match', (page) => page.locator(`text="${SECRET}!"`).click({ timeout: 300 })],
  ['waitForSelector', (page) => page.waitForSelector(`[name="${SECRET}"]`, { timeout: 300 })],
  ['a frame locator', (page) => page.frameLocator(`#${SECRET}`).locator('p').click({ timeout: 300 })],
  ['a URL that refuses the connection', () => browser.driver.context.newPage(`http://127.0.0.1:1/?token=${SECRET}`)],
  ['an invalid URL', (page) => page.goto(`http://${SECRET}:port`)],
  ['waitForURL', (page) => page.waitForURL(`**/${SECRET}`, { timeout: 200 })],
  ['a cookie', () => browser.driver.context.addCookies([{ name: SECRET, value: '', url: 'no address' }])],
])('masks variable values in the error of %s', async (_title, call) => {
  const error = await failureOf(call(browser.page));
  expect(error).toBeInstanceOf(Error);
  expect(allOf(error)).toContain('%token%');
  expect(allOf(error)).not.toMatch(/ultramarine/i);
});

test('locator.and() throws a masked error synchronously', () => {
  const call = (): unknown => browser.page.locator('p').and(SECRET as never);
  expect(call).toThrow('%token%');
});

test('dialog.accept() rejects with a masked error when the dialog was dismissed', async () => {
  const dialog = await new Promise<Dialog>((resolve) => {
    browser.page.once('dialog', resolve);
    void browser.page.evaluate('alert(document.title)');
  });
  await dialog.dismiss();
  expect(allOf(await failureOf(dialog.accept()))).toContain('%token%');
  expect(dialog.message()).toBe(SECRET);
});

test('route.continue() rejects with masked errors', async () => {
  const failures: unknown[] = [];
  await browser.page.route('**/asked*', async (route) => {
    failures.push(await failureOf(route.continue({ url: `other://${SECRET}` })));
    await route.abort();
    failures.push(await failureOf(route.continue()));
  });
  await browser.page.evaluate("fetch('/asked?token=' + document.title).catch(() => null)");
  await browser.page.unrouteAll();
  expect(failures.map(String)).toEqual([
    expect.stringContaining('url must be'),
    expect.stringContaining('already handled'),
  ]);
  for (const failure of failures) {
    expect(allOf(failure)).toContain('%token%');
    expect(allOf(failure)).not.toMatch(/ultramarine/i);
  }
});

test('a pageerror event contains the placeholder in its message and stack', async () => {
  const thrown = browser.page.waitForEvent('pageerror');
  await browser.page.evaluate("void setTimeout(() => { throw new TypeError('bad ' + document.title) })");
  expect((await thrown).message).toBe('TypeError: bad %token%');
  expect(allOf(await thrown)).not.toMatch(/ultramarine/i);
});

test('title(), innerText() and console messages return the value', async () => {
  expect(await browser.page.title()).toBe(SECRET);
  expect(await browser.page.locator('#out').innerText()).toBe(`Log out ${SECRET}`);
  const said = browser.page.waitForEvent('console');
  await browser.page.evaluate('console.log(document.title)');
  expect((await said).text()).toBe(SECRET);
});
