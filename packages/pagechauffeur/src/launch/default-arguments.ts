import type { DomainPolicy } from '../cdp/network/domain-policy.ts';
import { boundArguments, hasOwnProxy } from './bound-arguments.ts';

/** The rows `default-arguments.*` of docs/spec-coverage.md, in the same order. */
const SPECIFIED_ARGUMENTS = [
  '--remote-allow-origins=*',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  '--site-per-process',
];

/**
 * Further defaults. Most turn off background work that automation does not need or that stalls without internet access.
 * Some keep timers and rendering running in background windows.
 *
 * Disabled features, measured on Chromium 156: the two omnibox popups are preloaded pages that take half of the CPU
 * time of a start. `RenderDocument` creates a new frame host for each document and takes a quarter of a navigation's
 * time. `TabHoverCardImages` captures every page that becomes inactive. With `IsolateSandboxedIframes`, scripts in a
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

/** Headless viewport in CSS pixels, the same as Playwright's. Most pages show their desktop layout at this width. */
export const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

const HEADLESS_ARGUMENTS = [
  '--hide-scrollbars',
  '--mute-audio',
  `--window-size=${DEFAULT_VIEWPORT.width},${DEFAULT_VIEWPORT.height}`,
];

const DISABLE_FEATURES = '--disable-features=';

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
  readonly domainPolicy: DomainPolicy | undefined;
  /** Port of the name relay. Undefined if the browser resolves names itself. */
  readonly relayPort?: number | undefined;
  readonly isRoot: boolean;
}

/**
 * Returns all command-line arguments: defaults (without ignored ones), arguments derived from options, then the user's,
 * because Chromium uses the last value. Opens `about:blank` unless the user's arguments contain a URL.
 */
export function browserArguments(settings: ArgumentSettings): string[] {
  const { args } = settings;
  const own = [...withoutIgnored(defaultArguments(settings), settings), ...requiredArguments(settings)];
  const addresses = args.some((argument) => !argument.startsWith('-')) ? [] : ['about:blank'];
  return [...withOneFeatureList(own, args), ...addresses];
}

function defaultArguments({ ignoreDefaultArgs, headless, isRoot }: ArgumentSettings): string[] {
  // `headless` has its own option, so `ignoreDefaultArgs: true` does not remove the argument.
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
 * Chromium reads only the last `--disable-features`, which also overrides `--enable-features`. Appends one with our
 * features, except those that the user enables, and the user's.
 */
function withOneFeatureList(own: readonly string[], args: readonly string[]): string[] {
  const ours = featuresOf(own, DISABLE_FEATURES);
  const users = featuresOf(args, DISABLE_FEATURES);
  const enabled = new Set(featuresOf(args, '--enable-features='));
  const kept = ours.filter((feature) => !enabled.has(feature));
  if (users.length === 0 && kept.length === ours.length) return [...own, ...args];
  return [...own, ...args, `${DISABLE_FEATURES}${[...kept, ...users].join(',')}`];
}

/** Strips suffixes for field trials and parameters: `Name<Trial:param/1` becomes `Name`. */
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
