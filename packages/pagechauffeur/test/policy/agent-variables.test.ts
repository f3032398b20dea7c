import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecuteOptions } from '../../src/index.ts';
import { isSensitiveName } from '../../src/policy/variable-origins.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ScriptedAgent, type ScriptedCall } from '../tools/scripted-agent.ts';

const SECRET = 'Zanzibar-77';
const FIELD = '<title>Sign in</title><label>Password <input></label>';

const agent = new ScriptedAgent();
const browser = useBrowser({ llmClient: agent.model, routes: { '/': FIELD } });
/** A server of the same host with another port: the same site, and another origin. */
let neighbour: TestServer;
beforeAll(async () => {
  neighbour = await serve({ '/': FIELD });
});
afterAll(() => neighbour?.close());

const fill: ScriptedCall = { tool: 'fill', input: { text: '%password%' }, on: { name: 'Password' } };

function goTo(url: string): ScriptedCall {
  return { tool: 'navigate', input: { url } };
}

interface Ran {
  /** What the model was told of the last call. */
  readonly told: string;
  readonly held: string;
}

async function run(
  calls: readonly ScriptedCall[],
  { instruction = 'Sign in', variables = { password: SECRET } }: Partial<ExecuteOptions> = {},
): Promise<Ran> {
  const { told } = await agent.run(
    browser.driver,
    calls.map((call) => [call]),
    { instruction, variables, page: browser.page },
  );
  return { told: told.at(-1) ?? '', held: await held() };
}

async function held(): Promise<string> {
  const values = await Promise.all(browser.page.frames().map((frame) => frame.evaluate(HELD)));
  return values.join(' ').trim();
}

const HELD = "[...document.querySelectorAll('input')].map(({ value }) => value).join(' ')";

beforeEach(() => browser.page.goto('about:blank'));

