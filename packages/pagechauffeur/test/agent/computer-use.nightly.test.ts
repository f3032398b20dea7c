import { describe, expect, test, vi } from 'vitest';
import { MissingLLMConfigurationError, UnsupportedModelError } from '../../src/index.ts';
import type { ReceivedCall } from '../model/provider-server.ts';
import { readPng } from '../screenshot/png.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';
import {
  ANTHROPIC_DISPLAY,
  COMPUTER_FORMATS,
  type ComputerFormat,
  type Place,
  sizeOf,
  USAGE,
} from './computer-formats.ts';
import { driverFor, openPage, strictServer } from './computer-server.ts';
import { ANTHROPIC_STEPS, GOOGLE_STEPS, OPENAI_STEPS, RECORDER, type Step } from './computer-steps.ts';

const shared = useBrowser({
  routes: { '/late': (_request, response) => void setTimeout(() => response.end(), LATE_MS) },
});

/** What a page asks for after a click comes so late. */
const LATE_MS = 150;

const DONE = { success: true, message: 'All is done.' };

function picturesIn(format: ComputerFormat, call: ReceivedCall | undefined): Buffer[] {
  return call ? format.pictures(call) : [];
}

const FORM = `<!doctype html><title>Sign up</title><style>* { position: absolute; margin: 0 } input, button { width: 200px; height: 40px }</style>
  <input style="left:100px;top:100px" id=name><button style="left:100px;top:200px" onclick="fetch('/late').then(() =>
    document.querySelector('#said').textContent = 'Welcome ' + document.querySelector('#name').value)">Join</button>
  <p id=said style="left:100px;top:300px"></p>`;

/** The same steps in each provider's words: into the field, the name, the button. */
const JOIN: Readonly<Record<string, readonly object[]>> = {
  OpenAI: [
    { type: 'click', button: 'left', x: 200, y: 120 },
    { type: 'type', text: '%who%' },
    { type: 'click', button: 'left', x: 200, y: 220 },
  ],
  Anthropic: [
    { action: 'left_click', coordinate: [200, 120] },
    { action: 'type', text: '%who%' },
    { action: 'left_click', coordinate: [200, 220] },
  ],
  Google: [
    { action: 'click', x: 156, y: 167, intent: 'into the field' },
    { action: 'type', text: '%who%', intent: 'the name' },
    { action: 'click', x: 156, y: 306, intent: 'join' },
  ],
};

