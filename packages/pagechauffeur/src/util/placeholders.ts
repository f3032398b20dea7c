/** Known placeholder names, such as the names of a call's variables. */
export interface Names {
  has(name: string): boolean;
}

/** Part of a text that may contain `%name%` placeholders. Concatenating `text` of all parts gives the original text. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A placeholder with a known name. */
  | { readonly kind: 'placeholder'; readonly text: string; readonly name: string }
  /** `%name%` with an unknown name. Most likely a typo. */
  | { readonly kind: 'unknown'; readonly text: string; readonly name: string };

interface ReadingRules {
  /** True if `%%` stands for one percent sign, as in instructions. The part's text is then `%`. Default: false. */
  readonly isInstruction?: boolean;
}

/** Letters and digits of any script, `_`, `-` and `.`. */
const NAME = String.raw`[\p{L}\p{M}\p{N}_.-]+`;
const NAME_ALONE = new RegExp(`^${NAME}$`, 'u');
const PLACEHOLDER_AT = new RegExp(`%(${NAME})%`, 'uy');
const IDENTIFIER = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const TWO_HEX_DIGITS = /^[0-9a-f]{2}$/i;
/** A percent-encoded byte: `%E4`. */
const BYTE_AT = /%[0-9a-f]{2}/iy;

/** Accepts every name that looks like a placeholder's. For texts whose variables are no longer known. */
export const LIKELY_NAMES: Names = { has: (name) => IDENTIFIER.test(name) && !TWO_HEX_DIGITS.test(name) };

/** True if a variable may have this name. */
export function isVariableName(name: string): boolean {
  return NAME_ALONE.test(name);
}

/** Replaces percent signs of page text, so that they never start a placeholder. A private-use character. */
const PAGE_PERCENT = '\uF8FE';
const BEFORE_NAME = new RegExp(`%(?=${NAME}%)`, 'gu');

/** Escapes page text for a stored record, so that it contains no placeholders. */
export function pageText(text: string): string {
  return text.replace(BEFORE_NAME, PAGE_PERCENT);
}

/** Reverts {@link pageText}. */
export function withPercentSigns(text: string): string {
  return text.replaceAll(PAGE_PERCENT, '%');
}

/** Returns the placeholder of a variable name. */
export function placeholderOf(name: string): string {
  return `%${name}%`;
}

/**
 * Splits a text from left to right. `%name%` is a `placeholder` if the name is known. It is `unknown` if the name is an
 * identifier,
 * unless it consists of two hex digits or is part of a percent-encoded sequence (`%C3%A4pfel%20`). Any other percent
 * sign is text.
 */
export function placeholderParts(text: string, names: Names, { isInstruction = false }: ReadingRules = {}): TextPart[] {
  const parts: TextPart[] = [];
  let read = 0;
  let endOfByte = -1;
  for (let at = text.indexOf('%'); at >= 0;) {
    const { part, length, isByte = false } = signAt(text, at, { names, isInstruction, isAfterByte: at === endOfByte });
    const end = at + length;
    if (part) {
      if (at > read) parts.push({ kind: 'text', text: text.slice(read, at) });
      parts.push(part);
      read = end;
    }
    if (isByte) endOfByte = end;
    at = text.indexOf('%', end);
  }
  if (read < text.length) parts.push({ kind: 'text', text: text.slice(read) });
  return parts;
}

/** The part that starts at a percent sign, and its length. Without `part`, the sign is ordinary text. */
interface Sign {
  readonly part?: TextPart;
  readonly length: number;
  readonly isByte?: boolean;
}

interface SignRules {
  readonly names: Names;
  readonly isInstruction: boolean;
  /** True if a percent-encoded byte ends directly before this sign. */
  readonly isAfterByte: boolean;
}

function signAt(text: string, at: number, { names, isInstruction, isAfterByte }: SignRules): Sign {
  const [whole = '', name = ''] = matchAt(PLACEHOLDER_AT, text, at) ?? [];
  if (whole !== '' && names.has(name))
    return { part: { kind: 'placeholder', text: whole, name }, length: whole.length };
  if (isInstruction && text[at + 1] === '%') return { part: { kind: 'text', text: '%' }, length: 2 };
  const isByte = TWO_HEX_DIGITS.test(name) || (isAfterByte && matchAt(BYTE_AT, text, at) !== null);
  if (isByte) return { length: 3, isByte };
  if (!IDENTIFIER.test(name)) return { length: 1 };
  return { part: { kind: 'unknown', text: `%${name}`, name }, length: name.length + 1 };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns the names of all placeholders in order. */
export function placeholdersIn(text: string, names: Names): string[] {
  return placeholderParts(text, names).flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []));
}

/** Replaces each placeholder. Inserted text is not expanded again. */
export function replacePlaceholders(text: string, names: Names, valueOf: (name: string) => string): string {
  if (!text.includes('%')) return text;
  return placeholderParts(text, names)
    .map((part) => (part.kind === 'placeholder' ? valueOf(part.name) : part.text))
    .join('');
}

/** True if the text is exactly one placeholder. */
export function isPlaceholder(text: string, names: Names): boolean {
  const [first, ...others] = placeholderParts(text, names);
  return first?.kind === 'placeholder' && others.length === 0;
}
