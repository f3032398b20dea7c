import { PAGE_BOUNDS } from '../page-bounds.ts';
import type { EventName } from './protocol.ts';

/** Never cut: a paused request may be continued unchanged, and its full URL is checked. */
const WHOLE: ReadonlySet<EventName> = new Set(['Fetch.requestPaused', 'Fetch.authRequired']);

const COMMANDS_WITH_PAGE_TEXT: ReadonlySet<string> = new Set([
  'Page.getFrameTree',
  'Page.getNavigationHistory',
  'Runtime.getProperties',
  'Target.getTargetInfo',
  'Target.getTargets',
]);

/** Maximum number of characters by property, except for URLs. Default: `PAGE_BOUNDS.text`. */
const BOUND_BY_PROPERTY: ReadonlyMap<string, number> = new Map([
  ['bytes', PAGE_BOUNDS.body],
  ['name', PAGE_BOUNDS.name],
  ['postData', PAGE_BOUNDS.body],
  ['suggestedFilename', PAGE_BOUNDS.fileName],
  ['title', PAGE_BOUNDS.title],
]);
const IS_ADDRESS = /(?:^u|U)(?:rl|RL)$|^urlFragment$/;
/** Properties with base64, which would be invalid with a note at the end. */
const BASE64: ReadonlySet<string> = new Set(['bytes']);

/** A shorter message cannot contain text over a bound. */
const SHORTEST_BOUND = Math.min(PAGE_BOUNDS.fileName, ...BOUND_BY_PROPERTY.values());

export function isEventCut(method: string): boolean {
  return !(WHOLE as ReadonlySet<string>).has(method);
}

export function isResultCut(method: string): boolean {
  return COMMANDS_WITH_PAGE_TEXT.has(method);
}

/** Cuts strings over their bound, in place, because a page can make them arbitrarily long. */
export function boundedEvent<T>(method: EventName, params: T, messageLength: number): T {
  return messageLength <= SHORTEST_BOUND || !isEventCut(method)
    ? params
    : (boundedValue(params, '', new Bounds()) as T);
}

export function boundedResult<T>(method: string, result: T): T {
  return isResultCut(method) ? (boundedValue(result, '', new Bounds()) as T) : result;
}

/** Cuts a URL but keeps scheme and host, which the domain policy checks. */
export function boundedAddress(address: string): string {
  return boundedString(address, 'url', new Bounds());
}

/** Bounds for the strings of one event, which also share a bound for their total length. */
export class Bounds {
  #left: number = PAGE_BOUNDS.eventText;

  of(property: string): number {
    const bound = IS_ADDRESS.test(property) ? PAGE_BOUNDS.url : BOUND_BY_PROPERTY.get(property);
    return Math.min(bound ?? PAGE_BOUNDS.text, this.#left);
  }

  spend(characters: number): void {
    this.#left -= characters;
  }
}

interface LongText {
  readonly property: string;
  /** The part within the bound. */
  readonly start: string;
  readonly missing: number;
  readonly whole: () => string;
}

/** Returns the kept part, followed by the number of missing characters, except for base64. */
export function cutText({ property, start, missing, whole }: LongText): string {
  if (BASE64.has(property)) return start;
  if (!IS_ADDRESS.test(property)) return `${start}… (${missing} more characters)`;
  return `${hasWholeHost(start) ? start : withoutPath(whole())}…(${missing}_more_characters)`;
}

/** Edits the value in place: a message that was just parsed is not shared. */
function boundedValue(value: unknown, property: string, bounds: Bounds, depth = 0): unknown {
  if (typeof value === 'string') return boundedString(value, property, bounds);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= PAGE_BOUNDS.depth) return undefined;
  if (Array.isArray(value)) {
    if (value.length > PAGE_BOUNDS.entries) value.length = PAGE_BOUNDS.entries;
    for (const [index, entry] of value.entries()) value[index] = boundedValue(entry, property, bounds, depth + 1);
    return value;
  }
  const record = value as Record<string, unknown>;
  let entries = 0;
  for (const key of Object.keys(record)) {
    entries += 1;
    if (entries > PAGE_BOUNDS.entries || key.length > PAGE_BOUNDS.name) delete record[key];
    else record[key] = boundedValue(record[key], key, bounds, depth + 1);
  }
  return record;
}

function boundedString(text: string, property: string, bounds: Bounds): string {
  const bound = bounds.of(property);
  bounds.spend(Math.min(text.length, bound));
  if (text.length <= bound) return text;
  return cutText({ property, start: copied(text.slice(0, bound)), missing: text.length - bound, whole: () => text });
}

/** Copies a substring, which in V8 would keep the whole string in memory. */
function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** True if the end of the host is included, or the text has no host. A username and password may precede the host. */
function hasWholeHost(start: string): boolean {
  return !/^[a-z][\w+.-]*:\/\//i.test(start) || /^[^:]*:\/\/[^/?#\\]*[/?#\\]/.test(start);
}

function withoutPath(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/` : 'about:invalid#';
}
