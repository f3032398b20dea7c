import { type Names, placeholderParts, withPercentSigns } from '../../util/placeholders.ts';

/**
 * Converts strings of a run to code. `%name%` becomes `variables.name` if the run has that variable. Page text that
 * only looks like a placeholder stays text, so that the page does not receive the value.
 */
export class Literals {
  readonly #names: Names;
  /** Returns the origins that the variables in `text` are bound to. */
  readonly originsOf: (text: string) => readonly string[] | undefined;

  constructor(names: readonly string[], originsOf: Literals['originsOf']) {
    this.#names = new Set(names);
    this.originsOf = originsOf;
  }

  /** Returns a string literal, a variable, or a template literal. */
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

  list(texts: readonly string[]): string {
    return `[${texts.map((text) => this.text(text)).join(', ')}]`;
  }
}

export function propertyCode(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
}

/** Returns a string literal in single quotes. */
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
