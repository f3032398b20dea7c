import { DriverInvalidArgumentError } from '../errors.ts';
import type { ModelVariable } from '../model/model-client.ts';
import { describeValue } from '../util/check-argument.ts';
import { isRecord } from '../util/is-record.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** A variable's value, alone or with a description that models may read. */
export type VariableValue =
  | string
  | number
  | boolean
  | { readonly value: string | number | boolean; readonly description?: string };

/** Values for the `%name%` placeholders of an instruction, by name. */
export type Variables = Readonly<Record<string, VariableValue>>;

const PLACEHOLDER = /%([A-Za-z_][\w-]*)%/g;

/**
 * The variables of one call. Values leave it only through {@link VariableTable.expand}, whose result goes to the
 * browser's input and nowhere else.
 */
export class VariableTable {
  readonly #valueByName = new Map<string, string>();
  readonly #known = new Map<string, ModelVariable>();

  constructor(variables: Variables = {}) {
    this.add(variables);
  }

  /** Names and descriptions, as models see them. */
  get known(): readonly ModelVariable[] {
    return [...this.#known.values()];
  }

  /** Takes in more variables; one of a name that is there replaces it. */
  add(variables: Variables): void {
    for (const [name, variable] of Object.entries(variables)) {
      const { value, description } = readVariable(name, variable);
      this.#valueByName.set(name, value);
      this.#known.set(name, description === undefined ? { name } : { name, description });
    }
  }

  /** Throws when the text has a placeholder that no variable fills. */
  check(text: string, argument: string): void {
    const missing = this.missingIn(text);
    if (missing.length === 0) return;
    const names = this.known.map(({ name }) => `%${name}%`).join(', ') || 'none';
    throw new DriverInvalidArgumentError(
      `${argument} has the placeholder ${missing.join(', ')}, for which there is no variable. Given: ${names}. Add it to \`variables\`.`,
      { argument: 'variables' },
    );
  }

  /** The placeholders in a text that no variable fills. */
  missingIn(text: string): string[] {
    return [...text.matchAll(PLACEHOLDER)]
      .filter(([, name = '']) => !this.#valueByName.has(name))
      .map(([placeholder]) => placeholder);
  }

  /** The text with values in place of placeholders; a value that looks like a placeholder stays as it is. */
  expand(text: string): string {
    return text.replace(PLACEHOLDER, (placeholder, name: string) => this.#valueByName.get(name) ?? placeholder);
  }

  /** The values that {@link expand} puts into a text. */
  valuesIn(text: string): string[] {
    return [...text.matchAll(PLACEHOLDER)].flatMap(([, name = '']) => this.#valueByName.get(name) ?? []);
  }
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
  if (!/^[A-Za-z_][\w-]*$/.test(name))
    throw new DriverInvalidArgumentError(
      `A variable's name has letters, digits, _ and - only and begins with a letter; this one is ${JSON.stringify(name)}.`,
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
