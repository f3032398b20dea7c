import { PAGE_BOUNDS } from '../page-bounds.ts';
import type { EventName } from './protocol.ts';

/** Events that are never cut: a paused request may be continued unchanged, and its full URL is checked. */
const WHOLE: ReadonlySet<EventName> = new Set(['Fetch.requestPaused', 'Fetch.authRequired']);

/** Commands of the driver whose results contain text that the page wrote. */
const TELLING_COMMANDS: ReadonlySet<string> = new Set([
  'Page.getFrameTree',
  'Page.getNavigationHistory',
  'Runtime.getProperties',
  'Target.getTargetInfo',
  'Target.getTargets',
]);

/** Text bounds by property name. All other text is bounded by `PAGE_BOUNDS.text`. */
const BOUND_BY_PROPERTY: ReadonlyMap<string, number> = new Map([
  ['bytes', PAGE_BOUNDS.body],
  ['name', PAGE_BOUNDS.name],
  ['postData', PAGE_BOUNDS.body],
  ['suggestedFilename', PAGE_BOUNDS.fileName],
  ['title', PAGE_BOUNDS.title],
]);
const IS_ADDRESS = /(?:^u|U)(?:rl|RL)$|^urlFragment$/;
/** Properties that hold Base64, where a note would be read as data. */
const BASE64: ReadonlySet<string> = new Set(['bytes']);

/** Shorter messages cannot contain text over a bound. */
const SHORTEST_BOUND = Math.min(PAGE_BOUNDS.fileName, ...BOUND_BY_PROPERTY.values());

/** True if the long strings of this event are cut. */
export function isEventCut(method: string): boolean {
  return !(WHOLE as ReadonlySet<string>).has(method);
}

/** True if the long strings in this command's result are cut. */
export function isResultCut(method: string): boolean {
  return TELLING_COMMANDS.has(method);
}

/** Cuts every string of an event that a page can make arbitrarily long. */
export function boundedEvent<T>(method: EventName, params: T, messageLength: number): T {
  return messageLength <= SHORTEST_BOUND || !isEventCut(method)
    ? params
    : (boundedValue(params, '', new Bounds()) as T);
}

/** Cuts the long strings of a command result in the same way. */
export function boundedResult<T>(method: string, result: T): T {
  return isResultCut(method) ? (boundedValue(result, '', new Bounds()) as T) : result;
}

/** Cuts a URL. Keeps its scheme and host, which the domain policy checks. */
export function boundedAddress(address: string): string {
  return boundedString(address, 'url', new Bounds());
}

/** The bounds of the texts of one event. */
export class Bounds {
  #left: number = PAGE_BOUNDS.eventText;

  /** Maximum number of characters of the next text. */
  of(property: string): number {
    const bound = IS_ADDRESS.test(property) ? PAGE_BOUNDS.url : BOUND_BY_PROPERTY.get(property);
    return Math.min(bound ?? PAGE_BOUNDS.text, this.#left);
  }

  /** Subtracts the kept characters of a text from what is left. */
  spend(characters: number): void {
    this.#left -= characters;
  }
}

/** A text that is longer than its bound. */
interface LongText {
  readonly property: string;
  /** The characters within the bound. */
  readonly start: string;
  /** Number of the other characters. */
  readonly missing: number;
  readonly whole: () => string;
}

/** Returns the kept part of a long text, with a note about the number of missing characters. */
export function cutText({ property, start, missing, whole }: LongText): string {
  if (BASE64.has(property)) return start;
  if (!IS_ADDRESS.test(property)) return `${start}… (${missing} more characters)`;
  return `${hasWholeHost(start) ? start : withoutPath(whole())}…(${missing}_more_characters)`;
}

/** Edits the value in place: it was just parsed and is not shared. */
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

/** A substring keeps the whole string in memory, so copy it. */
function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** True if the host is complete. A user name and password may precede it. */
function hasWholeHost(start: string): boolean {
  return !/^[a-z][\w+.-]*:\/\//i.test(start) || /^[^:]*:\/\/[^/?#\\]*[/?#\\]/.test(start);
}

function withoutPath(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/` : 'about:invalid#';
}
