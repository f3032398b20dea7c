import type { InjectedProgram } from './contract.ts';
import { actingMethods } from './acting.ts';
import { readMethods } from './read-methods.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';

const program: InjectedProgram = { ...readMethods, ...actingMethods };

/** Methods whose results are not truncated: they limit results themselves, or the caller requested the whole value. */
const WHOLE: ReadonlySet<keyof InjectedProgram> = new Set(['paintBoxes', 'read', 'snapshot']);

function callForText(method: keyof InjectedProgram, args: readonly never[]): unknown {
  const call: (...args: readonly never[]) => unknown = program[method];
  const result = call(...args);
  const toText = WHOLE.has(method) ? toWireText : toBoundedWireText;
  return result instanceof Promise ? result.then(toText) : toText(result);
}

const beyondAscii = /[\u0080-\uffff]/g;

/**
 * CDP transfers strings much faster than objects, and ASCII strings twice as fast as others. Long strings of an object
 * follow its JSON line, each after a line with its key and length: the quotes and line feeds in JSON would be escaped
 * again in the message. `World` decodes this.
 */
function toWireText(value: unknown): string | undefined {
  const long = isObject(value) ? Object.entries(value).filter(isLongText) : [];
  if (long.length === 0) return toJson(value);
  const texts = long.map(([key, text]): [string, string] => [key, text.replace(unsafeInText, escaped)]);
  const rest = { ...(value as object), ...Object.fromEntries(long.map(([key]) => [key, ''])) };
  return `${toJson(rest)}\n${texts.map(([key, text]) => `${key} ${text.length}\n${text}`).join('')}`;
}

/** Shorter strings are not worth a line of their own. */
const LONG_TEXT = 500;
const unsafeInText = /[\\\u0080-\uffff]/g;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isLongText(entry: [key: string, value: unknown]): entry is [string, string] {
  return typeof entry[1] === 'string' && entry[1].length > LONG_TEXT;
}

function toJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  return JSON.stringify(value, replacer)?.replace(beyondAscii, escaped);
}

/** Truncates every string, because the page controls the length of names and messages. */
function toBoundedWireText(value: unknown): string | undefined {
  return toJson(value, boundedEntry);
}

function boundedEntry(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > PAGE_BOUNDS.answerText
    ? `${value.slice(0, PAGE_BOUNDS.answerText)}…`
    : value;
}

const escapeByCharacter = new Map<string, string>();

// Cached, because a page repeats few non-ASCII characters, such as a currency sign, many times.
function escaped(character: string): string {
  const known = escapeByCharacter.get(character);
  if (known !== undefined) return known;
  const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapeByCharacter.set(character, escape);
  return escape;
}

export default { ...program, callForText };
