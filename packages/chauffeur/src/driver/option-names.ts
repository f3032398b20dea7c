import { DriverInvalidArgumentError } from '../errors.ts';
import { checkSpelling } from '../util/check-argument.ts';
import { isRecord } from '../util/is-record.ts';
import type { DriverOptions, LocalBrowserLaunchOptions } from './driver-options.ts';

const DRIVER_OPTIONS: Readonly<Record<keyof DriverOptions, true>> = {
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

const LAUNCH_OPTIONS: Readonly<Record<keyof LocalBrowserLaunchOptions, true>> = {
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

const LAUNCH = 'localBrowserLaunchOptions.';

/** Throws when an option of a driver is misspelt, or stands where it has no effect. */
export function checkOptionNames(options: DriverOptions): void {
  const launch: unknown = options.localBrowserLaunchOptions;
  const launchNames = isRecord(launch) ? Object.keys(launch) : [];
  const known = new Set(Object.keys(DRIVER_OPTIONS));
  const knownOfLaunch = new Set(Object.keys(LAUNCH_OPTIONS));
  checkSpelling(Object.keys(options), known);
  checkSpelling(launchNames, knownOfLaunch, LAUNCH);
  const astray = Object.keys(options).find((name) => !known.has(name) && knownOfLaunch.has(name));
  if (astray !== undefined) throw misplaced(astray, `${LAUNCH}${astray}`);
  const outer = launchNames.find((name) => !knownOfLaunch.has(name) && known.has(name));
  if (outer !== undefined) throw misplaced(`${LAUNCH}${outer}`, outer);
}

function misplaced(argument: string, meant: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(`${argument} has no effect there. Did you mean ${meant}?`, { argument });
}
