/** The names that stand for something, such as those of a call's variables. */
export interface Names {
  has(name: string): boolean;
}

/** A piece of a text that may hold `%name%` placeholders. The pieces' `text` gives the whole again. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A placeholder of a known name. */
  | { readonly kind: 'placeholder'; readonly text: string; readonly name: string }
  /** `%name`, followed by a percent sign, with a name that nobody knows: a typing error rather than a text. */
  | { readonly kind: 'unknown'; readonly text: string; readonly name: string };

interface ReadingRules {
  /** Whether `%%` writes a percent sign, as it does in an instruction; its piece is then `%`. Default false. */
  readonly isInstruction?: boolean;
}

/** Letters and digits of any script, `_`, `-` and `.`. */
const NAME = String.raw`[\p{L}\p{M}\p{N}_.-]+`;
const NAME_ALONE = new RegExp(`^${NAME}$`, 'u');
const PLACEHOLDER_AT = new RegExp(`%(${NAME})%`, 'uy');
const IDENTIFIER = /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*$/u;
const TWO_HEX_DIGITS = /^[0-9a-f]{2}$/i;
/** A byte as an address writes it: `%E4`. */
const BYTE_AT = /%[0-9a-f]{2}/iy;

/** Names that a placeholder probably has, for texts whose variables are not known any more. */
export const LIKELY_NAMES: Names = { has: (name) => IDENTIFIER.test(name) && !TWO_HEX_DIGITS.test(name) };

/** Whether a variable may have this name. */
export function isVariableName(name: string): boolean {
  return NAME_ALONE.test(name);
}

/** Stands for a percent sign of a page, which begins no placeholder. Unicode keeps it for private use. */
const PAGE_PERCENT = '\uF8FE';
const BEFORE_NAME = new RegExp(`%(?=${NAME}%)`, 'gu');

/** A text of a page as a record keeps it: what looks like a placeholder in it is none. */
export function pageText(text: string): string {
  return text.replace(BEFORE_NAME, PAGE_PERCENT);
}

/** The text as the page had it. */
export function withPercentSigns(text: string): string {
  return text.replaceAll(PAGE_PERCENT, '%');
}

/** The placeholder of a name. */
export function placeholderOf(name: string): string {
  return `%${name}%`;
}

/**
 * Reads a text from left to right. `%name%` is a placeholder if the name is known. Otherwise it is `unknown` if the name is an identifier,
 * and neither two hexadecimal digits nor one of a row of such bytes (`%C3%A4pfel%20`). Any other percent sign is text.
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

/** What begins at a percent sign, and how long it is. Without a `part` it is text like that around it. */
interface Sign {
  readonly part?: TextPart;
  readonly length: number;
  readonly isByte?: boolean;
}

interface SignRules {
  readonly names: Names;
  readonly isInstruction: boolean;
  /** Whether a byte ends where this sign stands. */
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

/** The names of the placeholders in a text, in their order. */
export function placeholdersIn(text: string, names: Names): string[] {
  return placeholderParts(text, names).flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []));
}

/** The text with something else in place of each placeholder. What is put in is not read again. */
export function replacePlaceholders(text: string, names: Names, valueOf: (name: string) => string): string {
  if (!text.includes('%')) return text;
  return placeholderParts(text, names)
    .map((part) => (part.kind === 'placeholder' ? valueOf(part.name) : part.text))
    .join('');
}

/** Whether a text is one placeholder and nothing else. */
export function isPlaceholder(text: string, names: Names): boolean {
  const [first, ...others] = placeholderParts(text, names);
  return first?.kind === 'placeholder' && others.length === 0;
}
