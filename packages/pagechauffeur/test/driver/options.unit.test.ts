import { describe, expect, it } from 'vitest';
import { resolveDriverOptions } from '../../src/driver/resolve-driver-options.ts';
import { Driver, DriverEnvironmentError, DriverInvalidArgumentError, type DriverOptions } from '../../src/index.ts';

/** What the constructor throws for these options; undefined when it takes them. */
function refusal(options: unknown): unknown {
  try {
    return void new Driver(options as DriverOptions);
  } catch (error) {
    return error;
  }
}

const OPTIONS_WITH_WRONG_VALUES: readonly [option: string, value: unknown, sentence: RegExp][] = [
  ['apiKey', 5, /must be a string. Received the number 5/],
  ['remoteSessionID', {}, /must be a string. Received a value of type object/],
  ['remoteSessionCreateParams', 'x', /must be an object. Received the string "x"/],
  ['remoteSessionID', '', /must be a non-empty string/],
  [
    'remoteService',
    'other',
    /must be one of chauffeur, browserbase, steel, browserless, cdp. Received the string "other"/,
  ],
  ['remoteBaseURL', 'localhost:4600', /must be a URL such as "https:.*. Received the string "localhost:4600"/],
  ['localBrowserLaunchOptions', [], /must be an object. Received an array of 0/],
  ['localBrowserLaunchOptions', null, /must be an object. Received null/],
  [
    'model',
    42,
    /must be "provider\/model", \{ modelName, … \}, an object with generate\(\), .*. Received the number 42/,
  ],
  ['model', { apiKey: 'key' }, /must be "provider\/model", \{ modelName, … \}/],
  [
    'llmClient',
    true,
    /must be an object with generate\(\), or a model object of the AI SDK. Received the boolean true/,
  ],
  ['llmClient', {}, /must be an object with generate\(\)/],
  ['systemPrompt', ['be kind'], /must be a string. Received an array of 1/],
  ['selfHeal', 'yes', /must be a boolean. Received the string "yes"/],
  ['experimental', 1, /must be a boolean. Received the number 1/],
  ['domSettleTimeout', -1, /must be a number of milliseconds, 0 or more. Received the number -1/],
  ['domSettleTimeout', '30s', /must be a number of milliseconds/],
  ['defaultTimeout', Number.NaN, /must be a number of milliseconds, 0 or more. Received the number NaN/],
  ['cacheDir', '', /must be a non-empty string. Received an empty string/],
  ['cacheQuery', 'some', /must be 'all', 'none' or an array of names. Received the string "some"/],
  ['keepAlive', 0, /must be a boolean. Received the number 0/],
  ['serverCache', null, /must be a boolean. Received null/],
  ['verbose', 3, /must be one of 0, 1, 2. Received the number 3/],
  ['verbose', '1', /must be one of 0, 1, 2. Received the string "1"/],
  ['logInferenceToFile', 'no', /must be a boolean/],
  ['disableLoggerBackend', 'no', /must be a boolean/],
  ['logger', { log: true }, /must be a function. Received a value of type object/],
  ['signal', {}, /must be an AbortSignal. Received a value of type object/],
];

const LAUNCH_OPTIONS_WITH_WRONG_VALUES: readonly [option: string, value: unknown, sentence: RegExp][] = [
  ['headless', 'new', /must be a boolean. Received the string "new"/],
  ['executablePath', '', /must be a non-empty string. Received an empty string/],
  ['executablePath', 1, /must be a string/],
  ['port', '9222', /must be a whole number from 0 to 65535. Received the string "9222"/],
  ['port', 65_536, /must be a whole number from 0 to 65535/],
  ['port', 1.5, /must be a whole number/],
  ['args', '--mute-audio', /must be an array of strings. Received the string "--mute-audio"/],
  ['args', ['--mute-audio', 7], /must be an array of strings. Received an array of 2/],
  ['args', Array.from({ length: 1 }), /must be an array of strings. Received an array of 1/],
  ['args', Object.assign([], { length: 1 }), /must be an array of strings. Received an array of 1/],
  ['ignoreDefaultArgs', 'all', /must be a boolean or an array of strings. Received the string "all"/],
  ['userDataDir', false, /must be a string/],
  ['viewport', 'wide', /must be an object/],
  ['devtools', 'yes', /must be a boolean/],
  ['proxy', 'http://proxy:3128', /must be an object. Received the string/],
  ['ignoreHTTPSErrors', 1, /must be a boolean/],
  ['cdpUrl', 'localhost:9222', /must be a URL such as "ws:.*. Received the string "localhost:9222"/],
  ['cdpUrl', 'ftp://localhost', /must be a URL/],
  ['cdpHeaders', 'Authorization: x', /must be an object/],
  ['cdpHeaders', { authorization: 5 }, /must be an object of strings/],
];

const NESTED_WRONG_VALUES: readonly [option: string, launch: object, sentence: RegExp][] = [
  ['viewport.width', { viewport: { height: 600 } }, /must be a number. Received undefined/],
  ['viewport.height', { viewport: { width: 800, height: 0 } }, /must be a whole number from 1 to/],
  [
    'viewport.width',
    { viewport: { width: '800', height: 600 } },
    /must be a whole number from 1 to .*Received the string "800"/,
  ],
  ['proxy.server', { proxy: {} }, /must be a string such as "http:\/\/proxy:3128". Received undefined/],
  ['proxy.bypass', { proxy: { server: 'http://proxy:1', bypass: ['a'] } }, /must be a string. Received an array of 1/],
  ['proxy.password', { proxy: { server: 'http://proxy:1', password: 5 } }, /must be a string/],
];

describe('new Driver()', () => {
  it.each(OPTIONS_WITH_WRONG_VALUES)(
    'rejects %s = %j with the expected and received value',
    (option, value, sentence) => {
      const error = refusal({ env: 'LOCAL', [option]: value });
      expect(error).toBeInstanceOf(DriverInvalidArgumentError);
      expect(error).toMatchObject({
        argument: option,
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(sentence),
      });
      expect(String(error)).toContain(`${option} must be`);
    },
  );

  it.each(LAUNCH_OPTIONS_WITH_WRONG_VALUES)('rejects localBrowserLaunchOptions.%s = %j', (option, value, sentence) => {
    const error = refusal({ env: 'LOCAL', localBrowserLaunchOptions: { [option]: value } });
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(error).toMatchObject({
      argument: `localBrowserLaunchOptions.${option}`,
      message: expect.stringMatching(sentence),
    });
  });

  it.each(NESTED_WRONG_VALUES)('names %s if it is invalid inside its object', (option, launch, sentence) => {
    const error = refusal({ env: 'LOCAL', localBrowserLaunchOptions: launch });
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(error).toMatchObject({
      argument: `localBrowserLaunchOptions.${option}`,
      message: expect.stringMatching(sentence),
    });
  });

  it.each([
    [{ cachedir: 'x' }, 'cacheDir'],
    [{ domSettleTimeoutMs: 5 }, 'domSettleTimeout'],
    [{ allowedDomain: [] }, 'allowedDomains'],
    [{ localBrowserLaunchOptions: { headles: true } }, 'localBrowserLaunchOptions.headless'],
    [{ localBrowserLaunchOptions: { userDataDirs: 'x' } }, 'localBrowserLaunchOptions.userDataDir'],
    [{ headless: false }, 'localBrowserLaunchOptions.headless'],
    [{ localBrowserLaunchOptions: { downloadsPath: 'x' } }, 'downloadsPath'],
    [{ timeout: 500 }, 'defaultTimeout'],
    [{ browserLaunchOptions: {} }, 'localBrowserLaunchOptions'],
    [{ width: 800 }, 'localBrowserLaunchOptions.viewport.width'],
    [{ snapshot: { budget: 5 } }, 'snapshot.tokenBudget'],
    [{ localBrowserLaunchOptions: { viewport: { width: 8, heigth: 9 } } }, 'localBrowserLaunchOptions.viewport.height'],
    [
      { localBrowserLaunchOptions: { proxy: { server: 'http://p:1', user: 'x' } } },
      'localBrowserLaunchOptions.proxy.username',
    ],
  ])('rejects the misspelt or misplaced %j and suggests a name', (options, meant) => {
    const error = refusal({ env: 'LOCAL', ...options });
    expect(error).toBeInstanceOf(DriverInvalidArgumentError);
    expect(String(error)).toContain(`Did you mean ${meant}?`);
  });

  it('lists all options for a name that resembles none', () => {
    const error = refusal({ env: 'LOCAL', captcha: true });
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'captcha' });
    expect(String(error)).toMatch(/Unknown Driver option captcha\. Known options: .*cacheDir.*verbose\.$/);
  });

  it('accepts any name in objects passed to a provider or service', () => {
    const open = { region: 'eu', nested: { anything: 1 } };
    const options = { env: 'REMOTE', apiKey: 'k', remoteSessionCreateParams: open };
    expect(refusal({ ...options, model: { modelName: 'openai/x', ...open } })).toBeUndefined();
    expect(refusal({ env: 'LOCAL', localBrowserLaunchOptions: { cdpHeaders: { 'x-any': 'y' } } })).toBeUndefined();
  });

  it.each([undefined, null, 'LOCAL', 5])('rejects %j instead of options', (options) => {
    expect(refusal(options)).toBeInstanceOf(DriverInvalidArgumentError);
    expect(String(refusal(options))).toContain('The options of a Driver must be an object');
  });

  // [spec: driver-options.env, errors.DriverEnvironmentError]
  it.each(['local', 'CLOUD', undefined, 1])('rejects the environment %j', (env) => {
    const error = refusal({ env });
    expect(error).toBeInstanceOf(DriverEnvironmentError);
    expect(String(error)).toMatch(/env must be 'LOCAL' or 'REMOTE'. Received /);
  });

  // [spec: driver-options.selfHeal, driver-options.experimental, driver-options.domSettleTimeout]
  // [spec: driver-options.keepAlive, driver-options.serverCache, driver-options.verbose]
  // [spec: driver-options.logInferenceToFile, driver-options.disableLoggerBackend, limits.domSettleTimeout]
  // [spec: versioning.experimental, launch-options.headless, launch-options.devtools]
  // [spec: launch-options.ignoreDefaultArgs, launch-options.ignoreHTTPSErrors]
  it('applies the documented defaults', () => {
    expect(resolveDriverOptions({ env: 'LOCAL' })).toMatchObject({
      selfHeal: true,
      experimental: false,
      domSettleTimeout: 30_000,
      cacheDir: undefined,
      keepAlive: false,
      serverCache: true,
      verbose: 1,
      logInferenceToFile: false,
      disableLoggerBackend: false,
      launch: {
        headless: true,
        port: undefined,
        args: [],
        ignoreDefaultArgs: false,
        userDataDir: undefined,
        viewport: { width: 1280, height: 720 },
        devtools: false,
        ignoreHTTPSErrors: false,
        cdpUrl: undefined,
      },
    });
  });

  // [spec: life-calls.constructor]
  it('accepts every option with a valid value without starting anything', () => {
    const options: DriverOptions = {
      env: 'LOCAL',
      model: 'nonsense without a slash',
      systemPrompt: '',
      selfHeal: false,
      experimental: true,
      domSettleTimeout: 0,
      defaultTimeout: 0,
      keepAlive: true,
      serverCache: false,
      verbose: 0,
      logInferenceToFile: false,
      disableLoggerBackend: true,
      logger: () => undefined,
      signal: new AbortController().signal,
      localBrowserLaunchOptions: {
        port: 0,
        args: [],
        ignoreDefaultArgs: ['--mute-audio'],
        viewport: { width: 1, height: 1 },
        proxy: { server: 'x:1' },
      },
    };
    expect(refusal(options)).toBeUndefined();
    expect(new Driver(options).remoteSessionID).toBeUndefined();
  });
});
