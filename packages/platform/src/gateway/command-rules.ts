/** A command of a client's, as the DevTools protocol has it. */
export interface Command {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly sessionId?: unknown;
}

type Params = Readonly<Record<string, unknown>>;

/** What is true of the browser that a command goes to. */
interface RuleFacts {
  /** The only folder that downloads may go to. */
  readonly downloads: string;
}

/** A command that is refused, with the reason, or that is done already; else what is sent in its place. */
export type Ruling = { readonly refused: string } | { readonly done: true } | { readonly params: unknown };

/** Documents that lie in the web, or in nothing. All other schemes lead to the server's files or the browser's own pages. */
const WEB_SCHEMES = ['http:', 'https:', 'about:', 'data:', 'blob:', 'javascript:', 'filesystem:'];

/**
 * Commands that reach past the session: the machine's files, ports and programs, or ways to the browser on which nobody
 * would read along. The rest of the protocol is the tenant's.
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

const NOT_AVAILABLE = 'is not available on a rented browser';

const rules: Readonly<Record<string, (params: Params, facts: RuleFacts) => Ruling>> = {
  'Page.navigate': checkUrl,
  'Target.createTarget': checkUrl,
  'Network.loadNetworkResource': checkUrl,
  'Fetch.continueRequest': checkUrl,
  'Network.continueInterceptedRequest': checkUrl,
  'Target.createBrowserContext': (params) =>
    'proxyServer' in params || 'proxyBypassList' in params
      ? { refused: 'may not name a proxy; give it when the session is created' }
      : { params },
  // Under the name that the protocol gives it, a file can be fetched whoever asked for it.
  'Browser.setDownloadBehavior': (params, { downloads }) =>
    params['behavior'] === 'deny'
      ? { params }
      : { params: { ...params, behavior: 'allowAndName', downloadPath: downloads } },
  // Knows no such names; all that it could ask for holds already.
  'Page.setDownloadBehavior': (params) => (params['behavior'] === 'deny' ? { params } : { done: true }),
  'Tracing.start': checkTrace,
  'DOM.setFileInputFiles': (params) => withoutPaths(params, params['files']),
  'Input.dispatchDragEvent': (params) => withoutPaths(params, asParams(params['data'])['files']),
};

/** What becomes of a command on its way to a rented browser. */
export function ruleOn({ method, params }: Command, facts: RuleFacts): Ruling {
  if (typeof method !== 'string') return { refused: 'names no method' };
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
  return leadsToWeb ? { params } : { refused: 'may only lead to the web (http, https, about, data, blob)' };
}

/** Whether a target shows a document of the web, none yet, or the browser's page for one that did not come. */
export function isOfWeb(url: string): boolean {
  return url === '' || url.startsWith('chrome-error:') || WEB_SCHEMES.includes(schemeOf(url));
}

/** The scheme that counts: of what is shown as source, or of what the browser would make of an address without one. */
function schemeOf(url: string): string {
  const address = url.trim().replace(/^(view-source:)+/i, '');
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/**
 * Events pass without paths of the machine. A stream contains the command line, and paths cannot be removed from compressed data or
 * Protocol Buffers. The contents of other backends are unknown.
 */
function checkTrace(params: Params): Ruling {
  const { transferMode = 'ReportEvents', tracingBackend = 'chrome' } = params;
  const isEvents = transferMode === 'ReportEvents' && tracingBackend !== 'system' && !('perfettoConfig' in params);
  return isEvents
    ? { params }
    : {
        refused:
          "takes only transferMode 'ReportEvents' on a rented browser: a stream, a perfettoConfig or another backend would put the " +
          'command line and paths of its machine into the trace. Use the events of Tracing.dataCollected instead',
      };
}

/** Paths would be those of the server. */
function withoutPaths(params: Params, files: unknown): Ruling {
  const isEmpty = files === undefined || (Array.isArray(files) && files.length === 0);
  return isEmpty ? { params } : { refused: 'may not name files of the browser’s machine; send their content instead' };
}
