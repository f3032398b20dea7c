import { type Names, placeholderParts, withPercentSigns } from '../../util/placeholders.ts';

/**
 * Converts strings of a run to code. Placeholders become references to the variables of the script. Page text that only
 * looks like a placeholder stays a string, because the page must not receive the value.
 */
export class Literals {
  readonly #names: Names;
  /** Returns the origins that the variables in a string are bound to. */
  readonly originsOf: (text: string) => readonly string[] | undefined;

  constructor(names: readonly string[], originsOf: Literals['originsOf']) {
    this.#names = new Set(names);
    this.originsOf = originsOf;
  }

  /** Converts a string to code: a string literal, a variable, or a template literal with both. */
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

  /** Converts strings to the code of an array. */
  list(texts: readonly string[]): string {
    return `[${texts.map((text) => this.text(text)).join(', ')}]`;
  }
}

/** Converts a property name to code. */
export function propertyCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
}

/** Converts a string to a string literal. */
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
