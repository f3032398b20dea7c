import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { boundArguments, hasOwnProxy } from './bound-arguments.ts';

/** The default arguments of the specification, in its order. */
const SPECIFIED_ARGUMENTS = [
  '--remote-allow-origins=*',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  '--site-per-process',
];

/**
 * Additional defaults. Most disable background work that an automated browser does not need and that
 * stalls on a closed network. The rest keep timers and rendering active in background windows.
 * Measured on Chromium 156: the two address bar popups are preloaded pages, which take half of the processor time
 * of a start. `RenderDocument`, a new host for each document of a site, takes a quarter of a navigation.
 * `TabHoverCardImages` captures each page that becomes inactive. With `IsolateSandboxedIframes`, the scripts of a
 * sandboxed `srcdoc` frame run before a session is attached: before init scripts, key guards and the domain policy.
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
  '--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,InterestFeedContentSuggestions,AutofillServerCommunication,NetworkTimeServiceQuerying,RenderDocument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,TabHoverCardImages,IsolateSandboxedIframes',
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

/**
 * Viewport in headless mode, in CSS pixels. The same as Playwright's: most pages show their desktop layout at this
 * width.
 */
export const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

const HEADLESS_ARGUMENTS = [
  '--hide-scrollbars',
  '--mute-audio',
  `--window-size=${DEFAULT_VIEWPORT.width},${DEFAULT_VIEWPORT.height}`,
];

const DISABLE_FEATURES = '--disable-features=';

/** Settings that determine a browser's arguments. */
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
  /** A policy for the lifetime of the browser. */
  readonly domainPolicy: DomainPolicy | undefined;
  /** Port of the name relay. If undefined, the browser resolves names itself. */
  readonly relayPort?: number | undefined;
  readonly isRoot: boolean;
}

/**
 * Returns all arguments: the defaults (without ignored ones), then those for the options, then the user's, because a
 * browser uses the last value. A URL in the user's arguments replaces the empty start page.
 */
export function browserArguments(settings: ArgumentSettings): string[] {
  const { args } = settings;
  const own = [...withoutIgnored(defaultArguments(settings), settings), ...requiredArguments(settings)];
  const addresses = args.some((argument) => !argument.startsWith('-')) ? [] : ['about:blank'];
  return [...withOneFeatureList(own, args), ...addresses];
}

function defaultArguments({ ignoreDefaultArgs, headless, isRoot }: ArgumentSettings): string[] {
  // Headless mode is not affected by `ignoreDefaultArgs`, because it has its own option.
  const shown = headless ? ['--headless=new'] : [];
  if (ignoreDefaultArgs === true) return shown;
  const forHeadless = headless ? HEADLESS_ARGUMENTS : [];
  return [...SPECIFIED_ARGUMENTS, ...FURTHER_ARGUMENTS, ...shown, ...forHeadless, ...(isRoot ? ['--no-sandbox'] : [])];
}

function withoutIgnored(defaults: readonly string[], { ignoreDefaultArgs }: ArgumentSettings): string[] {
  const ignored = new Set(typeof ignoreDefaultArgs === 'boolean' ? [] : ignoreDefaultArgs);
  return defaults.filter((argument) => !ignored.has(argument));
}

/**
 * Combines all `--disable-features` arguments, because a browser uses only the last one, and it overrides
 * `--enable-features`. The result has our features and the user's, without those that the user enables.
 */
function withOneFeatureList(own: readonly string[], args: readonly string[]): string[] {
  const ours = featuresOf(own, DISABLE_FEATURES);
  const users = featuresOf(args, DISABLE_FEATURES);
  const enabled = new Set(featuresOf(args, '--enable-features='));
  const kept = ours.filter((feature) => !enabled.has(feature));
  if (users.length === 0 && kept.length === ours.length) return [...own, ...args];
  return [...own, ...args, `${DISABLE_FEATURES}${[...kept, ...users].join(',')}`];
}

/** Returns the feature names of all arguments with this prefix, without suffixes for trials and parameters. */
function featuresOf(args: readonly string[], prefix: string): string[] {
  return args
    .filter((argument) => argument.startsWith(prefix))
    .flatMap((argument) => argument.slice(prefix.length).split(','))
    .map((feature) => feature.replace(/[<:].*/, ''));
}

function requiredArguments(settings: ArgumentSettings): string[] {
  const {
    port = 0,
    userDataDir,
    viewport,
    devtools,
    proxy,
    ignoreHTTPSErrors,
    domainPolicy,
    relayPort,
    args,
  } = settings;
  const required = [`--remote-debugging-port=${port}`, `--user-data-dir=${userDataDir}`];
  if (viewport && viewport !== DEFAULT_VIEWPORT) required.push(`--window-size=${viewport.width},${viewport.height}`);
  if (devtools) required.push('--auto-open-devtools-for-tabs');
  if (proxy) required.push(`--proxy-server=${proxy.server}`);
  if (proxy?.bypass) required.push(`--proxy-bypass-list=${proxy.bypass}`);
  if (ignoreHTTPSErrors) required.push('--ignore-certificate-errors');
  if (domainPolicy)
    required.push(
      ...boundArguments(domainPolicy, proxy?.server, { hasOtherProxy: hasOwnProxy(args, process.env), relayPort }),
    );
  return required;
}
