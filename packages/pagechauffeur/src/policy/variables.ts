import { shorten } from '../util/truncate.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import type { ModelVariable } from '../model/model-client.ts';
import type { DocumentOrigin } from '../injected/contract.ts';
import {
  type AgentOrigins,
  bindToOrigins,
  bindToSites,
  isSensitiveName,
  readOrigins,
  type VariableBinding,
} from './variable-origins.ts';
import { mayEnter, type Sink, type SinkFacts, sinkAdvice } from './variable-sinks.ts';
import { checkFlag, checkSpelling, describeValue } from '../util/check-argument.ts';
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

/**
 * The value of a variable, alone or with settings.
 * @example
 * const variables = {
 *   user: 'ada',
 *   password: { value: 'correct horse', origins: ['https://shop.example', 'https://*.shop.example'] },
 * };
 */
export type VariableValue = string | number | boolean | BoundValue;

/** The value of a variable, with settings. */
export interface BoundValue {
  readonly value: string | number | boolean;
  /** Shown to models next to the name. */
  readonly description?: string;
  /**
   * Binds the value: it is typed only into documents of these origins, including frames. `https://*.shop.example`
   * matches every subdomain, but not `https://shop.example` itself. Without a port, the default port of the scheme
   * applies; `:*` matches any port.
   */
  readonly origins?: readonly string[];
  /**
   * For agents: binds a value without `origins` to the sites in the instruction, else to the site of the start page,
   * else to the first site where it is typed. Default true for names such as `password`, `token`, `cardNumber`, `otp`,
   * `secret`, `pin` and `cvv`.
   */
  readonly sensitive?: boolean;
  /**
   * Passes the value to a custom tool when a model uses the placeholder in a call, even if the value is sensitive or
   * bound. Default: false.
   */
  readonly tools?: boolean;
}

/** Values for the `%name%` placeholders of an instruction, by name. */
export type Variables = Readonly<Record<string, VariableValue>>;

/** The variables of one call. Decides where their values may be used, and replaces placeholders. */
export class VariableTable implements Names {
  readonly #valueByName = new Map<string, string>();
  readonly #bindingByName = new Map<string, VariableBinding>();
  readonly #sensitive = new Set<string>();
  readonly #forTools = new Set<string>();
  #agent: AgentOrigins | undefined;
  readonly #known = new Map<string, ModelVariable>();
  /** Names that the instruction escapes as `%%name%%`. In this call, their placeholders are plain text. */
  readonly #literal = new Set<string>();

  constructor(variables: Variables = {}) {
    this.add(variables);
  }

