/** A CDP command of a client. */
export interface Command {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly sessionId?: unknown;
}

type Params = Readonly<Record<string, unknown>>;

/** Facts about the target browser. */
interface RuleFacts {
  /** The only allowed download folder. */
  readonly downloads: string;
}

/** A refusal with its reason, a command that needs no action, or the parameters to send. */
export type Ruling = { readonly refused: string } | { readonly done: true } | { readonly params: unknown };

/** Schemes of web documents and empty ones. All others lead to the server's files or internal browser pages. */
const WEB_SCHEMES = ['http:', 'https:', 'about:', 'data:', 'blob:', 'javascript:', 'filesystem:'];

/**
 * Commands that reach beyond the session: files, ports and programs of the machine, or unfiltered connections to the
 * browser. Everything else is allowed.
 */
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
  // With the file name chosen by CDP, every client can fetch the file.
  'Browser.setDownloadBehavior': (params, { downloads }) =>
    params['behavior'] === 'deny'
      ? { params }
      : { params: { ...params, behavior: 'allowAndName', downloadPath: downloads } },
  // This older command cannot choose file names. Its other settings already apply.
  'Page.setDownloadBehavior': (params) => (params['behavior'] === 'deny' ? { params } : { done: true }),
  'Tracing.start': checkTrace,
  'DOM.setFileInputFiles': (params) => withoutPaths(params, params['files']),
  'Input.dispatchDragEvent': (params) => withoutPaths(params, asParams(params['data'])['files']),
};

/** Decides what happens to a command for a platform browser. */
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

/** True if a target shows a web document, none yet, or the browser's error page. */
export function isOfWeb(url: string): boolean {
  return url === '' || url.startsWith('chrome-error:') || WEB_SCHEMES.includes(schemeOf(url));
}

/** Returns the effective scheme: the one inside `view-source:`, or the one that the browser adds to a URL without a scheme. */
function schemeOf(url: string): string {
  const address = url.trim().replace(/^(view-source:)+/i, '');
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/**
 * Events are allowed, because the platform removes paths from them. A stream contains the command line, and the platform cannot remove
 * paths from compressed data or Protocol Buffers. The contents of other backends are unknown.
 */
function checkTrace(params: Params): Ruling {
  const { transferMode = 'ReportEvents', tracingBackend = 'chrome' } = params;
  const isEvents = transferMode === 'ReportEvents' && tracingBackend !== 'system' && !('perfettoConfig' in params);
  return isEvents
    ? { params }
    : {
        refused:
          "only accepts transferMode 'ReportEvents' on the platform: a stream, a perfettoConfig or another backend would put the " +
          'command line and paths of its machine into the trace. Use the events of Tracing.dataCollected instead',
      };
}

/** Paths would refer to the server's files. */
function withoutPaths(params: Params, files: unknown): Ruling {
  const isEmpty = files === undefined || (Array.isArray(files) && files.length === 0);
  return isEmpty
    ? { params }
    : { refused: 'must not use file paths of the browser’s machine; send the content instead' };
}
