import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as chauffeur from '../../src/index.ts';
import { Driver, DriverError } from '../../src/index.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

const SPECIFIED = [
  'DriverError',
  'SchemaValidationError',
  'DriverDomProcessError',
  'DriverEvalError',
  'DriverIframeError',
  'ContentFrameNotFoundError',
  'XPathResolutionError',
  'DriverShadowRootMissingError',
  'LLMResponseError',
  'MissingLLMConfigurationError',
  'UnsupportedModelError',
  'InvalidSdkModelFormatError',
  'DriverElementNotFoundError',
  'DriverClickError',
  'DriverInitError',
  'DriverNotInitializedError',
  'RemoteSessionNotFoundError',
  'MissingEnvironmentVariableError',
  'DriverEnvironmentError',
] as const;
/** What the specification leaves unnamed. */
const FURTHER = [
  'DriverInvalidArgumentError',
  'DriverTimeoutError',
  'ActTimeoutError',
  'ObserveTimeoutError',
  'ExtractTimeoutError',
  'DriverAbortError',
  'AgentAbortError',
  'DriverNavigationError',
  'DriverClosedError',
  'DriverPageNotFoundError',
  'DriverElementNotVisibleError',
  'DriverLocatorError',
  'DriverCookieError',
  'DriverDomainPolicyError',
  'DriverHTTPHeadersError',
  'DriverUnsupportedFeatureError',
  'ExperimentalFeatureError',
] as const;

// [spec: errors.DriverError, errors.RemoteSessionNotFoundError]
test.each([...SPECIFIED, ...FURTHER])('%s is exported, extends DriverError and has its own name', (name) => {
  const ErrorClass = Reflect.get(chauffeur, name) as new (message: string, facts: object) => DriverError;
  const error = new ErrorClass('what happened', {
    issues: [],
    value: null,
    selector: 's',
    selectors: [],
    xpath: 'x',
    model: 'm',
    variable: 'V',
    cause: 'why',
  });
  expect(error).toBeInstanceOf(DriverError);
  expect(error).toMatchObject({ name, message: 'what happened', cause: 'why' });
  expect(error.code).toMatch(/^[A-Z_]+$/);
});

describe('errors in a page', () => {
  let server: TestServer;
  let started: TestDriver;
  const silent = new ScriptedModel([]);

  beforeAll(async () => {
    server = await serve({
      '/': `<title>Page</title><button>Save</button><div id="plain"></div><iframe id="gone" src="/child"></iframe>`,
      '/child': '<title>Child</title><button>Inside</button>',
    });
    started = await startDriver({ llmClient: silent, selfHeal: false });
    await started.page.goto(server.origin, { waitUntil: 'load' });
  });

  afterAll(async () => {
    await started?.driver.close();
    await server?.close();
  });

  const click = (selector: string) => started.driver.act({ selector, description: '', method: 'click', arguments: [] });

  // [spec: errors.DriverEvalError]
  test('JavaScript that throws in the page rejects with a DriverEvalError that has its message and stack', async () => {
    const failure = started.page.evaluate('(() => { throw new TypeError("no such mug") })()');
    await expect(failure).rejects.toMatchObject({
      name: 'DriverEvalError',
      code: 'EVAL',
      message: expect.stringMatching(/TypeError: no such mug\n\s+at /) as string,
    });
  });

  // [spec: errors.XPathResolutionError]
  test('a limiting XPath that matches nothing throws an XPathResolutionError', async () => {
    await expect(started.driver.extract({ selector: '/html/body/main' })).rejects.toMatchObject({
      name: 'XPathResolutionError',
      xpath: '/html/body/main',
    });
    await expect(started.driver.observe({ selector: 'xpath=//main[' })).rejects.toMatchObject({
      name: 'XPathResolutionError',
    });
  });

  // [spec: errors.XPathResolutionError]
  test('act throws an XPathResolutionError for an invalid XPath', async () => {
    await expect(click('xpath=//button[')).rejects.toMatchObject({
      name: 'XPathResolutionError',
      xpath: 'xpath=//button[',
    });
  });

  // [spec: errors.DriverShadowRootMissingError]
  test('a path into a missing shadow root throws a DriverShadowRootMissingError', async () => {
    await expect(click('xpath=/html[1]/body[1]/div[1]//button[1]')).rejects.toMatchObject({
      name: 'DriverShadowRootMissingError',
    });
  });

  test('a frame removed during a wait for its element is searched again, then reported as not found', async () => {
    await started.page.evaluate("setTimeout(() => document.querySelector('#gone').remove(), 400)");
    const failure = started.page.locator('#gone >> text=Never there').click({ timeout: 1500 });
    await expect(failure).rejects.toMatchObject({
      name: 'DriverElementNotFoundError',
      selectors: ['#gone >> text=Never there'],
    });
  });

  const long = 'y'.repeat(100_000);
  test.each<[string, () => Promise<unknown>]>([
    ['an instruction', () => started.driver.act(long, { model: 'offline/lexical' })],
    ['a selector', () => started.page.locator(`#${long}`).click({ timeout: 100 })],
    ['an invalid selector', () => started.page.locator(`##${long}`).click({ timeout: 100 })],
    ['a text to search', () => started.page.getByText(long).click({ timeout: 100 })],
    ['a key', () => started.page.keyboard.press(long)],
    ['a method', () => started.driver.act({ selector: 'body', description: '', method: long, arguments: [] })],
  ])('the message shortens %s of 100,000 characters', async (_what, call) => {
    const result = (await call().catch((error: unknown) => error)) as { message: string };
    expect(result.message).toContain('more characters)');
    expect(result.message.length).toBeLessThan(3000);
  });

  // [spec: errors.InvalidSdkModelFormatError, versioning.model-format]
  test('a model string without a provider throws an InvalidSdkModelFormatError when the verb runs', async () => {
    await expect(started.driver.act('save', { model: 'gpt' })).rejects.toMatchObject({
      name: 'InvalidSdkModelFormatError',
      model: 'gpt',
    });
  });

  // [spec: errors.UnsupportedModelError]
  test('an unknown provider throws an UnsupportedModelError', async () => {
    await expect(started.driver.extract('the title', undefined, { model: 'nobody/knows' })).rejects.toMatchObject({
      name: 'UnsupportedModelError',
      model: 'nobody/knows',
    });
  });

  // [spec: errors.MissingLLMConfigurationError, authentication.missing-key]
  test('a driver without a model says which variables to set and names the offline model', async () => {
    const names = [
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'GEMINI_API_KEY',
    ];
    const kept = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) delete process.env[name];
    const bare = new Driver({
      env: 'LOCAL',
      disableLoggerBackend: true,
      localBrowserLaunchOptions: { cdpUrl: started.driver.connectURL() },
    });
    try {
      await bare.init();
      await expect(bare.act('save')).rejects.toThrow(
        /OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_API_KEY.*offline\/lexical/,
      );
      await expect(bare.observe('save')).rejects.toMatchObject({ name: 'MissingLLMConfigurationError' });
      expect((await bare.extract()).pageText).toContain('button "Save"');
    } finally {
      await bare.close();
      for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
    }
  });
});