describe('sensitive variable of an agent', () => {
  it('is bound to the site that is open at the start', async () => {
    const { origin, otherOrigin } = browser.server;
    await browser.page.goto(`${origin}/`);
    expect((await run([fill])).held).toBe(SECRET);
    const { held: there, told } = await run([goTo(`${otherOrigin}/`), fill]);
    expect(there).toBe('');
    expect(told).toContain('This variable is not allowed here');
    expect(told).toContain(`is bound to http://127.0.0.1:*, https://127.0.0.1:*.`);
    expect(told).toContain(`origins: ['http://127.0.0.1:*', 'https://127.0.0.1:*', '${otherOrigin}']`);
  });

  it('fills a field on another port of the same host', async () => {
    await browser.page.goto(`${browser.server.origin}/`);
    expect((await run([goTo(`${neighbour.origin}/`), fill])).held).toBe(SECRET);
  });

  it('is bound to the sites that the instruction names, not to the open one', async () => {
    const { origin, otherOrigin } = browser.server;
    await browser.page.goto(`${origin}/`);
    const instruction = `Go to ${otherOrigin}/ and sign in with %password%.`;
    expect((await run([fill], { instruction })).held).toBe('');
    expect((await run([goTo(`${otherOrigin}/`), fill], { instruction })).held).toBe(SECRET);
  });

  it('is bound to the site in another variable that the instruction uses', async () => {
    const { otherOrigin } = browser.server;
    const options = {
      instruction: 'Open %shop% and sign in with %password%',
      variables: { password: SECRET, shop: `${otherOrigin}/?mugs` },
    };
    expect((await run([goTo('%shop%'), fill], options)).held).toBe(SECRET);
    expect((await run([goTo(`${browser.server.origin}/`), fill], options)).held).toBe('');
  });

  it('is bound to the first site where it is typed when the agent starts on about:blank', async () => {
    const { origin, otherOrigin } = browser.server;
    const { held: there } = await run([goTo(`${origin}/`), fill, goTo(`${otherOrigin}/`), fill]);
    expect(there).toBe('');
    await browser.page.goto('about:blank');
    expect((await run([goTo(`${origin}/`), fill, goTo(`${neighbour.origin}/`), fill])).held).toBe(SECRET);
  });

  it('fills no document without an origin', async () => {
    await browser.page.setContent(FIELD);
    const { held: there, told } = await run([fill]);
    expect(there).toBe('');
    expect(told).toContain('without its own origin');
  });

  it('fills a payment frame of another site with the `origins` that the error prints', async () => {
    const { server, page } = browser;
    const shop = server.page('/shop', `<title>Pay</title><iframe src="${server.otherOrigin}/card"></iframe>`);
    server.page('/card', '<label>Card <input></label>');
    const pay: ScriptedCall = { tool: 'fill', input: { text: '%card%' }, on: { name: 'Card' } };
    const value = '4111111111111111';
    for (const start of [shop, 'about:blank']) {
      await page.goto(start);
      const { held: there, told } = await run([goTo(shop), pay], { variables: { card: value } });
      expect(there).toBe('');
      const line = /origins: (\[[^\]]+\])/.exec(told)?.[1] ?? '';
      const origins = JSON.parse(line.replaceAll("'", '"')) as string[];
      expect((await run([goTo(shop), pay], { variables: { card: { value, origins } } })).held).toBe(value);
    }
  });

  it('fills forms of three sites that `origins` lists', async () => {
    const { server } = browser;
    const form = (action: string): string =>
      `<form action="${action}"><label>Password <input name=word></label><button>Next</button></form>`;
    server.page('/end', '<h1>Welcome</h1>');
    server.page('/third', form('/end'));
    const start = server.page('/first', form(`${server.otherOrigin}/second`));
    neighbour.page('/third', form('/end'));
    server.page('/second', form(`http://c.localhost:${new URL(server.origin).port}/third`));
    const next: ScriptedCall = { tool: 'click', on: { name: 'Next' } };
    const origins = [server.origin, server.otherOrigin, `http://*.localhost:${new URL(server.origin).port}`];
    await browser.page.goto(start);
    await run([fill, next, fill, next, fill], {
      variables: { password: { value: SECRET, origins } },
    });
    expect(browser.page.url()).toContain('c.localhost');
    expect(await held()).toBe(SECRET);
  });

  it.each([
    ['a non-sensitive name', { user: SECRET }, '%user%'],
    ['`sensitive: false`', { password: { value: SECRET, sensitive: false } }, '%password%'],
  ])('fills a field of another site for %s', async (_what, variables, text) => {
    await browser.page.goto(`${browser.server.origin}/`);
    const there = goTo(`${browser.server.otherOrigin}/`);
    expect((await run([there, { ...fill, input: { text } }], { variables })).held).toBe(SECRET);
  });

  it('is bound to its site with `sensitive: true`, regardless of its name', async () => {
    await browser.page.goto(`${browser.server.origin}/`);
    const variables = { word: { value: SECRET, sensitive: true } };
    const there = goTo(`${browser.server.otherOrigin}/`);
    expect((await run([there, { ...fill, input: { text: '%word%' } }], { variables })).held).toBe('');
  });

  it('enters a URL only if the URL has one of its origins', async () => {
    const { origin, otherOrigin } = browser.server;
    await browser.page.goto(`${origin}/`);
    const bound = async (url: string): Promise<string> => {
      await run([goTo(url)], { variables: { token: 'tulip-77' } });
      return browser.page.url();
    };
    expect(await bound(`${otherOrigin}/?t=%token%`)).toBe(`${origin}/`);
    expect(await bound('data:text/html,%token%')).toBe(`${origin}/`);
    expect(await bound(`${origin}/?t=%token%`)).toBe(`${origin}/?t=tulip-77`);
    await browser.page.goto('data:text/html,here');
    expect(await bound('data:text/html,<p>%token%')).toBe('data:text/html,here');
  });

  it('stays bound when onHandoff() provides it during the run', async () => {
    await browser.page.goto(`${browser.server.origin}/`);
    const ask: ScriptedCall = { tool: 'handoff', input: { kind: 'code', question: 'The code?' } };
    const type: ScriptedCall = { ...fill, input: { text: '%otp%' } };
    const { told } = await agent.run(browser.driver, [[ask], [goTo(`${browser.server.otherOrigin}/`)], [type]], {
      page: browser.page,
      callbacks: { onHandoff: () => Promise.resolve({ variables: { otp: '424242' } }) },
    });
    expect(told.at(-1)).toContain('add its origin: variables: { otp: {');
    expect(await held()).toBe('');
  });
});

