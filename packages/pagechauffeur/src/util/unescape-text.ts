export interface Unescaped {
  readonly text: string;
  /** Start of each character in the original text. */
  readonly starts: Int32Array;
  /** End of each character in the original text, exclusive. */
  readonly ends: Int32Array;
}

/** Escapes in JSON, JavaScript, URLs and HTML, and letters with combining marks. */
const ESCAPES =
  /\\u\{[\da-f]{1,6}\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\["'`\\/bfnrt]|(?:%[\da-f]{2})+|&#x[\da-f]{1,6};|&#\d{1,7};|&(?:amp|apos|gt|lt|nbsp|quot);|\p{L}\p{M}+/giu;
/** Every escape contains one of these. Other text is skipped. */
const SIGNS = /[\\%&\p{M}]/u;
/** Nested escapes: JSON inside JSON, or HTML inside a URL. */
const MAX_LEVELS = 3;

/** Removes escapes level by level. Returns the text after each level, or an empty array if there are no escapes. */
export function unescapedForms(text: string): readonly Unescaped[] {
  const forms: Unescaped[] = [];
  for (let form = unescapeOnce(text); form && forms.length < MAX_LEVELS; form = nextLevel(form)) forms.push(form);
  return forms;
}

function nextLevel({ text, starts, ends }: Unescaped): Unescaped | undefined {
  const next = unescapeOnce(text);
  return (
    next && {
      text: next.text,
      starts: next.starts.map((index) => starts[index] ?? 0),
      ends: next.ends.map((index) => ends[index - 1] ?? 0),
    }
  );
}

function unescapeOnce(text: string): Unescaped | undefined {
  if (!SIGNS.test(text)) return undefined;
  // Unescaped text is never longer, so the original length is enough.
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let length = 0;
  let end = 0;
  const keep = (until: number): void => {
    for (let index = end; index < until; index += 1) {
      starts[length] = index;
      ends[length] = index + 1;
      length += 1;
    }
  };
  const plain = text.replace(ESCAPES, (escape: string, at: number) => {
    // The forms of a value have spaces instead of line breaks. See `formsOf` in value-mask.ts.
    const replacement = meaningOf(escape).replaceAll(/\s/g, ' ');
    keep(at);
    end = at + escape.length;
    starts.fill(at, length, length + replacement.length);
    ends.fill(end, length, length + replacement.length);
    length += replacement.length;
    return replacement;
  });
  if (plain === text) return undefined;
  keep(text.length);
  return { text: plain, starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', nbsp: ' ', quot: '"' };
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function meaningOf(escape: string): string {
  const kind = escape.charAt(1);
  switch (escape.charAt(0)) {
    case '%':
      return Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
    case '&':
      if (kind !== '#') return ENTITIES[escape.slice(1, -1).toLowerCase()] ?? escape;
      return characterOf(Number(escape.slice(2, -1).replace(/^x/i, '0x')), escape);
    case '\\':
      if (escape.length === 2) return CONTROLS[kind] ?? kind;
      return characterOf(Number.parseInt(escape.slice(2).replace('{', ''), 16), escape);
    default:
      return escape.normalize('NFC');
  }
}

function characterOf(code: number, escape: string): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : escape;
}
