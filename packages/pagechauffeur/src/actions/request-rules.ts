/** The properties of a request that the rules read. Times are `performance.now()` values. */
export interface RequestFacts {
  /** CDP resource type, such as `XHR`. */
  readonly type: string | undefined;
  /** How often the page has requested this URL, each time after the previous response. 1 for the first request. */
  readonly round: number;
  readonly mimeType?: string | undefined;
  readonly answeredAt?: number | undefined;
  readonly lastActivity: number;
  /** True if the document that sent the request was replaced. */
  readonly hasLeftDocument: boolean;
}

/** `action`: settling after an action. `load`: the load state `networkidle`. */
export type RequestWait = 'action' | 'load';

/** A reason to stop waiting for a request. */
export interface RequestRule {
  readonly name: 'lasting' | 'kind' | 'polling' | 'stream' | 'silent' | 'slow-body' | 'document-gone';
  readonly reason: string;
  /** Which waits the rule applies to. */
  readonly waits: readonly RequestWait[];
  /** True if a rule that applies never stops applying to the request. */
  readonly isFinal: boolean;
  /** `ALWAYS`, `NEVER`, or the `performance.now()` value from which the rule applies. */
  appliesFrom(request: RequestFacts): number;
}

const ALWAYS = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;

const LONG_LIVED_KINDS: ReadonlySet<string> = new Set([
  'EventSource',
  'WebSocket',
  'Ping',
  'CSPViolationReport',
  'Media',
  'Prefetch',
]);
const KINDS_THAT_CHANGE_THE_PAGE: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);
const SCRIPT_KINDS: ReadonlySet<string> = new Set(['XHR', 'Fetch']);
/** A page that requests a URL in more rounds than this is polling it. */
const MAX_ROUNDS = 3;
const STREAMS = /^(text\/event-stream|application\/(x-)?ndjson|multipart\/x-mixed-replace)/;
/** A request without an event for this many ms counts as a stream or a long poll. */
const SILENT_REQUEST_MS = 2000;
/** A response body that takes longer than this many ms counts as a stream. */
const SLOW_BODY_MS = 3000;

/** Settling and `networkidle` wait for a request unless one of these rules applies. */
export const REQUEST_RULES: readonly RequestRule[] = [
  {
    name: 'lasting',
    reason: 'Beacons, sockets, event streams and media last as long as the page, or the page does not wait for them.',
    waits: ['action', 'load'],
    isFinal: true,
    appliesFrom: ({ type }) => when(type !== undefined && LONG_LIVED_KINDS.has(type)),
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
    reason: 'A page that requests a URL again after each response is polling it.',
    waits: ['action', 'load'],
    isFinal: true,
    appliesFrom: ({ round }) => when(round > MAX_ROUNDS),
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
    reason: 'A request without data for 2 s is a stream or a long poll.',
    waits: ['action', 'load'],
    isFinal: false,
    appliesFrom: ({ lastActivity }) => lastActivity + SILENT_REQUEST_MS,
  },
  {
    name: 'slow-body',
    reason: 'A script that still reads a response after 3 s reads a stream. Actions have their own timeout.',
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

/** Returns the first rule that applies now, or `undefined` if the request is waited for. */
export function requestRule(
  wait: RequestWait,
  request: RequestFacts,
  now: number,
  rules: readonly RequestRule[] = REQUEST_RULES,
): RequestRule | undefined {
  return rules.find((rule) => rule.waits.includes(wait) && rule.appliesFrom(request) <= now);
}

/** Returns the `performance.now()` value from which a rule applies, unless the request has another event before. */
export function countsUntil(wait: RequestWait, request: RequestFacts): number {
  return Math.min(...RULES_OF[wait].map((rule) => rule.appliesFrom(request)));
}

export interface NavigationFacts {
  /** When the page requested the navigation. `undefined` once the browser has started it. */
  readonly requestedAt?: number | undefined;
  /** Number of child frame navigations that started earlier. `undefined` for the main frame. */
  readonly frameNavigations?: number | undefined;
}

/** A reason to stop waiting for a navigation. */
export interface NavigationRule {
  readonly name: 'refused' | 'rotating';
  readonly reason: string;
  applies(navigation: NavigationFacts, now: number): boolean;
}

/** If the browser does not start a requested navigation within this many ms, it has ignored it. */
export const REQUESTED_NAVIGATION_MS = 500;
/** Settling waits for at most this many navigations of child frames per action. */
const MAX_FRAME_NAVIGATIONS = 20;

/** Settling waits for a navigation unless one of these rules applies. */
export const NAVIGATION_RULES: readonly NavigationRule[] = [
  {
    name: 'refused',
    reason: 'The browser starts a navigation immediately or ignores it silently.',
    applies: ({ requestedAt }, now) => requestedAt !== undefined && now - requestedAt >= REQUESTED_NAVIGATION_MS,
  },
  {
    name: 'rotating',
    reason: 'A page that navigates 20 frames does so on its own, for example to rotate advertisements.',
    applies: ({ frameNavigations = 0 }) => frameNavigations >= MAX_FRAME_NAVIGATIONS,
  },
];

/** Returns the first rule that applies, or `undefined` if settling waits for the navigation. */
export function navigationRule(
  navigation: NavigationFacts,
  now: number,
  rules: readonly NavigationRule[] = NAVIGATION_RULES,
): NavigationRule | undefined {
  return rules.find((rule) => rule.applies(navigation, now));
}
