import { DriverInvalidArgumentError } from '../errors.ts';
import { closestName } from '../util/nearest-name.ts';
import { isRecord } from '../util/is-record.ts';
import type { DriverOptions, LocalBrowserLaunchOptions } from './driver-options.ts';

type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

const DRIVER_OPTIONS: NamesOf<DriverOptions> = {
  acceptDownloads: true,
  allowedDomains: true,
  apiKey: true,
  blockedDomains: true,
  cacheDir: true,
  cacheQuery: true,
  defaultTimeout: true,
  disableLoggerBackend: true,
  domSettleTimeout: true,
  downloadsPath: true,
  env: true,
  experimental: true,
  keepAlive: true,
  llmClient: true,
  localBrowserLaunchOptions: true,
  logInferenceToFile: true,
  logger: true,
  model: true,
  remoteBaseURL: true,
  remoteService: true,
  remoteSessionCreateParams: true,
  remoteSessionID: true,
  selfHeal: true,
  serverCache: true,
  signal: true,
  snapshot: true,
  systemPrompt: true,
  verbose: true,
};

const LAUNCH_OPTIONS: NamesOf<LocalBrowserLaunchOptions> = {
  args: true,
  cdpHeaders: true,
  cdpUrl: true,
  devtools: true,
  executablePath: true,
  headless: true,
  ignoreDefaultArgs: true,
  ignoreHTTPSErrors: true,
  port: true,
  proxy: true,
  userDataDir: true,
  viewport: true,
};

const VIEWPORT_OPTIONS: NamesOf<NonNullable<LocalBrowserLaunchOptions['viewport']>> = { width: true, height: true };
const PROXY_OPTIONS: NamesOf<NonNullable<LocalBrowserLaunchOptions['proxy']>> = {
  server: true,
  bypass: true,
  username: true,
  password: true,
};
const SNAPSHOT_OPTIONS: NamesOf<NonNullable<DriverOptions['snapshot']>> = { tokenBudget: true };

/**
 * Valid option names by path. `model`, `llmClient` and `remoteSessionCreateParams` are absent, because providers and
 * services define their fields. `cdpHeaders` may have any names.
 */
const NAMES_BY_PATH: readonly (readonly [path: readonly string[], names: readonly string[]])[] = [
  [[], Object.keys(DRIVER_OPTIONS)],
  [['snapshot'], Object.keys(SNAPSHOT_OPTIONS)],
  [['localBrowserLaunchOptions'], Object.keys(LAUNCH_OPTIONS)],
  [['localBrowserLaunchOptions', 'viewport'], Object.keys(VIEWPORT_OPTIONS)],
  [['localBrowserLaunchOptions', 'proxy'], Object.keys(PROXY_OPTIONS)],
];

/** Throws for the first unknown option, with the closest known name as a suggestion. */
export function checkOptionNames(options: DriverOptions): void {
  for (const [path, known] of NAMES_BY_PATH) {
    const unknown = Object.keys(valueAt(options, path)).find((name) => !known.includes(name));
    if (unknown !== undefined) throw unknownOption([...path, unknown], known);
  }
}

/** Returns `{}` for a missing or invalid object, whose type is checked elsewhere. */
function valueAt(options: DriverOptions, path: readonly string[]): object {
  let value: unknown = options;
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return isRecord(value) ? value : {};
}

function unknownOption(path: readonly string[], known: readonly string[]): DriverInvalidArgumentError {
  const argument = path.join('.');
  const name = path.at(-1) ?? '';
  const [elsewhere] = NAMES_BY_PATH.filter(([, names]) => names.includes(name)).map(([parent]) => [...parent, name]);
  const closest = closestName(name, known);
  const suggestion = elsewhere ?? (closest === undefined ? undefined : [...path.slice(0, -1), closest]);
  const advice =
    suggestion === undefined ? `Known options: ${known.join(', ')}.` : `Did you mean ${suggestion.join('.')}?`;
  return new DriverInvalidArgumentError(`Unknown Driver option ${argument}. ${advice}`, { argument });
}