  /** Names and descriptions, without values, for models. */
  get known(): readonly ModelVariable[] {
    return [...this.#known.values()].filter(({ name }) => this.has(name));
  }

  /** True if `%name%` has a value. */
  has(name: string): boolean {
    return this.#valueByName.has(name) && !this.#literal.has(name);
  }

  /** Adds variables. A variable with the same name is replaced. */
  add(variables: Variables): void {
    if (!isRecord(variables))
      throw new DriverInvalidArgumentError(
        `\`variables\` must be an object of names and values. Received ${describeValue(variables)}.`,
        { argument: 'variables' },
      );
    for (const [name, variable] of Object.entries(variables)) {
      const { value, description, origins, isSensitive, isForTools } = readVariable(name, variable);
      this.#valueByName.set(name, value);
      this.#known.set(name, description === undefined ? { name } : { name, description });
      this.#bindingByName.delete(name);
      this.#sensitive.delete(name);
      this.#forTools.delete(name);
      if (isForTools) this.#forTools.add(name);
      if (isSensitive) this.#sensitive.add(name);
      if (origins) this.#bindingByName.set(name, bindToOrigins(name, origins));
      else if (isSensitive && this.#agent) this.#bindingByName.set(name, bindToSites(name, this.#agent));
    }
  }

  /**
   * Reads an agent's task. The agent decides where to type, so from now on every sensitive variable without `origins`
   * is bound to the sites of the task, including variables that are added later.
   */
  readTask(written: string, startUrl: string): string {
    const task = this.readInstruction(written);
    const instruction = replacePlaceholders(task, this, (name) =>
      this.#sensitive.has(name) ? placeholderOf(name) : (this.#valueByName.get(name) ?? ''),
    );
    const agent = { instruction, startUrl };
    this.#agent = agent;
    for (const name of this.#sensitive)
      if (!this.#bindingByName.has(name)) this.#bindingByName.set(name, bindToSites(name, agent));
    return task;
  }

  /** Undefined if the variable is not bound. */
  bindingOf(name: string): VariableBinding | undefined {
    return this.#bindingByName.get(name);
  }

  /** Names of the variables that are bound to origins or sites. */
  get boundNames(): readonly string[] {
    return [...this.#bindingByName.keys()];
  }

  /** Returns the origins to which variables in the text are bound, or `undefined` if there are none. */
  originsOf(text: string): readonly string[] | undefined {
    const bound = this.namesIn(text).flatMap((name) => this.bindingOf(name)?.origins ?? []);
    return bound.length === 0 ? undefined : [...new Set(bound)];
  }

  /**
   * Returns a check that throws if a document must not receive the values in `texts`. Returns `undefined` if none of
   * them is bound.
   */
  documentCheck(texts: readonly string[]): ((document: DocumentOrigin) => void) | undefined {
    const bindings = new Set(texts.flatMap((text) => this.namesIn(text)).flatMap((name) => this.bindingOf(name) ?? []));
    if (bindings.size === 0) return undefined;
    return (document) => {
      for (const binding of bindings) binding.checkDocument(document);
    };
  }

  /**
   * Reads an instruction: keeps placeholders, and replaces `%%` with a percent sign. Throws if a placeholder has no
   * variable, or if a name is used both as a placeholder and as text (`%%name%%`).
   */
  readInstruction(written: string): string {
    const parts = placeholderParts(written, this, { isInstruction: true });
    this.#refuseUnknown(parts, { argument: 'The instruction', orElse: 'or write %% for a percent sign' });
    const text = parts.map((part) => part.text).join('');
    const mentioned = new Set(parts.filter((part) => part.kind === 'placeholder').map(({ name }) => name));
    const aside = parts.map((part) => (part.kind === 'placeholder' ? ' ' : part.text)).join('');
    const both = namedIn(placeholderParts(aside, this)).find((name) => mentioned.has(name));
    if (both !== undefined)
      throw new DriverInvalidArgumentError(
        `The instruction contains ${placeholderOf(both)} both as a placeholder and as literal text. Rename the variable.`,
        { argument: 'variables' },
      );
    for (const name of namedIn(placeholderParts(text, this))) if (!mentioned.has(name)) this.#literal.add(name);
    return text;
  }

  /** Throws if text other than an instruction contains a placeholder without a variable. */
  check(text: string, argument: string): void {
    const orElse = 'or make the text the value of a variable to use it literally';
    this.#refuseUnknown(placeholderParts(text, this), { argument, orElse });
  }

  /** Returns a message about placeholders without a variable, or `undefined` if there are none. */
  faultIn(texts: readonly string[]): string | undefined {
    const missing = texts.flatMap((text) => this.#missingAmong(placeholderParts(text, this)));
    return missing.length === 0 ? undefined : `There is no variable ${listOf(missing)}. ${this.#knownNames(missing)}`;
  }

  /**
   * Replaces placeholders with values. Placeholders inside a value are not replaced, and neither are those whose value
   * must not be sent to this sink.
   */
  expand(text: string, sink: Sink, trusted: readonly string[] = []): string {
    return replacePlaceholders(text, this, (name) => {
      const value = mayEnter(sink, this.#factsOf(name, trusted)) ? this.#valueByName.get(name) : undefined;
      return value ?? placeholderOf(name);
    });
  }

  /** Returns a message if a value in `texts` must not be sent to a sink, or `undefined` if all can be sent. */
  sinkFault(texts: readonly string[], sink: Sink, trusted: readonly string[] = []): string | undefined {
    const names = new Set(texts.flatMap((text) => this.namesIn(text)));
    for (const name of names) {
      const facts = this.#factsOf(name, trusted);
      if (!mayEnter(sink, facts)) return sinkAdvice(sink, placeholderOf(name), facts);
    }
    return undefined;
  }

  #factsOf(name: string, trusted: readonly string[]): SinkFacts {
    const isGuarded = this.#sensitive.has(name) || this.#bindingByName.has(name);
    return { name, isGuarded, isForTools: this.#forTools.has(name), isForServer: trusted.includes(name) };
  }

  /** Returns the names of all variables in a text. */
  namesIn(text: string): string[] {
    return placeholdersIn(text, this);
  }

  #refuseUnknown(parts: readonly TextPart[], { argument, orElse }: { argument: string; orElse: string }): void {
    const missing = this.#missingAmong(parts);
    if (missing.length === 0) return;
    throw new DriverInvalidArgumentError(
      `${argument} contains the placeholder ${listOf(missing)}, but there is no such variable. ${this.#knownNames(missing)} Add it to \`variables\`, ${orElse}.`,
      { argument: 'variables' },
    );
  }

  /** For `%foo%bar%`, reports only `foo`, because both cannot be placeholders. */
  #missingAmong(parts: readonly TextPart[]): string[] {
    return parts.flatMap((part, index) => {
      const isReported =
        part.kind === 'unknown' && parts[index - 1]?.kind !== 'unknown' && !this.#literal.has(part.name);
      return isReported ? [part.name] : [];
    });
  }

  #knownNames(missing: readonly string[]): string {
    const known = this.known.map(({ name }) => name);
    const nearest = missing.flatMap((name) => closestName(name, known) ?? []);
    const guess = nearest.length > 0 ? `Did you mean ${listOf([...new Set(nearest)])}? ` : '';
    return known.length > 0 ? `${guess}Known variables: ${listOf(known)}.` : 'No variables are defined.';
  }
}

function listOf(names: readonly string[]): string {
  return names.map((name) => shorten(placeholderOf(name))).join(', ');
}

/** Includes names in text that only looks like a placeholder. */
function namedIn(parts: readonly TextPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'text' ? [] : [part.name]));
}

/** Adds the variables of a call to a mask. Skips invalid ones, because the call itself throws. */
export function learnVariables(mask: ValueMask, options: unknown): void {
  const variables = isRecord(options) ? options['variables'] : undefined;
  if (!isRecord(variables)) return;
  for (const [name, variable] of Object.entries(variables)) {
    const value = isRecord(variable) ? variable['value'] : variable;
    // A boolean has only two values, so masking it would hide nothing.
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    mask.learn(name, String(value), { isSensitive: isDeclaredSensitive(name, variable) });
  }
}

function isDeclaredSensitive(name: string, variable: unknown): boolean {
  const sensitive = isRecord(variable) ? variable['sensitive'] : undefined;
  return typeof sensitive === 'boolean' ? sensitive : isSensitiveName(name);
}

interface ReadVariable {
  readonly value: string;
  readonly description: string | undefined;
  readonly origins: readonly string[] | undefined;
  readonly isSensitive: boolean;
  readonly isForTools: boolean;
}

const FIELDS: ReadonlySet<string> = new Set(['value', 'description', 'origins', 'sensitive', 'tools']);

function readVariable(name: string, variable: VariableValue): ReadVariable {
  const argument = `variables.${name}`;
  if (!isVariableName(name))
    throw new DriverInvalidArgumentError(
      `The name of a variable must contain only letters, digits, \`_\`, \`-\` and \`.\`. Received ${JSON.stringify(name)}.`,
      { argument },
    );
  const given: BoundValue = typeof variable === 'object' && variable !== null ? variable : { value: variable };
  const { value, description, origins, sensitive, tools = false } = given;
  if (!['string', 'number', 'boolean'].includes(typeof value)) {
    throw new DriverInvalidArgumentError(
      `${argument} must be a string, number or boolean, or { value, description }. Received ${describeValue(value)}.`,
      { argument },
    );
  }
  checkSpelling(Object.keys(given), FIELDS, `${argument}.`);
  checkFlag(`${argument}.sensitive`, sensitive);
  checkFlag(`${argument}.tools`, tools);
  return {
    value: String(value),
    description,
    origins: origins === undefined ? undefined : readOrigins(`${argument}.origins`, origins),
    isSensitive: sensitive ?? isSensitiveName(name),
    isForTools: tools,
  };
}
