/** The arguments that the specification names, in its order. */
const SPECIFIED_ARGUMENTS = [
  '--remote-allow-origins=*',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  '--site-per-process',
];

/**
 * Defaults of our own. Most stop work in the background that a driven browser has no use for and that
 * stalls on a closed network; the rest keep timers and rendering running in windows that are not in front.
 */
const FURTHER_ARGUMENTS = [
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,InterestFeedContentSuggestions,AutofillServerCommunication,NetworkTimeServiceQuerying',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-quic',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--enable-automation',
  '--export-tagged-pdf',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** What decides the arguments of a browser. */
export interface ArgumentSettings {
  readonly headless: boolean;
  readonly port: number | undefined;
  readonly args: readonly string[];
  readonly ignoreDefaultArgs: boolean | readonly string[];
  readonly userDataDir: string;
  readonly viewport: { readonly width: number; readonly height: number } | undefined;
  readonly devtools: boolean;
  readonly proxy: { readonly server: string; readonly bypass?: string } | undefined;
  readonly ignoreHTTPSErrors: boolean;
  readonly isRoot: boolean;
}

/** The whole command line: defaults (less those ignored), what the options ask for, then the user's own arguments. */
export function browserArguments(settings: ArgumentSettings): string[] {
  return [...defaultArguments(settings), ...requiredArguments(settings), ...settings.args, 'about:blank'];
}

function defaultArguments({ ignoreDefaultArgs, headless, isRoot }: ArgumentSettings): string[] {
  if (ignoreDefaultArgs === true) return [];
  const ignored = new Set(ignoreDefaultArgs === false ? [] : ignoreDefaultArgs);
  const defaults = [...SPECIFIED_ARGUMENTS, ...FURTHER_ARGUMENTS];
  if (headless) defaults.push('--headless=new', '--hide-scrollbars', '--mute-audio');
  if (isRoot) defaults.push('--no-sandbox');
  return defaults.filter((argument) => !ignored.has(argument));
}

function requiredArguments(settings: ArgumentSettings): string[] {
  const { port = 0, userDataDir, viewport, devtools, proxy, ignoreHTTPSErrors } = settings;
  const required = [`--remote-debugging-port=${port}`, `--user-data-dir=${userDataDir}`];
  if (viewport) required.push(`--window-size=${viewport.width},${viewport.height}`);
  if (devtools) required.push('--auto-open-devtools-for-tabs');
  if (proxy) required.push(`--proxy-server=${proxy.server}`);
  if (proxy?.bypass) required.push(`--proxy-bypass-list=${proxy.bypass}`);
  if (ignoreHTTPSErrors) required.push('--ignore-certificate-errors');
  return required;
}
