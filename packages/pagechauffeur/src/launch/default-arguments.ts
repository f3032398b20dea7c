import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { boundArguments, hasOwnProxy } from './bound-arguments.ts';

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
 * Measured on Chromium 156: the two popups of the address bar are pages that it loads ahead of their use, half of all
 * processor time of a start; `RenderDocument`, a new host for each document of a site, is a quarter of a navigation;
 * `TabHoverCardImages` takes a picture of each page that stops being the active one.
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
  '--disable-features=BackForwardCache,Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AcceptCHFrame,InterestFeedContentSuggestions,AutofillServerCommunication,NetworkTimeServiceQuerying,RenderDocument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,TabHoverCardImages',
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

/** The viewport of pages in headless mode, in CSS pixels. As in Playwright: most pages show their desktop layout at this width. */
export const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

const HEADLESS_ARGUMENTS = [
  '--hide-scrollbars',
  '--mute-audio',
  `--window-size=${DEFAULT_VIEWPORT.width},${DEFAULT_VIEWPORT.height}`,
];

const DISABLE_FEATURES = '--disable-features=';

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
  /** Holds as long as the browser runs. */
  readonly domainPolicy: DomainPolicy | undefined;
  /** Port of the name relay. Default: the browser resolves names itself. */
  readonly relayPort?: number | undefined;
  readonly isRoot: boolean;
}

/**
 * The whole command line: defaults (less those ignored), what the options ask for, then the user's own arguments, of
 * which a browser heeds the last. A user who names an address to open gets that in place of an empty page.
 */
export function browserArguments(settings: ArgumentSettings): string[] {
  const { args } = settings;
  const own = [...withoutIgnored(defaultArguments(settings), settings), ...requiredArguments(settings)];
  const addresses = args.some((argument) => !argument.startsWith('-')) ? [] : ['about:blank'];
  return [...withOneFeatureList(own, args), ...addresses];
}

function defaultArguments({ ignoreDefaultArgs, headless, isRoot }: ArgumentSettings): string[] {
  // How the browser is shown is an option of its own; everything else of these is a default.
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
 * A browser heeds only the last `--disable-features`, and lets it win over `--enable-features`. So that the user's word
 * counts and ours is not lost, the last one names ours and the user's, less what the user enables.
 */
function withOneFeatureList(own: readonly string[], args: readonly string[]): string[] {
  const ours = featuresOf(own, DISABLE_FEATURES);
  const users = featuresOf(args, DISABLE_FEATURES);
  const enabled = new Set(featuresOf(args, '--enable-features='));
  const kept = ours.filter((feature) => !enabled.has(feature));
  if (users.length === 0 && kept.length === ours.length) return [...own, ...args];
  return [...own, ...args, `${DISABLE_FEATURES}${[...kept, ...users].join(',')}`];
}

/** The names in all lists of a kind, less the trials and parameters that may follow a name. */
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
