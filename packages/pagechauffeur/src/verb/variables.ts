import { DriverInvalidArgumentError } from '../errors.ts';
import type { ModelVariable } from '../model/model-client.ts';
import { describeValue } from '../util/check-argument.ts';
import { isRecord } from '../util/is-record.ts';
import { closestName } from '../util/nearest-name.ts';
import {
  isVariableName,
  type Names,
  placeholderOf,
  placeholderParts,
  placeholdersIn,
  replacePlaceholders,
  type TextPart,
} from '../util/placeholders.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** A variable's value, alone or with a description that models may read. */
export type VariableValue =
  | string
  | number
  | boolean
  | { readonly value: string | number | boolean; readonly description?: string };

/** Values for the `%name%` placeholders of an instruction, by name. */
export type Variables = Readonly<Record<string, VariableValue>>;

/**
 * The variables of one call. Values leave it only through {@link VariableTable.expand}, whose result goes to the
 * browser's input and nowhere else.
 */
export class VariableTable implements Names {
  readonly #valueByName = new Map<string, string>();
  readonly #known = new Map<string, ModelVariable>();
  /** Names that the instruction writes as text, by `%%name%%`: in this call their placeholders are text everywhere. */
  readonly #literal = new Set<string>();

  constructor(variables: Variables = {}) {
    this.add(variables);
  }

  /** Names and descriptions, as models see them. */
  get known(): readonly ModelVariable[] {
    return [...this.#known.values()].filter(({ name }) => this.has(name));
  }

  /** Whether `%name%` stands for a value. */
  has(name: string): boolean {
    return this.#valueByName.has(name) && !this.#literal.has(name);
  }

  /** Takes in more variables; one of a name that is there replaces it. */
  add(variables: Variables): void {
    if (!isRecord(variables))
      throw new DriverInvalidArgumentError(
        `\`variables\` must be an object of names and values. Received ${describeValue(variables)}.`,
        { argument: 'variables' },
      );
    for (const [name, variable] of Object.entries(variables)) {
      const { value, description } = readVariable(name, variable);
      this.#valueByName.set(name, value);
      this.#known.set(name, description === undefined ? { name } : { name, description });
    }
  }

  /**
   * An instruction as it reads: its placeholders as they are, `%%` as a percent sign. Throws if a placeholder has no variable, or if
   * the same name stands for its value and, by `%%name%%`, for itself.
   */
  readInstruction(written: string): string {
    const parts = placeholderParts(written, this, { isInstruction: true });
    this.#refuseUnknown(parts, { argument: 'The instruction', orElse: 'or write %% for a percent sign' });
    const text = parts.map((part) => part.text).join('');
    const meant = new Set(parts.filter((part) => part.kind === 'placeholder').map(({ name }) => name));
    const aside = parts.map((part) => (part.kind === 'placeholder' ? ' ' : part.text)).join('');
    const both = namedIn(placeholderParts(aside, this)).find((name) => meant.has(name));
    if (both !== undefined)
      throw new DriverInvalidArgumentError(
        `The instruction has ${placeholderOf(both)} as a placeholder and as text. Give the variable another name.`,
        { argument: 'variables' },
      );
    for (const name of namedIn(placeholderParts(text, this))) if (!meant.has(name)) this.#literal.add(name);
    return text;
  }

  /** Throws if a text that is no instruction has a placeholder without a variable. */
  check(text: string, argument: string): void {
    const orElse = 'or make the text the value of a variable if it is to be used as it is';
    this.#refuseUnknown(placeholderParts(text, this), { argument, orElse });
  }

  /** What is wrong with texts that have placeholders without a variable; undefined if there are none. */
  faultIn(texts: readonly string[]): string | undefined {
    const missing = texts.flatMap((text) => this.#missingAmong(placeholderParts(text, this)));
    return missing.length === 0 ? undefined : `There is no variable ${listOf(missing)}. ${this.#knownNames(missing)}`;
  }

  /** The text with values in place of placeholders; a value that looks like a placeholder stays as it is. */
  expand(text: string): string {
    return replacePlaceholders(text, this, (name) => this.#valueByName.get(name) ?? placeholderOf(name));
  }

  /** The variables whose values {@link expand} puts into a text. */
  namesIn(text: string): string[] {
    return placeholdersIn(text, this);
  }

  /** The values that {@link expand} puts into a text. */
  valuesIn(text: string): string[] {
    return this.namesIn(text).flatMap((name) => this.#valueByName.get(name) ?? []);
  }

  #refuseUnknown(parts: readonly TextPart[], { argument, orElse }: { argument: string; orElse: string }): void {
    const missing = this.#missingAmong(parts);
    if (missing.length === 0) return;
    throw new DriverInvalidArgumentError(
      `${argument} has the placeholder ${listOf(missing)}, and there is no such variable. ${this.#knownNames(missing)} Add it to \`variables\`, ${orElse}.`,
      { argument: 'variables' },
    );
  }

  /** Of `%foo%bar%` the first is told: both cannot be placeholders. */
  #missingAmong(parts: readonly TextPart[]): string[] {
    return parts.flatMap((part, index) => {
      const isTold = part.kind === 'unknown' && parts[index - 1]?.kind !== 'unknown' && !this.#literal.has(part.name);
      return isTold ? [part.name] : [];
    });
  }

  #knownNames(missing: readonly string[]): string {
    const known = this.known.map(({ name }) => name);
    const nearest = missing.flatMap((name) => closestName(name, known) ?? []);
    const guess = nearest.length > 0 ? `Did you mean ${listOf([...new Set(nearest)])}? ` : '';
    return known.length > 0 ? `${guess}There are: ${listOf(known)}.` : 'There are none.';
  }
}

function listOf(names: readonly string[]): string {
  return names.map(placeholderOf).join(', ');
}

/** The names in what is, or looks like, a placeholder. */
function namedIn(parts: readonly TextPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
}

/** Lets a mask know the values of the variables among a call's options; what is no variable is refused where it is used. */
export function learnVariables(mask: ValueMask, options: unknown): void {
  const variables = isRecord(options) ? options['variables'] : undefined;
  if (!isRecord(variables)) return;
  for (const [name, variable] of Object.entries(variables)) {
    const value = isRecord(variable) ? variable['value'] : variable;
    // There are two truth values: masking one would hide nothing.
    if (typeof value === 'string' || typeof value === 'number') mask.learn(name, String(value));
  }
}

function readVariable(name: string, variable: VariableValue): { value: string; description: string | undefined } {
  const argument = `variables.${name}`;
  if (!isVariableName(name))
    throw new DriverInvalidArgumentError(
      `A variable's name must have letters, digits, \`_\`, \`-\` and \`.\` only. Received ${JSON.stringify(name)}.`,
      { argument },
    );
  const { value, description } =
    typeof variable === 'object' && variable !== null ? variable : { value: variable, description: undefined };
  if (!['string', 'number', 'boolean'].includes(typeof value)) {
    throw new DriverInvalidArgumentError(
      `${argument} must be a string, number or boolean, or { value, description }; it is ${describeValue(value)}.`,
      { argument },
    );
  }
  return { value: String(value), description };
}
