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

/** CDP transfers strings much faster than objects, and ASCII strings twice as fast as others. */
function toWireText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string | undefined {
  return JSON.stringify(value, replacer)?.replace(beyondAscii, escaped);
}

/** Truncates every string, because the page controls the length of names and messages. */
function toBoundedWireText(value: unknown): string | undefined {
  return toWireText(value, boundedEntry);
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
