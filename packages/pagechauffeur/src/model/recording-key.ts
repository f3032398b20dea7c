import { createHash } from 'node:crypto';
import type { SnapshotNode } from '../snapshot/snapshot-node.ts';
import { isRecord, mapValues } from './json-schema.ts';
import type { ModelMessage, ModelPageView, ModelRequest } from './model-client.ts';
import { shownRefs } from './page-view.ts';

/**
 * Renames the refs on a page to `@1`, `@2` and so on, from top to bottom. The names stay the same when ref numbers
 * change.
 */
export class RefNames {
  readonly #nameByRef = new Map<string, string>();
  readonly #refByName = new Map<string, string>();

  constructor(page: Pick<ModelPageView, 'nodes'>) {
    for (const ref of shownRefs(page)) {
      const name = `@${this.#nameByRef.size + 1}`;
      this.#nameByRef.set(ref, name);
      this.#refByName.set(name, ref);
    }
  }

  /** Replaces strings that are refs with their names. */
  replace(data: unknown): unknown {
    return mapStrings(data, (text) => this.#nameByRef.get(text) ?? text);
  }

  /** Replaces refs inside text with their names. */
  replaceIn(text: string): string {
    return text.replace(/\b(?:f\d+)*e\d+\b/g, (ref) => this.#nameByRef.get(ref) ?? ref);
  }

  /** Reverts {@link replace}, on a page with the same lines. */
  restore(data: unknown): unknown {
    return mapStrings(data, (text) => this.#refByName.get(text) ?? text);
  }
}

function mapStrings(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data);
  if (Array.isArray(data)) return data.map((item) => mapStrings(item, change));
  return isRecord(data) ? mapValues(data, (value) => mapStrings(value, change)) : data;
}

/**
 * Returns a key that identifies a request. It does not depend on the wording of prompts, or on values that change
 * between runs, such as ports.
 */
export function recordingKey(request: ModelRequest, names: RefNames): string {
  const { verb, instruction, intent, variables, schemaName, schema, page, messages } = request;
  const identity = {
    verb,
    instruction,
    ...(intent?.kind === 'heal' && { intent }),
    variables: variables.map(({ name }) => name).toSorted(),
    schemaName,
    schema,
    page: { url: withoutPort(page.url), title: page.title, lines: page.nodes.map((node) => line(node, names)) },
    turns: laterTurns(messages).map((message) => turnOf(message, (text) => names.replaceIn(stableText(text)))),
  };
  return createHash('sha256').update(JSON.stringify(identity, sortedKeys)).digest('hex').slice(0, KEY_LENGTH);
}

/** 64 bits in hexadecimal, enough for any number of recordings. */
const KEY_LENGTH = 16;

function line(node: SnapshotNode, names: RefNames): unknown {
  const { ref, url, children, ...shown } = node;
  return {
    ...shown,
    ...(ref === undefined ? {} : { ref: names.replace(ref) }),
    ...(url === undefined ? {} : { url: withoutPort(url) }),
    children: children.map((child) => line(child, names)),
  };
}

/** Returns the messages from the model's first response on: the repair of a response, or the steps of an agent. */
function laterTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  return first < 0 ? [] : messages.slice(first);
}

function turnOf({ role, text, calls, results }: ModelMessage, change: (text: string) => string): unknown {
  return {
    role,
    text: change(text),
    ...(calls && { calls: calls.map(({ tool, input }) => mapStrings({ tool, input }, change)) }),
    ...(results && { results: results.map(({ tool, text: resultText }) => ({ tool, text: change(resultText) })) }),
  };
}

/** Removes server ports and boundary lines, which are different in each run. */
function stableText(text: string): string {
  return withoutPort(text).replace(/^page-\d{20}$/gm, 'page');
}

function withoutPort(text: string): string {
  return text.replace(/(?<=\b(?:localhost|127\.0\.0\.1)|\[::1\]):\d+/g, '');
}

function sortedKeys(_key: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}
