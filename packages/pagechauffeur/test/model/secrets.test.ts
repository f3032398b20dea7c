import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Driver, type LogLine, type Page } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ANTHROPIC, GOOGLE, OPENAI_CHAT, OPENAI_RESPONSES, type ProviderFormat } from './provider-formats.ts';
import { modelFor } from './provider-client-for-test.ts';
import { type ReceivedCall, type ServerAnswer, startProviderServer } from './provider-server.ts';

/** With all that JSON, HTML, addresses and Base64 write in other ways. */
const TOKEN = 'S3cret "pä&ss" <word>/42+x';
const PIN = 471_193;
const COLOUR = 'Ultramarine Seven';
const SECRETS = [TOKEN, String(PIN), COLOUR];

/** Shows what is typed back in every way that a page can. */
const PAGE = `<title>Sign in</title>
<label>Token <input id="token"></label>
<label>PIN <input id="pin"></label>
<label>Colour <select id="colour"><option>None</option><option>${COLOUR}</option><option>Red</option></select></label>
<p id="echo"></p><button id="out">Log out</button><input id="hidden-away" type="hidden">
<div id="cover" style="position: fixed; inset: 0; display: none">Please wait</div>
<script>
  const byId = (id) => document.getElementById(id);
  const echo = () => {
    const values = [byId('token').value, byId('pin').value, byId('colour').value];
    const [token] = values;
    byId('echo').textContent = 'You typed ' + values.join(' and ') + ' or ' + JSON.stringify(values);
    byId('echo').title = token;
    byId('out').textContent = 'Log out ' + values.join(' ');
    byId('hidden-away').value = token;
    byId('cover').textContent = 'Please wait, ' + token;
    document.title = 'Hello ' + token;
    const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(token)));
    history.replaceState(null, '', '?token=' + encodeURIComponent(token) + '&b=' + encoded);
    console.log(token);
  };
  document.addEventListener('input', echo);
  byId('out').onclick = () => document.body.append('Bye ' + byId('token').value);
</script>`;

/** The ref of the line of a prompt that fits. */
function refOf(prompt: string, line: RegExp): string {
  const found = prompt.split('\n').find((text) => line.test(text));
  return /\b(?:f\d+)*e\d+\b/.exec(found ?? '')?.[0] ?? 'nothing';
}

/** Everything that a model is told, as it reads it. */
function promptOf({ body }: ReceivedCall): string {
  const texts: string[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (typeof value === 'string' && ['text', 'content'].includes(key)) texts.push(value);
    return value;
  });
  return texts.join('\n');
}

type Step = readonly [instruction: RegExp, line: RegExp, method: string, argument?: string];

