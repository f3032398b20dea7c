import { PAGE_BOUNDS } from '../page-bounds.ts';
import type { EventName } from './protocol.ts';

/** Events that are passed on whole: who holds a request may send it on as it is, and judges the address that is sent. */
const WHOLE: ReadonlySet<EventName> = new Set(['Fetch.requestPaused', 'Fetch.authRequired']);

/** Commands that tell of a page what it wrote itself, and that the driver sends on its own account. */
const TELLING_COMMANDS: ReadonlySet<string> = new Set([
  'Page.getFrameTree',
  'Page.getNavigationHistory',
  'Runtime.getProperties',
  'Target.getTargetInfo',
  'Target.getTargets',
]);

/** The bounds of texts by the property that they stand in; every other text has `PAGE_BOUNDS.text`. */
const BOUND_BY_PROPERTY: ReadonlyMap<string, number> = new Map([
  ['bytes', PAGE_BOUNDS.body],
  ['name', PAGE_BOUNDS.name],
  ['postData', PAGE_BOUNDS.body],
  ['suggestedFilename', PAGE_BOUNDS.fileName],
  ['title', PAGE_BOUNDS.title],
]);
const IS_ADDRESS = /(?:^u|U)(?:rl|RL)$|^urlFragment$/;
/** Properties in which base64 stands: a note in it would be read as more of it. */
const BASE64: ReadonlySet<string> = new Set(['bytes']);

/** A message that is shorter holds nothing that is too long. */
const SHORTEST_BOUND = Math.min(PAGE_BOUNDS.fileName, ...BOUND_BY_PROPERTY.values());

/** What an event tells, with everything in it that a page can make as long as it likes cut off at its bound. */
export function boundedEvent<T>(method: EventName, params: T, messageLength: number): T {
  return messageLength <= SHORTEST_BOUND || WHOLE.has(method) ? params : (boundedValue(params, '', 0) as T);
}

/** The same for the answer to a command. */
export function boundedResult<T>(method: string, result: T): T {
  return TELLING_COMMANDS.has(method) ? (boundedValue(result, '', 0) as T) : result;
}

/** An address cut off at its bound. It keeps its scheme and its host: both are judged. */
export function boundedAddress(address: string): string {
  const { url: bound } = PAGE_BOUNDS;
  if (address.length <= bound) return address;
  const start = copied(address.slice(0, bound));
  return `${hasWholeHost(start) ? start : withoutPath(address)}…(${address.length - bound}_more_characters)`;
}

/** A text cut off at a bound, with a note of what is missing. */
function boundedText(text: string, bound: number): string {
  return text.length <= bound ? text : `${copied(text.slice(0, bound))}… (${text.length - bound} more characters)`;
}

/** Changes what was just parsed, and belongs to nobody yet. */
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

/** A part of a text keeps all of it in memory, unless it is copied. */
function copied(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** Whether what follows the host has begun; before it a name and a password may stand. */
function hasWholeHost(start: string): boolean {
  return !/^[a-z][\w+.-]*:\/\//i.test(start) || /^[^:]*:\/\/[^/?#\\]*[/?#\\]/.test(start);
}

function withoutPath(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}/` : 'about:invalid#';
}
