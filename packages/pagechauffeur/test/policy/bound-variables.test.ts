import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Action,
  DriverError,
  DriverInvalidArgumentError,
  DriverVariableOriginError,
  type Variables,
} from '../../src/index.ts';
import { PendingCall } from '../../src/cdp/pending-call.ts';
import { World } from '../../src/cdp/world.ts';
import { failureOf } from '../support/failure-of.ts';
import { rows } from '../support/nightly-rows.ts';
import { serve } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { enterWhileRobbed } from './robbed-field.ts';

const SECRET = 'Zanzibar-77';
const FIELD = '<label>Password <input type=password></label>';
/** A page that redefines all by which it could be told whose it is. */
const LIAR = `${FIELD}<script>
  for (const [object, name] of [[self, 'origin'], [document, 'URL'], [document, 'domain']])
    try { Object.defineProperty(object, name, { get: () => 'http://127.0.0.1' }); } catch {}
  Object.defineProperty(URL.prototype, 'origin', { get: () => 'http://127.0.0.1' });
</script><iframe name=origin></iframe><form name=location></form>`;

const browser = useBrowser({ routes: { '/': FIELD, '/liar': LIAR } });

function fill(selector = 'input', method = 'fill', ...args: string[]): Action {
  return { selector, description: 'the password', method, arguments: args.length === 0 ? ['%password%'] : args };
}

function bound(...origins: string[]): { variables: Variables } {
  return { variables: { password: { value: SECRET, origins } } };
}

/** What every field of the page and its frames holds. */
async function held(): Promise<string> {
  const values = await Promise.all(browser.page.frames().map((frame) => frame.evaluate(HELD)));
  return values.join(' ').trim();
}

const HELD = "[...document.querySelectorAll('input, textarea, select')].map(({ value }) => value).join(' ')";

beforeEach(() => browser.page.goto(`${browser.server.origin}/`));