describe('variable value outside of fields', () => {
  const got: unknown[] = [];
  const echo = {
    description: 'Says it',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    execute: (input: unknown) => void got.push(input),
  };
  const say: ScriptedCall = { tool: 'echo', input: { text: 'It is %password%' } };

  it.each<[string, ExecuteOptions['variables'], string | undefined]>([
    ['no value of a sensitive variable', { password: SECRET }, undefined],
    [
      'no value of a variable with `origins`',
      { password: { value: SECRET, origins: ['https://shop.example'] } },
      undefined,
    ],
    ['the value of a variable with `tools: true`', { password: { value: SECRET, tools: true } }, SECRET],
    ['the value of a variable with `sensitive: false`', { password: { value: SECRET, sensitive: false } }, SECRET],
  ])('passes a tool of the user %s', async (_what, variables, value) => {
    got.length = 0;
    const { told } = await agent.run(browser.driver, [[say]], {
      page: browser.page,
      variables: variables ?? {},
      config: { tools: { echo } },
    });
    expect(got).toEqual(value === undefined ? [] : [{ text: `It is ${value}` }]);
    expect(String(told).includes('variables: { password: { value, tools: true } }')).toBe(value === undefined);
  });

  it.each<[string, ScriptedCall]>([
    ['a dialog', { tool: 'dialog', input: { accept: true, text: '%password%' } }],
    ['a file name', { tool: 'download', input: { as: '%password%' } }],
    ['a page tool', { tool: 'pageTool', input: { tool: 'any', input: '{"text":"%password%"}' } }],
  ])('rejects a sensitive variable in %s', async (_what, asked) => {
    await browser.page.goto(
      browser.server.page('/ask', `<button onclick="document.title = prompt('Password?')">Ask</button>`),
    );
    const press: ScriptedCall = { tool: 'click', on: { name: 'Ask' } };
    const { told } = await agent.run(browser.driver, [[asked], [press]], {
      page: browser.page,
      variables: { password: SECRET },
    });
    expect(told[0]).toMatch(/%password% is sensitive/);
    expect(await browser.page.title()).not.toContain(SECRET);
  });
});

it.each([
  'password',
  'userPassword',
  'card_number',
  'cardNumber',
  'OTP',
  'otpCode',
  'pin',
  'newPin2',
  'cvv',
  'apiKey',
  'API_TOKEN',
  'client-secret',
  'loginCode',
])('treats the name %s as sensitive', (name) => expect(isSensitiveName(name)).toBe(true));

it.each([
  'user',
  'email',
  'postcode',
  'cardinal',
  'pinterest',
  'keyword',
  'passenger',
  'city',
  'spinning',
  'code',
  'cart',
  'compass',
])('treats the name %s as not sensitive', (name) => expect(isSensitiveName(name)).toBe(false));

describe('field that leaves the page when it gets the focus', () => {
  it.each([
    [
      'fills the field that the document puts in its place',
      "old.replaceWith(Object.assign(old.cloneNode(true), { id: 'again' }))",
      SECRET,
    ],
    ['fills no field of the same name in the next document', "location = '/copy'", ''],
  ])('%s', async (_what, leave, filled) => {
    const { page, server } = browser;
    server.page('/copy', '<title>Sign in</title><label>Nickname <input></label>');
    const form = `<title>Sign in</title><label id="old">Nickname <input></label><script>
      old.addEventListener('focusin', () => { const { old } = window; ${leave} }, { once: true });
    </script>`;
    await page.goto(server.page('/form', form));
    const call: ScriptedCall = { tool: 'fill', input: { text: '%nick%' }, on: { name: 'Nickname' } };
    expect((await run([call], { variables: { nick: SECRET } })).held).toBe(filled);
  });
});
