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

/** Cuts every string of an event that a page can make arbitrarily long. */
export function boundedEvent<T>(method: EventName, params: T, messageLength: number): T {
  return messageLength <= SHORTEST_BOUND || WHOLE.has(method) ? params : (boundedValue(params, '', 0) as T);
}

/** Does the same for a command result. */
export function boundedResult<T>(method: string, result: T): T {
  return TELLING_COMMANDS.has(method) ? (boundedValue(result, '', 0) as T) : result;
}

/** Cuts a URL. Keeps its scheme and host, which the domain policy checks. */
export function boundedAddress(address: string): string {
  const { url: bound } = PAGE_BOUNDS;
  if (address.length <= bound) return address;
  const start = copied(address.slice(0, bound));
  return `${hasWholeHost(start) ? start : withoutPath(address)}…(${address.length - bound}_more_characters)`;
}

/** Cuts a text and notes how many characters are missing. */
function boundedText(text: string, bound: number): string {
  return text.length <= bound ? text : `${copied(text.slice(0, bound))}… (${text.length - bound} more characters)`;
}

/** Edits the value in place: it was just parsed and is not shared. */
function boundedValue(value: unknown, property: string, depth: number): unknown {
  if (typeof value === 'string') return boundedString(value, property);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= PAGE_BOUNDS.depth) return undefined;
  if (Array.isArray(value)) {
    if (value.length > PAGE_BOUNDS.entries) value.length = PAGE_BOUNDS.entries;
    for (const [index, entry] of value.entries()) value[index] = boundedValue(entry, property, depth + 1);
    return value;
  }
  const record = value as Record<string, unknown>;
  let entries = 0;
  for (const key of Object.keys(record)) {
    entries += 1;
    if (entries > PAGE_BOUNDS.entries || key.length > PAGE_BOUNDS.name) delete record[key];
    else record[key] = boundedValue(record[key], key, depth + 1);
  }
  return record;
}

function boundedString(text: string, property: string): string {
  if (IS_ADDRESS.test(property)) return boundedAddress(text);
  const bound = BOUND_BY_PROPERTY.get(property) ?? PAGE_BOUNDS.text;
  if (text.length <= bound) return text;
  return BASE64.has(property) ? copied(text.slice(0, bound)) : boundedText(text, bound);
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
