/** An unvalidated CDP command from a client. */
export interface Command {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly sessionId?: unknown;
}

type Params = Readonly<Record<string, unknown>>;

interface RuleFacts {
  /** The only folder that downloads may use. */
  readonly downloads: string;
}

/**
 * `refused`: respond with this error; `done`: respond with success; `params`: send the command with these parameters.
 */
export type Ruling = { readonly refused: string } | { readonly done: true } | { readonly params: unknown };

/**
 * URL schemes that clients may open. Others, such as `file:` and `chrome:`, lead to local files or internal browser
 * pages.
 */
const WEB_SCHEMES = ['http:', 'https:', 'about:', 'data:', 'blob:', 'javascript:', 'filesystem:'];

/** Commands that expose files, ports or programs of the machine, or open unfiltered connections to the browser. */
const REFUSED_COMMANDS: ReadonlySet<string> = new Set([
  'Browser.getBrowserCommandLine',
  'Browser.executeBrowserCommand',
  'Memory.getAllTimeSamplingProfile',
  'Memory.getBrowserSamplingProfile',
  'SystemInfo.getInfo',
  'SystemInfo.getProcessInfo',
  'Target.exposeDevToolsProtocol',
  'Target.openDevTools',
  'Target.sendMessageToTarget',
  'Target.setRemoteLocations',
]);

const REFUSED_DOMAINS: ReadonlySet<string> = new Set([
  'Tethering',
  'Extensions',
  'PWA',
  'Cast',
  'FileSystem',
  'DeviceAccess',
]);

const NOT_AVAILABLE = 'is not available on the platform';

const rules: Readonly<Record<string, (params: Params, facts: RuleFacts) => Ruling>> = {
  'Page.navigate': checkUrl,
  'Target.createTarget': checkUrl,
  'Network.loadNetworkResource': checkUrl,
  'Fetch.continueRequest': checkUrl,
  'Network.continueInterceptedRequest': checkUrl,
  'Target.createBrowserContext': (params) =>
    'proxyServer' in params || 'proxyBypassList' in params
      ? { refused: 'must not set a proxy; set it when the session is created' }
      : { params },
  // `allowAndName` uses the download's GUID as file name, which all clients know from events.
  'Browser.setDownloadBehavior': (params, { downloads }) =>
    params['behavior'] === 'deny'
      ? { params }
      : { params: { ...params, behavior: 'allowAndName', downloadPath: downloads } },
  // This older command has no `allowAndName`, which the session already uses.
  'Page.setDownloadBehavior': (params) => (params['behavior'] === 'deny' ? { params } : { done: true }),
  'Tracing.start': checkTrace,
  'DOM.setFileInputFiles': (params) => withoutPaths(params, params['files']),
  'Input.dispatchDragEvent': (params) => withoutPaths(params, asParams(params['data'])['files']),
};

/** Decides whether a client's command reaches the browser, and with which parameters. */
export function ruleOn({ method, params }: Command, facts: RuleFacts): Ruling {
  if (typeof method !== 'string') return { refused: 'has no method' };
  const [domain = ''] = method.split('.', 1);
  if (REFUSED_COMMANDS.has(method) || REFUSED_DOMAINS.has(domain)) return { refused: NOT_AVAILABLE };
  const rule = Object.hasOwn(rules, method) ? rules[method] : undefined;
  return rule ? rule(asParams(params), facts) : { params };
}

function asParams(value: unknown): Params {
  return typeof value === 'object' && value !== null ? (value as Params) : {};
}

function checkUrl(params: Params): Ruling {
  const { url } = params;
  if (url === undefined || url === '') return { params };
  const leadsToWeb = typeof url === 'string' && WEB_SCHEMES.includes(schemeOf(url));
  return leadsToWeb ? { params } : { refused: 'can only open web pages (http, https, about, data, blob)' };
}

/** True for web documents, blank targets and the browser's error page. */
export function isOfWeb(url: string): boolean {
  return url === '' || url.startsWith('chrome-error:') || WEB_SCHEMES.includes(schemeOf(url));
}

/** `view-source:https://a.example` → `https:`. Returns an empty string if the URL has no scheme. */
function schemeOf(url: string): string {
  const address = url.trim().replace(/^(view-source:)+/i, '');
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/**
 * Allows only trace events, from which `withoutTracePaths` removes paths. Streams may be compressed or Protocol
 * Buffers, and contain the browser's command line. The contents of other backends are unknown.
 */
function checkTrace(params: Params): Ruling {
  const { transferMode = 'ReportEvents', tracingBackend = 'chrome' } = params;
  const isEvents = transferMode === 'ReportEvents' && tracingBackend !== 'system' && !('perfettoConfig' in params);
  return isEvents
    ? { params }
    : {
        refused:
          "only accepts transferMode 'ReportEvents' without a perfettoConfig on the platform: other traces contain " +
          'the command line and paths of the machine. Use the events of Tracing.dataCollected instead',
      };
}

/** Refuses file paths: they would refer to files on the browser's machine. */
function withoutPaths(params: Params, files: unknown): Ruling {
  const isEmpty = files === undefined || (Array.isArray(files) && files.length === 0);
  return isEmpty
    ? { params }
    : { refused: 'must not use file paths of the browser’s machine; send the content instead' };
}
