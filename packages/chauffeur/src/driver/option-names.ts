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

/** Throws when an option of a driver is misspelt. */
export function checkOptionNames(options: DriverOptions): void {
  checkSpelling(Object.keys(options), new Set(Object.keys(DRIVER_OPTIONS)));
  const launch: unknown = options.localBrowserLaunchOptions;
  if (isRecord(launch))
    checkSpelling(Object.keys(launch), new Set(Object.keys(LAUNCH_OPTIONS)), 'localBrowserLaunchOptions.');
}