const STEPS: readonly Step[] = [
  [/type %token% into/, /textbox "Token"/, 'fill', '%token%'],
  [/type %pin% into/, /textbox "PIN"/, 'fill', '%pin%'],
  [/choose %colour%/, /"Colour"/, 'select', '%colour%'],
  [/log out/i, /button "Log out/, 'click'],
  [/click the button that is not there/, /no such line/, 'click'],
];

/** A model that does what it is told, and repeats what it was shown in all that it may write. */
function answerTo(call: ReceivedCall): string {
  const prompt = promptOf(call);
  const shown = prompt.split('\n').find((line) => line.includes('You typed')) ?? '';
  if (/Instruction: what was typed/.test(prompt)) return JSON.stringify({ typed: shown, pin: `%pin% as a number` });
  if (/Instruction: .*without a shape/.test(prompt)) return JSON.stringify({ extraction: shown });
  if (/Instruction: .*nonsense/.test(prompt)) return shown;
  const [, line = /^$/, method = 'click', argument] = STEPS.find(([instruction]) => instruction.test(prompt)) ?? [];
  const args = argument === undefined ? [] : [argument];
  const action = { ref: refOf(prompt, line), method, arguments: args, description: `${method} next to ${shown}` };
  if (/Instruction: .*the elements/.test(prompt)) return JSON.stringify({ elements: [action] });
  return JSON.stringify({ action, twoStep: false, reason: '', candidates: [] });
}

/** Everything that a driver lets out, by where it goes. */
class Outlets {
  readonly said = new Map<string, string>();

  add(place: string, data: unknown): void {
    this.said.set(place, `${this.said.get(place) ?? ''}\n${typeof data === 'string' ? data : JSON.stringify(data)}`);
  }

  addError(place: string, error: unknown): void {
    for (let current = error; current instanceof Error; current = current.cause) {
      this.add(place, `${String(current)}\n${current.stack}`);
      this.add(place, JSON.stringify(current, Object.getOwnPropertyNames(current)));
    }
  }

  /** The places that hold a secret, and in which form. */
  leaks(secrets: readonly string[]): string[] {
    return [...this.said].flatMap(([place, text]) =>
      secrets.flatMap((secret) =>
        formsOf(secret)
          .filter(([, form]) => text.toLowerCase().includes(form.toLowerCase()))
          .map(([name, form]) => `${place}, ${name}: …${excerpt(text, form)}…`),
      ),
    );
  }
}

function excerpt(text: string, form: string): string {
  const at = text.toLowerCase().indexOf(form.toLowerCase());
  return text.slice(Math.max(0, at - 80), at + form.length + 20);
}

function formsOf(secret: string): readonly (readonly [name: string, form: string])[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    ['plain', secret],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['JSON in JSON in JSON', JSON.stringify(JSON.stringify(json).slice(1, -1)).slice(1, -1)],
    ['URL', encodeURIComponent(secret)],
    ['form', new URLSearchParams({ q: secret }).toString().slice(2)],
    ['Base64', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
    ['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
  ];
}

async function filesBelow(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map(async (file) => {
      const path = join(file.parentPath, file.name);
      return `${path}\n${await readFile(path, 'utf8')}`;
    });
  return (await Promise.all(texts)).join('\n');
}

/** What one test works with: a driver that knows no values yet, with a folder of its own, and a model on the wire. */
interface Stage {
  readonly driver: Driver;
  readonly page: Page;
  readonly model: ReturnType<typeof modelFor>;
  readonly outlets: Outlets;
  readonly folder: string;
}

describe('variable values', () => {
  const shared = useBrowser();
  const workingDirectory = process.cwd();
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'secrets-')));
    process.chdir(folder);
  });
  afterEach(async () => {
    process.chdir(workingDirectory);
    await rm(folder, { recursive: true });
  });

  async function attachedDriver(lines: LogLine[]): Promise<Driver> {
    const driver = new Driver({
      env: 'LOCAL',
      localBrowserLaunchOptions: { cdpUrl: shared.driver.connectURL() },
      cacheDir: join(folder, 'cache'),
      experimental: true,
      logInferenceToFile: true,
      verbose: 2,
      logger: (line) => void lines.push(line),
    });
    await driver.init();
    return driver;
  }

  /** Does some work on the page, and gives the places where a secret came out. */
  async function leaksOf(format: ProviderFormat, work: (stage: Stage) => Promise<void>): Promise<string[]> {
    const lines: LogLine[] = [];
    await using driver = await attachedDriver(lines);
    const page = firstPage(driver);
    await page.goto(shared.server.page('/sign-in', PAGE));
    const answer = (call: ReceivedCall): ServerAnswer => format.answer(answerTo(call));
    await using provider = await startProviderServer(answer);
    const outlets = new Outlets();
    await work({ driver, page, model: modelFor(format, provider), outlets, folder });
    expect(provider.calls.length).toBeGreaterThan(2);
    for (const { bytes } of provider.calls) outlets.add('request', bytes);
    outlets.add('log', lines);
    outlets.add('history', await driver.history);
    outlets.add('metrics', await driver.metrics);
    outlets.add('files', await filesBelow(folder));
    expect(await filesBelow(join(folder, 'inference'))).toContain('%token%');
    return outlets.leaks(SECRETS);
  }

  const token = { value: TOKEN, description: 'the token of the account' };
  const variables = { token, pin: PIN, colour: COLOUR };

  async function signIn({ driver, page, model, outlets }: Stage): Promise<void> {
    outlets.add('result', await driver.act('type %token% into the token field', { model, variables }));
    outlets.add('result', await driver.act('type %pin% into the PIN field', { model, variables }));
    outlets.add('result', await driver.act('choose %colour% as the colour', { model, variables }));
    expect(await page.title()).toBe(`Hello ${TOKEN}`);
    expect(await page.locator('#colour').inputValue()).toBe(COLOUR);
    expect(await page.locator('#pin').inputValue()).toBe(String(PIN));
  }

  // [spec: act-calls.variables-kept, authentication.variables-kept, observe-calls.placeholders]
  test.each([
    ['OpenAI Responses', OPENAI_RESPONSES],
    ['OpenAI-compatible chat', OPENAI_CHAT],
    ['Anthropic', ANTHROPIC],
    ['Google', GOOGLE],
  ])('leaks no typed value with %s, even if the page echoes it everywhere', async (_name, format) => {
    const leaks = await leaksOf(format, async (stage) => {
      const { driver, model, outlets } = stage;
      await signIn(stage);
      outlets.add('result', await driver.observe('the elements to log out', { model }));
      outlets.add('result', await driver.observe());
      outlets.add('result', await driver.act('log out', { model }));
    });
    expect(leaks).toEqual([]);
  });

  test('returns values only to the caller, in extracted data', async () => {
    const shape = z.object({ typed: z.string(), pin: z.number() });
    const leaks = await leaksOf(OPENAI_CHAT, async (stage) => {
      const { driver, model } = stage;
      await signIn(stage);
      const { typed, pin } = await driver.extract('what was typed', shape, { model });
      expect(typed).toContain(`You typed ${TOKEN} and ${PIN} and ${COLOUR}`);
      expect(pin).toBe(PIN);
      const { extraction } = await driver.extract('what was written, without a shape', undefined, { model });
      expect(extraction).toContain(TOKEN);
      expect((await driver.extract()).pageText).toContain('You typed');
    });
    expect(leaks).toEqual([]);
  });

  test('keeps values out of errors and of later requests', async () => {
    const leaks = await leaksOf(OPENAI_CHAT, async (stage) => {
      const { driver, page, model, outlets } = stage;
      await signIn(stage);
      const fail = async (call: Promise<unknown>): Promise<void> => outlets.addError('error', await failureOf(call));
      await fail(driver.act('click the button that is not there', { model }));
      await fail(driver.extract('some nonsense', z.object({ a: z.number() }), { model }));
      await fail(driver.extract('what was typed', z.object({ typed: z.email(), pin: z.string() }), { model }));
      await page.evaluate('document.querySelector("#cover").style.display = "block"');
      await fail(driver.act('log out', { model, timeout: 1500 }));
      await page.evaluate('document.querySelector("#cover").remove()');
      const gone = {
        selector: '#gone',
        method: 'fill',
        arguments: ['%token%'],
        description: 'type %token% into the token field',
      };
      outlets.add('result', await driver.act(gone, { model, variables }));
    });
    expect(leaks).toEqual([]);
  });

  test('types the current value on replay, and stores only the placeholder', async () => {
    const leaks = await leaksOf(OPENAI_CHAT, async (stage) => {
      const { driver, page, model } = stage;
      await signIn(stage);
      const { totalPromptTokens: before } = await driver.metrics;
      await page.goto(shared.server.page('/sign-in', PAGE));
      const other = { value: `${TOKEN} changed` };
      await driver.act('type %token% into the token field', { model, variables: { ...variables, token: other } });
      expect(await page.locator('#token').inputValue()).toBe(other.value);
      expect((await driver.metrics).totalPromptTokens).toBe(before);
    });
    expect(leaks).toEqual([]);
    expect(await filesBelow(join(folder, 'cache'))).toContain('%token%');
  });

  test('masks values in a provider error that repeats the prompt', async () => {
    const repeat = (call: ReceivedCall): ServerAnswer => ({ status: 422, body: OPENAI_CHAT.error(promptOf(call)) });
    await using provider = await startProviderServer(repeat);
    const leaks = await leaksOf(OPENAI_CHAT, async (stage) => {
      const { driver, outlets } = stage;
      await signIn(stage);
      outlets.addError('error', await failureOf(driver.act('log out', { model: modelFor(OPENAI_CHAT, provider) })));
      for (const { bytes } of provider.calls) outlets.add('request', bytes);
    });
    expect(leaks).toEqual([]);
  });

  test('masks values in URLs of history and log', async () => {
    const leaks = await leaksOf(OPENAI_CHAT, async (stage) => {
      const { page } = stage;
      await signIn(stage);
      await page.goto(`${shared.server.page('/sign-in', PAGE)}?again=${encodeURIComponent(TOKEN)}`);
    });
    expect(leaks).toEqual([]);
  });

  // [spec: driver-options.logInferenceToFile]
  test('writes one JSON line per request to the inference file', async () => {
    await using provider = await startProviderServer(OPENAI_CHAT.answer('{"extraction":"mugs"}'), {
      status: 404,
      body: {},
    });
    await using driver = await attachedDriver([]);
    await firstPage(driver).goto(shared.server.page('/mugs', '<p>Mugs are sold here.</p>'));
    const options = { model: modelFor(OPENAI_CHAT, provider) };
    await driver.extract('what is sold', undefined, options);
    await failureOf(driver.extract('what is bought', undefined, options));
    const files = await readdir(join(folder, 'inference'));
    expect(files).toHaveLength(1);
    const written = (await readFile(join(folder, 'inference', files[0] ?? ''), 'utf8')).trimEnd().split('\n');
    const [answered, failed] = written.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(written).toHaveLength(2);
    expect(answered).toMatchObject({
      verb: 'extract',
      model: 'openai/local-model',
      usage: { promptTokens: 120 },
      output: { extraction: 'mugs' },
    });
    expect(JSON.stringify(answered?.['messages'])).toContain('Mugs are sold here.');
    expect(failed).toMatchObject({ error: { name: 'UnsupportedModelError' } });
  });
});

test('finds unmasked values in nested JSON and in URLs with `Outlets.leaks()`', () => {
  const outlets = new Outlets();
  outlets.add('there', JSON.stringify({ a: JSON.stringify({ b: TOKEN }) }));
  outlets.add('here', `x${encodeURIComponent(TOKEN)}`);
  expect(outlets.leaks([TOKEN]).map((leak) => leak.split(':')[0])).toEqual(['there, JSON in JSON', 'here, URL']);
});