describe('variable with `origins`', () => {
  it.each([
    ['fill', ['%password%']],
    ['type', ['%password%']],
    ['append', ['%password%']],
  ])('%s puts it into a document of one of its origins', async (method, args) => {
    const result = await browser.driver.act(
      fill('input', method, ...args),
      bound('https://shop.example', browser.server.origin),
    );
    expect(result.success).toBe(true);
    expect(await held()).toBe(SECRET);
  });

  it.each([
    ['another host', (port: string) => `http://localhost:${port}`],
    ['another port', () => 'http://127.0.0.1:1'],
    ['another scheme', (port: string) => `https://127.0.0.1:${port}`],
    ['subdomains only', (port: string) => `http://*.127.0.0.1:${port}`],
  ])('rejects a document when `origins` has %s, and prints the line to add', async (_what, originOf) => {
    const { origin } = browser.server;
    const allowed = originOf(new URL(origin).port);
    const error = await failureOf(browser.driver.act(fill(), bound(allowed)));
    expect(error).toBeInstanceOf(DriverVariableOriginError);
    expect(error).toMatchObject({ code: 'VARIABLE_ORIGIN', variable: 'password', origin, origins: [allowed] });
    expect(String(error)).toContain(`variables: { password: { value, origins: ['${allowed}', '${origin}'] } }`);
    expect(await held()).toBe('');
  });

  it('matches subdomains of any depth with a wildcard', async () => {
    const { port } = new URL(browser.server.origin);
    await browser.page.goto(`http://a.b.shop.localhost:${port}/`);
    await browser.driver.act(fill(), bound(`http://*.shop.localhost:${port}`));
    expect(await held()).toBe(SECRET);
    await browser.page.goto(`http://myshop.localhost:${port}/`);
    expect(await failureOf(browser.driver.act(fill(), bound(`http://*.shop.localhost:${port}`)))).toBeInstanceOf(
      DriverVariableOriginError,
    );
    expect(await held()).toBe('');
  });

  it('uses the real origin of a page that redefines `origin`', async () => {
    await browser.page.goto(`${browser.server.otherOrigin}/liar`);
    const error = await failureOf(browser.driver.act(fill(), bound(browser.server.origin)));
    expect(error).toMatchObject({ origin: browser.server.otherOrigin });
    expect(await held()).toBe('');
  });

  it.each([
    ['about:', 'about:blank'],
    ['data:', `data:text/html,${encodeURIComponent(FIELD)}`],
  ])('rejects a document of %s', async (_what, address) => {
    await browser.page.goto(address);
    if (browser.page.url() === 'about:blank') await browser.page.setContent(FIELD);
    const error = await failureOf(browser.driver.act(fill(), bound(browser.server.origin)));
    expect(error).toMatchObject({ origin: 'null' });
    expect(await held()).toBe('');
  });

  it('checks the origin of the frame that contains the field', async () => {
    const { server, page, driver } = browser;
    await page.goto(
      server.page(
        '/shop',
        `<iframe id=near src="/"></iframe><iframe id=far src="${server.otherOrigin}/"></iframe>
      <iframe id=boxed sandbox=allow-scripts src="/"></iframe>`,
      ),
      { waitUntil: 'load' },
    );
    expect(await failureOf(driver.act(fill('#far >> input'), bound(server.origin)))).toMatchObject({
      origin: server.otherOrigin,
    });
    expect(await failureOf(driver.act(fill('#boxed >> input'), bound(server.origin)))).toMatchObject({
      origin: 'null',
    });
    expect(await held()).toBe('');
    await driver.act(fill('#near >> input'), bound(server.origin));
    await driver.act(fill('#far >> input'), bound(server.origin, server.otherOrigin));
    expect((await held()).split(/\s+/)).toEqual([SECRET, SECRET]);
  });

  it.each([
    ['the same site', 'origin'],
    ['another site', 'otherOrigin'],
  ] as const)('checks the focused document if the element is a frame of %s', async (_which, place) => {
    const { server, page, driver } = browser;
    const html = '<input><script>onfocus = () => document.querySelector("input").focus()</script>';
    await using neighbor = await serve({ '/focused': html });
    const origin = neighbor[place];
    await page.goto(server.page('/around', `<iframe src="${origin}/focused"></iframe>`), { waitUntil: 'load' });
    const byVariable = await failureOf(driver.act(fill('iframe', 'type'), bound(server.origin)));
    const byOption = await failureOf(page.locator('iframe').type(SECRET, { origins: [server.origin] }));
    for (const error of [byVariable, byOption]) expect(error).toMatchObject({ code: 'VARIABLE_ORIGIN', origin });
    expect(await held()).toBe('');
    await driver.act(fill('iframe', 'type'), bound(server.origin, origin));
    expect(await held()).toBe(SECRET);
  });

  it.each(rows(['date', 'select', 'editor'], ['number', 'textarea']))(
    'fills a %s like an unbound value',
    async (kind) => {
      const fields: Record<string, [string, string]> = {
        number: ['<input id=f type=number>', '4711'],
        date: ['<input id=f type=date>', '2031-04-05'],
        select: ['<select id=f><option>One<option>Two</select>', 'Two'],
        textarea: ['<textarea id=f>old</textarea>', 'two\nlines'],
        editor: [
          '<div id=f contenteditable>old</div><input id=copy><script>f.oninput = () => copy.value = f.innerText</script>',
          'new',
        ],
      };
      const [html, value] = fields[kind] ?? ['', ''];
      await browser.page.goto(browser.server.page('/kinds', html));
      const variables = { pin: { value, origins: [browser.server.origin] } };
      await browser.driver.act(
        { ...fill('#f', kind === 'select' ? 'select' : 'fill'), arguments: ['%pin%'] },
        { variables },
      );
      expect(await held()).toBe(value);
    },
  );

  it('types across one-character boxes while the page moves the focus', async () => {
    const boxes = Array.from(
      { length: 6 },
      () => '<input maxlength=1 style="width: 1em" oninput="this.nextElementSibling?.focus()">',
    ).join('');
    await browser.page.goto(browser.server.page('/code', boxes));
    const variables = { otp: { value: '482913', origins: [browser.server.origin] } };
    await browser.driver.act({ ...fill('input', 'type'), arguments: ['%otp%'] }, { variables });
    expect((await held()).replaceAll(' ', '')).toBe('482913');
  });

  it('types into a field that handles only keydown', async () => {
    const html = `<div tabindex=0 id=f contenteditable style="height: 1em"></div><input id=seen><script>
      f.addEventListener('keydown', (event) => { event.preventDefault(); if (event.key.length === 1) seen.value += event.key; });</script>`;
    await browser.page.goto(browser.server.page('/keys', html));
    const variables = { otp: { value: '482913', origins: [browser.server.origin] } };
    await browser.driver.act({ ...fill('#f', 'type'), arguments: ['%otp%'] }, { variables });
    expect(await held()).toBe('482913');
  });

  it('rejects the method press', async () => {
    const variables = { pin: { value: '4', origins: [browser.server.origin] } };
    const error = await failureOf(
      browser.driver.act({ ...fill('input', 'press'), arguments: ['%pin%'] }, { variables }),
    );
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(await held()).toBe('');
  });

  it.each([
    [['shop.example']],
    [['https://shop.example/login']],
    [['ftp://shop.example']],
    [['https://*.co.uk']],
    [['https://*']],
    [['about:blank']],
    [[]],
  ])('rejects the invalid `origins` %j', async (origins) => {
    const error = await failureOf(browser.driver.act(fill(), { variables: { password: { value: SECRET, origins } } }));
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(error).toMatchObject({ argument: 'variables.password.origins' });
  });
});

