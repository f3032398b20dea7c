/** What decides whether a request keeps a page from being settled. Times are on the clock of `performance.now()`. */
export interface RequestFacts {
  /** The browser's resource type, such as `XHR`. */
  readonly type: string | undefined;
  /** How many times the page has asked this address, each time after the answer; from 1 on. */
  readonly round: number;
  /** Undefined before the answer begins. */
  readonly mimeType?: string | undefined;
  /** When the browser last reported anything of it. */
  readonly lastActivity: number;
  /** True if the document that made the request is gone. */
  readonly hasLeftDocument: boolean;
}

/** Why a request does not keep a page from being settled. */
export interface RequestRule {
  readonly name: 'kind' | 'polling' | 'stream' | 'silent' | 'document-gone';
  readonly reason: string;
  /** True if the request will not count later either. */
  readonly isFinal: boolean;
  applies(request: RequestFacts, now: number): boolean;
}

const KINDS_THAT_COUNT: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);
/** An address that is asked more often than this is polled. */
const ROUNDS_THAT_COUNT = 3;
const STREAMS = /^(text\/event-stream|application\/(x-)?ndjson|multipart\/x-mixed-replace)/;
/** How long a request may be silent before it counts as a stream or a long poll, in ms. */
export const SILENT_REQUEST_MS = 2000;

/** A request that none of these rules names keeps a page from being settled. */
export const REQUEST_RULES: readonly RequestRule[] = [
  {
    name: 'kind',
    reason: 'Beacons, sockets, pictures and media change nothing that an action waits for.',
    isFinal: true,
    applies: ({ type }) => type === undefined || !KINDS_THAT_COUNT.has(type),
  },
  {
    name: 'polling',
    reason: 'An address that is asked again and again after each answer is polled by the page, whatever was done.',
    isFinal: true,
    applies: ({ round }) => round > ROUNDS_THAT_COUNT,
  },
  {
    name: 'stream',
    reason: 'A stream comes as long as the page is open.',
    isFinal: true,
    applies: ({ mimeType = '' }) => STREAMS.test(mimeType),
  },
  {
    name: 'silent',
    reason: 'A request that is silent for so long is a stream or a long poll.',
    isFinal: false,
    applies: ({ lastActivity }, now) => now - lastActivity >= SILENT_REQUEST_MS,
  },
  {
    name: 'document-gone',
    reason:
      'What becomes of a request of a replaced document changes nothing that can be seen, and is not always reported.',
    isFinal: false,
    applies: ({ type, hasLeftDocument }) => type !== 'Document' && hasLeftDocument,
  },
];

/** The rule by which a request does not keep a page from being settled; undefined if it does. */
export function requestRule(
  request: RequestFacts,
  now: number,
  rules: readonly RequestRule[] = REQUEST_RULES,
): RequestRule | undefined {
  return rules.find((rule) => rule.applies(request, now));
}

/** A navigation that is under way, or that the page asked for. */
export interface NavigationFacts {
  /** When the page asked for it; undefined once the browser has begun it. */
  readonly requestedAt?: number | undefined;
  /** How many navigations of frames inside the page came before it; undefined for the page itself. */
  readonly frameNavigations?: number | undefined;
}

/** Why a navigation does not keep a page from being settled. */
export interface NavigationRule {
  readonly name: 'refused' | 'rotating';
  readonly reason: string;
  applies(navigation: NavigationFacts, now: number): boolean;
}

/** A navigation that the browser has not begun after this long was refused. */
export const REQUESTED_NAVIGATION_MS = 500;
/** How many navigations of frames an action waits for. */
const FRAME_NAVIGATIONS_THAT_COUNT = 20;

/** A navigation that none of these rules names keeps a page from being settled. */
export const NAVIGATION_RULES: readonly NavigationRule[] = [
  {
    name: 'refused',
    reason: 'The browser begins a navigation at once, or refuses it without a word.',
    applies: ({ requestedAt }, now) => requestedAt !== undefined && now - requestedAt >= REQUESTED_NAVIGATION_MS,
  },
  {
    name: 'rotating',
    reason: 'A page that navigates so many frames does so by itself, such as one that rotates advertisements.',
    applies: ({ frameNavigations = 0 }) => frameNavigations >= FRAME_NAVIGATIONS_THAT_COUNT,
  },
];

/** The rule by which a navigation does not keep a page from being settled; undefined if it does. */
export function navigationRule(
  navigation: NavigationFacts,
  now: number,
  rules: readonly NavigationRule[] = NAVIGATION_RULES,
): NavigationRule | undefined {
  return rules.find((rule) => rule.applies(navigation, now));
}
