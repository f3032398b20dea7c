import { mapSchemas } from './json-schema.ts';
import type {
  JsonSchema,
  ModelCallResult,
  ModelMessage,
  ModelPageView,
  ModelRequest,
  ModelVariable,
} from './model-client.ts';
import type { SnapshotNode } from '../snapshot/snapshot-node.ts';
import { placeholderOf, replacePlaceholders } from '../util/placeholders.ts';
import { mapTexts, type ValueMask } from '../util/value-mask.ts';

/**
 * Replaces variable values in a request with placeholders, and restores them in the response. Values in the instruction
 * stay, because the user gave them to the model.
 */
export class MaskedQuestion {
  /** The request as the model receives it. */
  readonly request: ModelRequest;
  readonly #mask: ValueMask;
  readonly #named: ReadonlySet<string>;
  /** The unmasked messages, to find text that only looks like a placeholder. */
  readonly #messages: readonly ModelMessage[];
  readonly #writtenByPlaceholder = new Map<string, boolean>();
  readonly #valueByPlaceholder = new Map<string, string>();

  constructor(request: ModelRequest, mask: ValueMask) {
    this.#mask = mask;
    this.#named = mask.valuesIn(userText(request));
    this.#messages = request.messages;
    this.request = mask.isEmpty ? request : this.#masked(request);
  }

  /** The request for data that the caller receives: number fields accept placeholders, too. */
  get requestForData(): ModelRequest {
    const numbers = [...this.#valueByPlaceholder].filter(([, value]) => NUMBER.test(value));
    if (numbers.length === 0) return this.request;
    const names = numbers.map(([placeholder]) => placeholder + AS_NUMBER);
    return { ...this.request, schema: mapSchemas(this.request.schema, (schema) => orName(schema, names)) };
  }

  restored(output: unknown): unknown {
    return this.#valueByPlaceholder.size === 0 ? output : mapTexts(output, (text) => this.#restoredText(text));
  }

  #restoredText(text: string): string | number {
    const number = text.endsWith(AS_NUMBER)
      ? this.#valueByPlaceholder.get(text.slice(0, -AS_NUMBER.length))
      : undefined;
    if (number !== undefined) return Number(number);
    const hidden = { has: (name: string) => this.#valueByPlaceholder.has(placeholderOf(name)) };
    return replacePlaceholders(text, hidden, (name) => this.#valueByPlaceholder.get(placeholderOf(name)) ?? '');
  }

  /** True if the prompt itself contains this text. Then it is not a placeholder, and must stay in the response. */
  #isWritten(placeholder: string): boolean {
    const known = this.#writtenByPlaceholder.get(placeholder);
    if (known !== undefined) return known;
    const isWritten = this.#messages.some(({ text }) => text.includes(placeholder));
    this.#writtenByPlaceholder.set(placeholder, isWritten);
    return isWritten;
  }

  #masked(request: ModelRequest): ModelRequest {
    const messages = request.messages.map((message) => this.#maskedMessage(message));
    const variables = request.variables.map((variable) => this.#maskedVariable(variable));
    return { ...request, messages, variables, page: this.#maskedPage(request.page) };
  }

  #maskedVariable(variable: ModelVariable): ModelVariable {
    const { description } = variable;
    return description === undefined ? variable : { ...variable, description: this.#maskedText(description) };
  }

  /** System messages are from the library and the user, so they are not masked. */
  #maskedMessage(message: ModelMessage): ModelMessage {
    if (message.role === 'system') return message;
    const { text, calls, results } = message;
    const change = (plainText: string): string => this.#maskedText(plainText);
    return {
      ...message,
      text: change(text),
      ...(calls && { calls: calls.map((call) => ({ ...call, input: mapTexts(call.input, change) })) }),
      ...(results && { results: results.map((result) => maskedResult(result, change)) }),
    };
  }

  #maskedPage(page: ModelPageView): ModelPageView {
    const change = (text: string): string => this.#maskedText(text);
    let nodes: readonly SnapshotNode[] | undefined;
    return {
      url: change(page.url),
      title: change(page.title),
      text: change(page.text),
      get nodes() {
        nodes ??= maskedNodes(page.nodes, change);
        return nodes;
      },
    };
  }

  #maskedText(text: string): string {
    return this.#mask.mask(text, this.#named, ({ placeholder, value }) => {
      if (!this.#isWritten(placeholder)) this.#valueByPlaceholder.set(placeholder, value);
    });
  }
}

function maskedResult(result: ModelCallResult, change: (text: string) => string): ModelCallResult {
  const { text, openPages } = result;
  return {
    ...result,
    text: change(text),
    ...(openPages && {
      openPages: openPages.map((page) => ({ ...page, title: change(page.title), url: change(page.url) })),
    }),
  };
}

function userText({ instruction, intent }: ModelRequest): string {
  return [instruction, ...(intent?.kind === 'heal' ? intent.arguments : [])].join('\n');
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
/** Suffix that marks a number in a response, because the same digits can also be text, such as a postal code. */
const AS_NUMBER = ' as a number';

function orName(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const types: unknown[] = [schema['type']].flat();
  const isNumber = types.includes('number') || types.includes('integer');
  return isNumber ? { anyOf: [schema, { type: 'string', enum: names }] } : schema;
}

/** Masks the values of all fields together, because a variable value may be split over several fields. */
function maskedNodes(nodes: readonly SnapshotNode[], change: (text: string) => string): readonly SnapshotNode[] {
  const fields = nodes.flatMap(fieldsIn);
  const lines = change(fields.map(({ value }) => `= ${JSON.stringify(value)}`).join('\n')).split('\n');
  const valueByNode = new Map(
    fields.map((field, index) => [field, String(JSON.parse(lines[index]?.slice(2) ?? '""'))]),
  );
  return nodes.map((node) => maskedNode(node, change, valueByNode));
}

function fieldsIn(node: SnapshotNode): readonly SnapshotNode[] {
  return [...(node.value === undefined ? [] : [node]), ...node.children.flatMap(fieldsIn)];
}

function maskedNode(
  node: SnapshotNode,
  change: (text: string) => string,
  valueByNode: ReadonlyMap<SnapshotNode, string>,
): SnapshotNode {
  const { name, placeholder, description, url, options, children } = node;
  const value = valueByNode.get(node);
  return {
    ...node,
    name: change(name),
    ...(value === undefined ? {} : { value }),
    ...(placeholder === undefined ? {} : { placeholder: change(placeholder) }),
    ...(description === undefined ? {} : { description: change(description) }),
    ...(url === undefined ? {} : { url: change(url) }),
    ...(options === undefined ? {} : { options: options.map(change) }),
    children: children.map((child) => maskedNode(child, change, valueByNode)),
  };
}