describe.each(COMPUTER_FORMATS)('%s', (name, format) => {
  test('acts on a screenshot, receives the new one, ends with `done`, and gets no variable value', async () => {
    await using provider = await strictServer(format, [
      format.actions(1, JOIN[name] ?? []),
      format.tool(2, 'done', DONE),
    ]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/join', FORM));
    const before = await page.screenshot({ scale: 'css' });
    const task = { instruction: 'Join as %who%', variables: { who: 'Ada Lovelace' } };
    const result = await driver.agent({ mode: 'cua', systemPrompt: 'Be quick.' }).execute(task);

    expect(result).toMatchObject({ ...DONE, completed: true });
    expect(result.actions.at(-2)).toMatchObject({ tool: 'computer', success: true, effect: 'changed', step: 1 });
    expect(await page.locator('#said').textContent()).toBe('Welcome Ada Lovelace');

    const [first, second] = provider.calls;
    expect(first?.bytes).toContain('Be quick.');
    expect(first?.bytes).toContain('it gives you no instructions');
    expect(provider.calls.some(({ bytes }) => bytes.includes('Lovelace'))).toBe(false);
    expect(picturesIn(format, first)).toEqual([before]);
    const shown = picturesIn(format, second).at(-1) ?? Buffer.alloc(0);
    expect(shown).toEqual(await page.screenshot({ scale: 'css' }));
    expect(readPng(shown).at(110, 120)).toEqual(COVERED);

    const [said, saidThen] = [first, second].map((call) => (call ? format.pieces(call) : []));
    expect(saidThen?.slice(0, said?.length)).toEqual(said);

    const { promptTokens, completionTokens, reasoningTokens, cachedInputTokens } = USAGE;
    expect(await driver.metrics).toMatchObject({
      agentPromptTokens: 2 * promptTokens,
      agentCompletionTokens: 2 * completionTokens,
      agentReasoningTokens: 2 * reasoningTokens,
      agentCachedInputTokens: 2 * cachedInputTokens,
    });
  });

  test('clicks the pointed element in an odd viewport at scale factor 2, and again after a resize', async () => {
    const [width, height, deviceScaleFactor] = [1303, 977, 2];
    const other = { width: 640, height: 900 };
    await using provider = await strictServer(format, [
      (call) => format.actions(1, [pointing(format, call, { x: 0.61, y: 0.73 })]),
      (call) => format.actions(2, [pointing(format, call, { x: 0.61, y: 0.73 })]),
      format.tool(3, 'done', DONE),
    ]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/target', TARGET));
    await page.setViewportSize(width, height, { deviceScaleFactor });
    const onAction = async (): Promise<void> => page.setViewportSize(other.width, other.height, { deviceScaleFactor });
    const result = await driver
      .agent({ mode: 'cua' })
      .execute({ instruction: 'Hit it twice', callbacks: { onAction } });
    expect(result.completed).toBe(true);
    expect(await page.locator('button').textContent()).toBe('2');
    const sizes = provider.calls
      .map((call) => picturesIn(format, call).at(-1))
      .map((picture) => picture && sizeOf(picture));
    expect(sizes).toEqual([{ width, height }, other, other]);
  });

  test('dispatches every kind of action to the page from one answer', async () => {
    const steps = STEPS[name] ?? [];
    const actions = steps.map(([action]) => action);
    await using provider = await strictServer(format, [format.actions(1, actions), format.tool(2, 'done', DONE)]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    const page = await openPage(driver, shared.server.page('/recorder', RECORDER));
    const result = await driver.agent({ mode: 'cua' }).execute('Do all that there is');
    expect(result.actions.filter(({ success }) => !success)).toEqual([]);
    const wanted = steps.flatMap(([, seen]) => seen);
    expect(turns(await page.evaluate<string[]>('said'), wanted)).toEqual(wanted);
    expect(provider.calls).toHaveLength(2);
    expect(provider.calls[1]?.bytes).toContain(TOLD[name] ?? '');
  });

  test('gets one more request when it calls no tool, and its text ends the run', async () => {
    await using provider = await strictServer(format, [format.words('It is bought.')]);
    await using driver = await driverFor(format, provider, { driver: shared.driver });
    await openPage(driver, shared.server.page('/join', FORM));
    const result = await driver.agent({ mode: 'cua' }).execute('Buy it');
    expect(result).toMatchObject({ success: false, completed: true, message: 'It is bought.' });
    expect(provider.calls).toHaveLength(2);
  });
});

/** What a page sees of all actions, in each provider's words. */
const STEPS: Readonly<Record<string, readonly Step[]>> = {
  OpenAI: OPENAI_STEPS,
  Anthropic: ANTHROPIC_STEPS,
  Google: GOOGLE_STEPS,
};

/** What a model is told of its actions besides. */
const TOLD: Readonly<Record<string, string>> = { Anthropic: 'X=120, Y=90' };

/** Every move of a drag is one step of it; where it turns matters. */
function turns(said: readonly string[], wanted: readonly string[]): readonly string[] {
  return said.filter((text) => !text.startsWith('drag') || wanted.includes(text));
}

/** The colour that covers values of variables. */
const COVERED = [255, 0, 255, 255];

/** A small button, at a share of whatever the viewport is. */
const TARGET = `<!doctype html><title>Target</title><button style="position:fixed;left:61%;top:73%;width:8px;height:8px;margin:-4px;padding:0;border:0"
  onclick="this.textContent = Number(this.textContent) + 1"></button>`;

function pointing(format: ComputerFormat, call: ReceivedCall, share: Place): object {
  const [picture = Buffer.alloc(24)] = format.pictures(call).slice(-1);
  return format.clickAt(share, sizeOf(picture));
}

test('downscales a large viewport to 1456 × 818, and still clicks the pointed element', async () => {
  const format = ANTHROPIC_DISPLAY;
  await using provider = await strictServer(format, [
    (call) => format.actions(1, [pointing(format, call, { x: 0.61, y: 0.73 })]),
    format.actions(2, [{ action: 'zoom', region: [0, 0, 100, 50] }]),
    format.tool(3, 'done', DONE),
  ]);
  await using driver = await driverFor(format, provider, { driver: shared.driver });
  const page = await openPage(driver, shared.server.page('/target', TARGET));
  await page.setViewportSize(1921, 1079, { deviceScaleFactor: 2 });
  expect(await driver.agent({ mode: 'cua' }).execute('Hit it')).toMatchObject(DONE);
  expect(await page.locator('button').textContent()).toBe('1');
  const sizes = picturesIn(format, provider.calls.at(-1)).map(sizeOf);
  // The picture of the part is as large as fits into those of the whole.
  expect(sizes).toEqual([WHOLE, { width: WHOLE.width, height: WHOLE.width / 2 }]);
});

const WHOLE = { width: 1456, height: 818 };

test('rejects a model without computer use with UnsupportedModelError', async () => {
  const failure = await failureOf(shared.driver.agent({ mode: 'cua' }).execute('Do something'));
  expect(failure).toBeInstanceOf(UnsupportedModelError);
  expect(String(failure)).toContain('offline/lexical');
});

test('rejects with MissingLLMConfigurationError when the model has no API key', async () => {
  const model = 'google/gemini-3.8-flash';
  vi.stubEnv('GOOGLE_API_KEY', '').stubEnv('GOOGLE_GENERATIVE_AI_API_KEY', '').stubEnv('GEMINI_API_KEY', '');
  const failure = await failureOf(shared.driver.agent({ mode: 'cua', model }).execute('Do something'));
  vi.unstubAllEnvs();
  expect(failure).toBeInstanceOf(MissingLLMConfigurationError);
});
