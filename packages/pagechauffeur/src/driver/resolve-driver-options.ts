import type { CountedParameters } from '../cache/cache-key.ts';
import { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { DriverEnvironmentError, DriverInvalidArgumentError } from '../errors.ts';
import { DEFAULT_VIEWPORT } from '../launch/default-arguments.ts';
import { type ProxySettings, proxySettings } from '../launch/proxy-settings.ts';
import { isModelConfiguration, isModelObject, type ModelConfiguration } from '../model/model-configuration.ts';
import { REMOTE_SERVICES, type RemoteServiceName } from '../remote/open-service.ts';
import { checkTokenBudget } from '../snapshot/snapshot.ts';
import { describeValue } from '../util/check-argument.ts';
import { isArrayOf } from '../util/is-array-of.ts';
import type { Logger, LogLevel } from '../util/log.ts';
import type { DriverOptions, LocalBrowserLaunchOptions } from './driver-options.ts';
import { checkOptionNames } from './option-names.ts';

/** Validated driver options. */
export interface ResolvedDriverOptions {
  readonly env: 'LOCAL' | 'REMOTE';
  readonly remote: ResolvedRemoteOptions;
  readonly launch: ResolvedLaunchOptions;
  readonly model: ModelConfiguration | undefined;
  readonly systemPrompt: string | undefined;
  readonly selfHeal: boolean;
  readonly experimental: boolean;
  readonly domSettleTimeout: number;
  readonly defaultTimeout: number;
  /** Approximate tokens of page text above which repeated content is folded. */
  readonly tokenBudget: number;
  readonly domainPolicy: DomainPolicy | undefined;
  readonly cacheDir: string | undefined;
  readonly cacheQuery: CountedParameters;
  readonly downloadsPath: string | undefined;
  /** Undefined: true for browsers that the driver starts, unchanged for others. */
  readonly acceptDownloads: boolean | undefined;
  readonly keepAlive: boolean;
  readonly serverCache: boolean;
  readonly verbose: LogLevel;
  readonly logInferenceToFile: boolean;
  readonly disableLoggerBackend: boolean;
  readonly logger: Logger | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Missing values come from the environment or the platform. */
export interface ResolvedRemoteOptions {
  readonly service: RemoteServiceName;
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
  readonly sessionId: string | undefined;
  readonly createParameters: Readonly<Record<string, unknown>>;
  /** Undefined: the setting of the session applies. */
  readonly keepAlive: boolean | undefined;
}

export interface ResolvedLaunchOptions {
  readonly headless: boolean;
  readonly executablePath: string | undefined;
  readonly port: number | undefined;
  readonly args: readonly string[];
  readonly ignoreDefaultArgs: boolean | readonly string[];
  readonly userDataDir: string | undefined;
  readonly viewport: { readonly width: number; readonly height: number } | undefined;
  readonly devtools: boolean;
  readonly proxy: ProxySettings | undefined;
  readonly ignoreHTTPSErrors: boolean;
  readonly cdpUrl: string | undefined;
  readonly cdpHeaders: Readonly<Record<string, string>>;
}

/** Validates the user's options and fills in most defaults. */
export function resolveDriverOptions(options: DriverOptions): ResolvedDriverOptions {
  const given = new GivenOptions(options, '');
  if (options.env !== 'LOCAL' && options.env !== 'REMOTE') {
    throw new DriverEnvironmentError(`env must be 'LOCAL' or 'REMOTE'. Received ${describeValue(options.env)}.`);
  }
  checkOptionNames(options);
  return {
    env: options.env,
    remote: resolveRemoteOptions(options, given),
    launch: resolveLaunchOptions(given.check('localBrowserLaunchOptions', 'object') ?? {}),
    model: checkModel(options),
    systemPrompt: given.check('systemPrompt', 'string'),
    selfHeal: given.check('selfHeal', 'boolean') ?? true,
    experimental: given.check('experimental', 'boolean') ?? false,
    domSettleTimeout: given.milliseconds('domSettleTimeout') ?? 30_000,
    defaultTimeout: given.milliseconds('defaultTimeout') ?? 30_000,
    tokenBudget: tokenBudgetOf(given.check('snapshot', 'object')) ?? 6500,
    domainPolicy: domainPolicyOf(options),
    cacheDir: given.filled('cacheDir'),
    cacheQuery: checkCacheQuery(options, given),
    downloadsPath: given.filled('downloadsPath'),
    acceptDownloads: given.check('acceptDownloads', 'boolean'),
    keepAlive: given.check('keepAlive', 'boolean') ?? false,
    serverCache: given.check('serverCache', 'boolean') ?? true,
    verbose: given.oneOf('verbose', [0, 1, 2]) ?? 1,
    logInferenceToFile: given.check('logInferenceToFile', 'boolean') ?? false,
    disableLoggerBackend: given.check('disableLoggerBackend', 'boolean') ?? false,
    logger: given.check('logger', 'function'),
    signal: given.signal('signal'),
  };
}

function resolveRemoteOptions(options: DriverOptions, given: GivenOptions<DriverOptions>): ResolvedRemoteOptions {
  const createParameters = given.check('remoteSessionCreateParams', 'object') ?? {};
  if (!isJson(createParameters)) given.wrong('remoteSessionCreateParams', 'an object of JSON data');
  new GivenOptions<{ keepAlive?: unknown }>(createParameters, 'remoteSessionCreateParams.').check(
    'keepAlive',
    'boolean',
  );
  const service = given.oneOf('remoteService', REMOTE_SERVICES) ?? 'chauffeur';
  return {
    service,
    apiKey: given.check('apiKey', 'string'),
    baseUrl: checkBaseUrl(given, service),
    sessionId: given.filled('remoteSessionID'),
    createParameters,
    keepAlive: options.keepAlive,
  };
}

function isJson(value: object): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    // Cyclic, or a value without JSON representation. The caller throws the error.
    return false;
  }
}

