/** The names that count as variables in `%name%`. */
export interface Names {
  has(name: string): boolean;
}

/** A piece of text that may be a `%name%` placeholder. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  /** `%name%` with a known name. */
  | { readonly kind: 'placeholder'; readonly text: string; readonly name: string }
  /** `%name%` with an unknown name, which is most likely a typo. `text` has no closing `%`. */
  | { readonly kind: 'unknown'; readonly text: string; readonly name: string };

interface ParseRules {
  /** True if `%%` is an escaped percent sign, as in instructions. */
  readonly isInstruction?: boolean;
}

const NAME = String.raw`[\p{L}\p{M}\p{N}_.-]+`;
const NAME_ALONE = new RegExp(`^${NAME}$`, 'u');
const PLACEHOLDER_AT = new RegExp(`%(${NAME})%`, 'uy');
const IDENTIFIER = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const TWO_HEX_DIGITS = /^[0-9a-f]{2}$/i;
const BYTE_AT = /%[0-9a-f]{2}/iy;

/** Accepts every likely name. For stored text whose variable names are no longer available. */
export const LIKELY_NAMES: Names = { has: (name) => IDENTIFIER.test(name) && !TWO_HEX_DIGITS.test(name) };

export function isVariableName(name: string): boolean {
  return NAME_ALONE.test(name);
}

/** A private-use character that replaces percent signs in page text. */
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

export function placeholderOf(name: string): string {
  return `%${name}%`;
}

/**
 * Splits text at `%name%`. A part is a `placeholder` if the name is known, and `unknown` if it is an identifier.
 * Percent-encoded sequences such as `%C3%A4pfel%20` and single percent signs stay text.
 */
export function placeholderParts(text: string, names: Names, { isInstruction = false }: ParseRules = {}): TextPart[] {
  const parts: TextPart[] = [];
  let read = 0;
  let endOfByte = -1;
  for (let at = text.indexOf('%'); at >= 0;) {
    const {
      part,
      length,
      isByte = false,
    } = percentSignAt(text, at, { names, isInstruction, isAfterByte: at === endOfByte });
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

/** Without `part`, the percent sign is ordinary text. */
interface PercentSign {
  readonly part?: TextPart;
  readonly length: number;
  readonly isByte?: boolean;
}

interface PercentSignRules {
  readonly names: Names;
  readonly isInstruction: boolean;
  /**
   * True if the text before is a percent-encoded byte. In `%C3%A4pfel%20`, `%A4` is then a byte too, not the start of a
   * name.
   */
  readonly isAfterByte: boolean;
}

function percentSignAt(text: string, at: number, { names, isInstruction, isAfterByte }: PercentSignRules): PercentSign {
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

export function placeholdersIn(text: string, names: Names): string[] {
  return placeholderParts(text, names).flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []));
}

/** Replaces each placeholder. Inserted values are not expanded again. */
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
