/** Writes texts of a run as code: placeholders of the script's variables become what the variables hold. */
export class Literals {
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** A text as code: a string, a variable, or both in a template. */
  text(text: string): string {
    const parts = this.#parts(text);
    const [only] = parts;
    if (parts.every(({ kind }) => kind === 'words')) return quoted(text);
    if (only && parts.length === 1) return only.code;
    return `\`${parts.map(({ kind, words, code }) => (kind === 'words' ? inTemplate(words) : `\${${code}}`)).join('')}\``;
  }

  /** Texts as the code of a list. */
  list(texts: readonly string[]): string {
    return `[${texts.map((text) => this.text(text)).join(', ')}]`;
  }

  #parts(text: string): readonly TextPart[] {
    return text
      .split(PLACEHOLDER)
      .map((words, index): TextPart => {
        const isName = index % 2 === 1;
        if (!isName) return { kind: 'words', words, code: '' };
        if (!this.#names.has(words)) return { kind: 'words', words: `%${words}%`, code: '' };
        return { kind: 'variable', words, code: variableCode(words) };
      })
      .filter(({ kind, words }) => kind === 'variable' || words !== '');
  }
}

interface TextPart {
  readonly kind: 'words' | 'variable';
  readonly words: string;
  readonly code: string;
}

const PLACEHOLDER = /%([A-Za-z_][\w-]*)%/;

/** The name of a property as code. */
export function propertyCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
}

/** A text as a string literal. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function variableCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `variables.${name}` : `variables[${quoted(name)}]`;
}

function inTemplate(words: string): string {
  return JSON.stringify(words).slice(1, -1).replaceAll('\\"', '"').replaceAll('`', '\\`').replaceAll('${', '\\${');
}
