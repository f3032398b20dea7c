/** Properties of a request that decide whether settling waits for it. Times are on the clock of `performance.now()`. */
export interface RequestFacts {
  /** The browser's resource type, such as `XHR`. */
  readonly type: string | undefined;
  /** How often the page has requested this URL, each time after the previous response; the first request is 1. */
  readonly round: number;
  /** `undefined` before the response headers arrive. */
  readonly mimeType?: string | undefined;
  /** Time of the last event for this request. */
  readonly lastActivity: number;
  /** True if the document that made the request is gone. */
  readonly hasLeftDocument: boolean;
}

/** A reason not to wait for a request. */
export interface RequestRule {
  readonly name: 'kind' | 'polling' | 'stream' | 'silent' | 'document-gone';
  readonly reason: string;
  /** True if the rule, once it applies, always applies to the request. */
  readonly isFinal: boolean;
  applies(request: RequestFacts, now: number): boolean;
}

const KINDS_THAT_COUNT: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);
/** Maximum number of rounds that settling waits for. A page that requests a URL more often is polling it. */
const ROUNDS_THAT_COUNT = 3;
const STREAMS = /^(text\/event-stream|application\/(x-)?ndjson|multipart\/x-mixed-replace)/;
/** Time in ms without an event after which a request counts as a stream or a long poll. */
export const SILENT_REQUEST_MS = 2000;

/** Rules for requests. Settling waits for a request if none of them applies. */
export const REQUEST_RULES: readonly RequestRule[] = [
  {
    name: 'kind',
    reason: 'An action does not wait for beacons, WebSockets, images or media.',
    isFinal: true,
    applies: ({ type }) => type === undefined || !KINDS_THAT_COUNT.has(type),
  },
  {
    name: 'polling',
    reason: 'A URL that the page requests again after each response is polled, regardless of the action.',
    isFinal: true,
    applies: ({ round }) => round > ROUNDS_THAT_COUNT,
  },
  {
    name: 'stream',
    reason: 'A stream stays open as long as the page.',
    isFinal: true,
    applies: ({ mimeType = '' }) => STREAMS.test(mimeType),
  },
  {
    name: 'silent',
    reason: 'A request without data for this long is a stream or a long poll.',
    isFinal: false,
    applies: ({ lastActivity }, now) => now - lastActivity >= SILENT_REQUEST_MS,
  },
  {
    name: 'document-gone',
    reason: 'A request of a replaced document has no visible effect, and the browser does not always report its end.',
    isFinal: false,
    applies: ({ type, hasLeftDocument }) => type !== 'Document' && hasLeftDocument,
  },
];

/** Returns the rule that excludes a request from settling, or `undefined` if settling waits for it. */
export function requestRule(
  request: RequestFacts,
  now: number,
  rules: readonly RequestRule[] = REQUEST_RULES,
): RequestRule | undefined {
  return rules.find((rule) => rule.applies(request, now));
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