function checkBaseUrl(given: GivenOptions<DriverOptions>, service: RemoteServiceName): string | undefined {
  const url = given.check('remoteBaseURL', 'string');
  const scheme = service === 'cdp' ? /^(https?|wss?):\/\/./i : /^https?:\/\/./i;
  if (url === undefined || (scheme.test(url) && URL.canParse(url))) return url;
  return given.wrong('remoteBaseURL', 'a URL such as "https://browsers.example.com"');
}

function resolveLaunchOptions(options: LocalBrowserLaunchOptions): ResolvedLaunchOptions {
  const given = new GivenOptions(options, 'localBrowserLaunchOptions.');
  const headless = given.check('headless', 'boolean') ?? true;
  const args = given.strings('args') ?? [];
  const cdpUrl = checkCdpUrl(given);
  // Visible windows, windows sized by an argument, and browsers of other programs keep their size.
  const keepsSize = !headless || cdpUrl !== undefined || args.some((argument) => argument.startsWith('--window-size='));
  return {
    headless,
    executablePath: given.filled('executablePath'),
    port: given.integer('port', 0, 65_535),
    args,
    ignoreDefaultArgs:
      typeof options.ignoreDefaultArgs === 'boolean'
        ? options.ignoreDefaultArgs
        : (given.strings('ignoreDefaultArgs', 'a boolean or an array of strings') ?? false),
    userDataDir: given.filled('userDataDir'),
    viewport: checkViewport(given) ?? (keepsSize ? undefined : DEFAULT_VIEWPORT),
    devtools: given.check('devtools', 'boolean') ?? false,
    proxy: checkProxy(given),
    ignoreHTTPSErrors: given.check('ignoreHTTPSErrors', 'boolean') ?? false,
    cdpUrl,
    cdpHeaders: checkHeaders(given),
  };
}

function checkCacheQuery({ cacheQuery }: DriverOptions, given: GivenOptions<DriverOptions>): CountedParameters {
  if (cacheQuery === 'all' || cacheQuery === 'none') return cacheQuery;
  return given.strings('cacheQuery', "'all', 'none' or an array of names") ?? 'all';
}

function checkModel({ model, llmClient }: DriverOptions): ModelConfiguration | undefined {
  const forms = [
    {
      argument: 'model',
      value: model,
      isForm: isModelConfiguration,
      expected: `"provider/model", { modelName, … }, ${OBJECTS}`,
    },
    { argument: 'llmClient', value: llmClient, isForm: isModelObject, expected: OBJECTS },
  ];
  for (const { argument, value, isForm, expected } of forms) {
    if (value === undefined || isForm(value)) continue;
    throw new DriverInvalidArgumentError(`${argument} must be ${expected}. Received ${describeValue(value)}.`, {
      argument,
    });
  }
  return model ?? llmClient;
}

const OBJECTS = 'an object with generate(), or a model object of the AI SDK';

function tokenBudgetOf(snapshot: DriverOptions['snapshot']): number | undefined {
  checkTokenBudget('snapshot.tokenBudget', snapshot?.tokenBudget);
  return snapshot?.tokenBudget;
}

function domainPolicyOf({ allowedDomains, blockedDomains }: DriverOptions): DomainPolicy | undefined {
  if (allowedDomains === undefined && blockedDomains === undefined) return undefined;
  return new DomainPolicy({
    ...(allowedDomains === undefined ? {} : { allowedDomains }),
    ...(blockedDomains === undefined ? {} : { blockedDomains }),
  });
}

