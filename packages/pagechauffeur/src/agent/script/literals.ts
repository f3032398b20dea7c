import { type Names, placeholderParts, withPercentSigns } from '../../util/placeholders.ts';

/**
 * Writes texts of a run as code. Placeholders of the script's variables become variable references. Page text that looks like a placeholder
 * stays text, because otherwise the page would receive the value.
 */
export class Literals {
  readonly #names: Names;
  /** Origins that the variables in a text are bound to. */
  readonly originsOf: (text: string) => readonly string[] | undefined;

  constructor(names: readonly string[], originsOf: Literals['originsOf']) {
    this.#names = new Set(names);
    this.originsOf = originsOf;
  }

  /** A text as code: a string, a variable, or a template with both. */
  text(text: string): string {
    const parts = placeholderParts(text, this.#names);
    const [only, ...others] = parts;
    if (only?.kind === 'placeholder' && others.length === 0) return variableCode(only.name);
    if (parts.every(({ kind }) => kind !== 'placeholder')) return quoted(text);
    const pieces = parts.map((part) =>
      part.kind === 'placeholder' ? `\${${variableCode(part.name)}}` : inTemplate(part.text),
    );
    return `\`${pieces.join('')}\``;
  }

  /** Texts as the code of an array. */
  list(texts: readonly string[]): string {
    return `[${texts.map((text) => this.text(text)).join(', ')}]`;
  }
}

/** A property name as code. */
export function propertyCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
}

/** A text as a string literal. */
export function quoted(text: string): string {
  return `'${JSON.stringify(withPercentSigns(text)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function variableCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `variables.${name}` : `variables[${quoted(name)}]`;
}

function inTemplate(words: string): string {
  return JSON.stringify(withPercentSigns(words))
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${');
}