it.each(['fill', 'type'] as const)('locator.%s() enters text only in documents of its `origins`', async (method) => {
  const { server, page } = browser;
  const field = page.locator('input');
  const error = await failureOf(field[method](SECRET, { origins: ['https://shop.example'] }));
  expect(error).toMatchObject({ code: 'VARIABLE_ORIGIN', origin: server.origin });
  expect(await held()).toBe('');
  await field[method](SECRET, { origins: [server.origin] });
  expect(await held()).toBe(SECRET);
});

it('rejects `origins` in page.type() and a misspelt `origin` in locator.fill()', async () => {
  const { page } = browser;
  await page.locator('input').focus();
  const typed = page.type(SECRET, { origins: ['https://shop.example'] } as object);
  const filled = page.locator('input').fill(SECRET, { origin: 'https://shop.example' } as object);
  expect(await failureOf(typed)).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'origins' });
  expect(await failureOf(filled)).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'origin' });
  expect(await held()).toBe('');
});

it('fills any document with a variable without `origins`', async () => {
  await browser.driver.act(fill(), { variables: { password: SECRET } });
  expect(await held()).toBe(SECRET);
});

it.each([
  ['fill', 7],
  ['type', 16],
] as const)(
  '%s puts a bound value only into its field while frames take the focus every %i ms',
  async (method, cadence) => {
    const seen = await enterWhileRobbed(browser, { method, cadence, tries: 1, value: SECRET });
    expect(seen).toEqual([`${SECRET},,`]);
  },
);

it.each([
  ['type', SECRET],
  ['fill', 'Z'],
] as const)('%s sends no key of a bound value to frames that the page focuses at each key', async (method, value) => {
  const { server, page } = browser;
  const html = `<script>heard = ''; onkeydown = onkeypress = ({ key }) => { heard += key; };</script>`;
  await using neighbor = await serve({ '/ear': html });
  const frames = [neighbor.origin, neighbor.otherOrigin].map((origin) => `<iframe src="${origin}/ear"></iframe>`);
  const give = `for (const type of ['keydown', 'keypress', 'keyup'])
    document.querySelector('input').addEventListener(type, () => frames[turn++ % 2].focus())`;
  const robbed = server.page('/gives', `<input>${frames.join('')}<script>let turn = 0; ${give}</script>`);
  await page.goto(robbed, { waitUntil: 'load' });
  const field = page.locator('input');
  await field[method](value, { origins: [server.origin], timeout: 1000 }).catch(asDriverError);
  const [, ...ears] = page.frames();
  expect(await Promise.all(ears.map((frame) => frame.evaluate('heard')))).toEqual(['', '']);
});

function asDriverError(error: unknown): void {
  if (!(error instanceof DriverError)) throw error;
}

describe('navigation to another origin between check and input', () => {
  /** What became of the act, and what the field of the page that came meanwhile holds. */
  async function leaveMeanwhile(method: string, options: { variables: Variables }): Promise<[unknown, string]> {
    const { server, page, driver } = browser;
    await page.goto(`${server.origin}/`);
    const far = server.page('/far', '<input id=f>').replace(server.origin, server.otherOrigin);
    const { start } = World.prototype;
    const startThenLeave = function (this: World, ...args: readonly unknown[]): PendingCall<unknown> {
      const call = Reflect.apply(start, this, args) as PendingCall<unknown>;
      const [name] = args;
      if (name !== 'prepare') return call;
      spy.mockRestore();
      const result = call.result.then(async (answer) => {
        await page.goto(far);
        await page.evaluate("document.querySelector('#f').focus()");
        return answer;
      });
      return new PendingCall(result, () => call.cancel());
    };
    using spy = vi.spyOn(World.prototype, 'start').mockImplementation(startThenLeave as never);
    const [act] = await Promise.allSettled([driver.act(fill('input[type=password]', method), options)]);
    return [act, await page.locator('#f').inputValue()];
  }

  it.each(rows(['type'], ['fill']))('%s puts no variable into the new page', async (method) => {
    const [, caught] = await leaveMeanwhile(method, { variables: { password: SECRET } });
    expect(caught).toBe('');
    const [act, nothing] = await leaveMeanwhile(method, bound(browser.server.origin));
    expect(nothing).toBe('');
    expect(act).toMatchObject({ status: 'rejected', reason: { code: 'ELEMENT_NOT_FOUND' } });
  });
});