function checkViewport(given: GivenOptions<LocalBrowserLaunchOptions>): ResolvedLaunchOptions['viewport'] {
  const viewport = given.check('viewport', 'object');
  if (viewport === undefined) return undefined;
  const size = new GivenOptions(viewport, 'localBrowserLaunchOptions.viewport.');
  return {
    width: size.integer('width', 1, 10_000_000) ?? size.missing('width', 'a number'),
    height: size.integer('height', 1, 10_000_000) ?? size.missing('height', 'a number'),
  };
}

function checkProxy(given: GivenOptions<LocalBrowserLaunchOptions>): ProxySettings | undefined {
  const proxy = given.check('proxy', 'object');
  if (proxy === undefined) return undefined;
  const parts = new GivenOptions(proxy, 'localBrowserLaunchOptions.proxy.');
  if (parts.check('server', 'string') === undefined) parts.missing('server', 'a string such as "http://proxy:3128"');
  for (const part of ['bypass', 'username', 'password'] as const) parts.check(part, 'string');
  return proxySettings(proxy);
}

function checkHeaders(given: GivenOptions<LocalBrowserLaunchOptions>): Readonly<Record<string, string>> {
  const headers = given.check('cdpHeaders', 'object') ?? {};
  return Object.values(headers).every((value) => typeof value === 'string')
    ? headers
    : given.wrong('cdpHeaders', 'an object of strings');
}

function checkCdpUrl(given: GivenOptions<LocalBrowserLaunchOptions>): string | undefined {
  const url = given.check('cdpUrl', 'string');
  if (url === undefined || (/^(wss?|https?):\/\/./i.test(url) && URL.canParse(url))) return url;
  return given.wrong('cdpUrl', 'a URL such as "ws://127.0.0.1:9222/devtools/browser/…" or "http://127.0.0.1:9222"');
}

interface TypeByName {
  string: string;
  boolean: boolean;
  object: object;
  function: (...args: never[]) => unknown;
}

/**
 * Reads options and checks their types. Errors name an option with its path, such as `localBrowserLaunchOptions.port`.
 */
class GivenOptions<T extends object> {
  readonly #options: T;
  readonly #prefix: string;

  constructor(options: T, prefix: string) {
    if (typeof options !== 'object' || options === null) {
      throw new DriverInvalidArgumentError(
        `${prefix.slice(0, -1) || 'The options of a Driver'} must be an object. Received ${describeValue(options)}.`,
        { argument: prefix.slice(0, -1) || 'options' },
      );
    }
    this.#options = options;
    this.#prefix = prefix;
  }

  check<K extends keyof T & string>(name: K, type: keyof TypeByName): T[K] | undefined {
    const value = this.#options[name];
    if (value === undefined) return undefined;
    const fits =
      type === 'object' ? typeof value === 'object' && value !== null && !Array.isArray(value) : typeof value === type;
    return fits ? value : this.wrong(name, type === 'object' ? 'an object' : `a ${type}`);
  }

  oneOf<K extends keyof T & string>(name: K, allowed: readonly T[K][]): T[K] | undefined {
    const value = this.#options[name];
    if (value === undefined || allowed.includes(value)) return value;
    return this.wrong(name, `one of ${allowed.join(', ')}`);
  }

  milliseconds(name: keyof T & string): number | undefined {
    const value = this.#options[name];
    if (value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value)))
      return value as number | undefined;
    return this.wrong(name, 'a number of milliseconds, 0 or more');
  }

  integer(name: keyof T & string, least: number, most: number): number | undefined {
    const value = this.#options[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.wrong(name, `a whole number from ${least} to ${most}`);
  }

  /** Rejects the empty string. */
  filled<K extends keyof T & string>(name: K): T[K] | undefined {
    const value = this.check(name, 'string');
    return value === '' ? this.wrong(name, 'a non-empty string') : value;
  }

  strings(name: keyof T & string, expected = 'an array of strings'): readonly string[] | undefined {
    const value: unknown = this.#options[name];
    if (value === undefined) return undefined;
    if (isArrayOf(value, (entry) => typeof entry === 'string')) return value;
    return this.wrong(name, expected);
  }

  signal(name: keyof T & string): AbortSignal | undefined {
    const value: unknown = this.#options[name];
    if (value === undefined || value instanceof AbortSignal) return value;
    return this.wrong(name, 'an AbortSignal');
  }

  missing(name: keyof T & string, expected: string): never {
    return this.wrong(name, expected);
  }

  wrong(name: keyof T & string, expected: string): never {
    const argument = this.#prefix + name;
    throw new DriverInvalidArgumentError(
      `${argument} must be ${expected}. Received ${describeValue(this.#options[name])}.`,
      { argument },
    );
  }
}
