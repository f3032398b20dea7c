/** Properties of a request that decide whether a wait counts it. Times are on the clock of `performance.now()`. */
export interface RequestFacts {
  /** The browser's resource type, such as `XHR`. */
  readonly type: string | undefined;
  /** How often the page has requested this URL, each time after the previous response; the first request is 1. */
  readonly round: number;
  /** `undefined` before the response headers arrive. */
  readonly mimeType?: string | undefined;
  /** Time when the response headers arrived. */
  readonly answeredAt?: number | undefined;
  /** Time of the last event for this request. */
  readonly lastActivity: number;
  /** True if the document that made the request is gone. */
  readonly hasLeftDocument: boolean;
}

/** A wait for requests: `action` settles a page, `load` waits for `networkidle`. */
export type RequestWait = 'action' | 'load';

/** A reason not to wait for a request. */
export interface RequestRule {
  readonly name: 'lasting' | 'kind' | 'polling' | 'stream' | 'silent' | 'slow-body' | 'document-gone';
  readonly reason: string;
  /** The waits with this rule. */
  readonly waits: readonly RequestWait[];
  /** True if the rule, once it applies, always applies to the request. */
  readonly isFinal: boolean;
  /** Time from which the rule applies: `ALWAYS`, `NEVER`, or a time on the clock of `performance.now()`. */
  appliesFrom(request: RequestFacts): number;
}

const ALWAYS = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;

const LASTING_KINDS: ReadonlySet<string> = new Set([
  'EventSource',
  'WebSocket',
  'Ping',
  'CSPViolationReport',
  'Media',
  'Prefetch',
]);
const KINDS_THAT_CHANGE_THE_PAGE: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);
const SCRIPT_KINDS: ReadonlySet<string> = new Set(['XHR', 'Fetch']);
/** Maximum number of rounds that a wait counts. A page that requests a URL more often is polling it. */
const ROUNDS_THAT_COUNT = 3;
const STREAMS = /^(text\/event-stream|application\/(x-)?ndjson|multipart\/x-mixed-replace)/;
/** Time in ms without an event after which a request counts as a stream or a long poll. */
const SILENT_REQUEST_MS = 2000;
/** Time in ms after which a response body that still arrives counts as a stream. */
const SLOW_BODY_MS = 3000;

/** Rules for requests. A wait counts a request if none of its rules applies. */
export const REQUEST_RULES: readonly RequestRule[] = [
  {
    name: 'lasting',
    reason: 'Beacons, sockets, event streams and media last as long as the page, or the page does not wait for them.',
    waits: ['action', 'load'],
    isFinal: true,
    appliesFrom: ({ type }) => when(type !== undefined && LASTING_KINDS.has(type)),
  },
  {
    name: 'kind',
    reason: 'An action does not wait for images or fonts, which change no element.',
    waits: ['action'],
    isFinal: true,
    appliesFrom: ({ type }) => when(type === undefined || !KINDS_THAT_CHANGE_THE_PAGE.has(type)),
  },
  {
    name: 'polling',
    reason: 'A URL that the page requests again after each response is polled all the time.',
    waits: ['action', 'load'],
    isFinal: true,
    appliesFrom: ({ round }) => when(round > ROUNDS_THAT_COUNT),
  },
  {
    name: 'stream',
    reason: 'A stream stays open as long as the page.',
    waits: ['action', 'load'],
    isFinal: true,
    appliesFrom: ({ mimeType = '' }) => when(STREAMS.test(mimeType)),
  },
  {
    name: 'silent',
    reason: 'A request without data for this long is a stream or a long poll.',
    waits: ['action', 'load'],
    isFinal: false,
    appliesFrom: ({ lastActivity }) => lastActivity + SILENT_REQUEST_MS,
  },
  {
    name: 'slow-body',
    reason: 'A script that still reads a response after this long reads a stream. An action has a timeout of its own.',
    waits: ['load'],
    isFinal: false,
    appliesFrom: ({ type = '', answeredAt = NEVER }) => (SCRIPT_KINDS.has(type) ? answeredAt + SLOW_BODY_MS : NEVER),
  },
  {
    name: 'document-gone',
    reason: 'A request of a replaced document has no visible effect, and the browser does not always report its end.',
    waits: ['action', 'load'],
    isFinal: false,
    appliesFrom: ({ type, hasLeftDocument }) => when(type !== 'Document' && hasLeftDocument),
  },
];

const RULES_OF: Readonly<Record<RequestWait, readonly RequestRule[]>> = {
  action: REQUEST_RULES.filter(({ waits }) => waits.includes('action')),
  load: REQUEST_RULES.filter(({ waits }) => waits.includes('load')),
};

function when(applies: boolean): number {
  return applies ? ALWAYS : NEVER;
}

/** Returns the rule that excludes a request from a wait, or `undefined` if the wait counts it. */
export function requestRule(
  wait: RequestWait,
  request: RequestFacts,
  now: number,
  rules: readonly RequestRule[] = REQUEST_RULES,
): RequestRule | undefined {
  return rules.find((rule) => rule.waits.includes(wait) && rule.appliesFrom(request) <= now);
}

/** Returns the time from which a wait no longer counts a request, if no event of the request comes first. */
export function countsUntil(wait: RequestWait, request: RequestFacts): number {
  return Math.min(...RULES_OF[wait].map((rule) => rule.appliesFrom(request)));
}

/** A navigation that has started, or that the page has requested. */
export interface NavigationFacts {
  /** Time when the page requested it. `undefined` once the browser has started the navigation. */
  readonly requestedAt?: number | undefined;
  /** Number of child frame navigations that started before it. `undefined` for the main frame. */
  readonly frameNavigations?: number | undefined;
}

/** A reason not to wait for a navigation. */
export interface NavigationRule {
  readonly name: 'refused' | 'rotating';
  readonly reason: string;
  applies(navigation: NavigationFacts, now: number): boolean;
}

/** Time in ms for the browser to start a requested navigation. If it takes longer, the browser has refused it. */
export const REQUESTED_NAVIGATION_MS = 500;
/** Maximum number of child frame navigations that an action waits for. */
const FRAME_NAVIGATIONS_THAT_COUNT = 20;

/** Rules for navigations. Settling waits for a navigation if none of them applies. */
export const NAVIGATION_RULES: readonly NavigationRule[] = [
  {
    name: 'refused',
    reason: 'The browser starts a navigation immediately or ignores it silently.',
    applies: ({ requestedAt }, now) => requestedAt !== undefined && now - requestedAt >= REQUESTED_NAVIGATION_MS,
  },
  {
    name: 'rotating',
    reason: 'A page that navigates 20 frames does so on its own, for example to rotate advertisements.',
    applies: ({ frameNavigations = 0 }) => frameNavigations >= FRAME_NAVIGATIONS_THAT_COUNT,
  },
];

/** Returns the rule that excludes a navigation from settling, or `undefined` if settling waits for it. */
export function navigationRule(
  navigation: NavigationFacts,
  now: number,
  rules: readonly NavigationRule[] = NAVIGATION_RULES,
): NavigationRule | undefined {
  return rules.find((rule) => rule.applies(navigation, now));
}
