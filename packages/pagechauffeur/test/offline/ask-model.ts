import type { ActAnswer, ModelResponse, ModelVerb, ObserveAnswer } from '../../src/model/model-client.ts';
import { LexicalModel } from '../../src/offline/lexical-model.ts';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';

const model = new LexicalModel();
const TEXT = { type: 'object', properties: { extraction: { type: 'string' } }, required: ['extraction'] };

/** A line of a snapshot that cannot be acted on. */
export function line(role: string, name: string, children: readonly SnapshotNode[] = [], level?: number): SnapshotNode {
  return { role, name, states: [], children, ...(level !== undefined && { level }) };
}

/** A line of a snapshot with a ref. */
export function element(ref: string, role: string, name: string): SnapshotNode {
  return { ...line(role, name), ref };
}

/** Asks the model about a page of these nodes. */
export function ask(
  verb: ModelVerb,
  instruction: string,
  { schema = TEXT, nodes }: { schema?: object; nodes: readonly SnapshotNode[] },
): Promise<ModelResponse> {
  return model.generate({
    verb,
    instruction,
    page: { nodes, title: 'Shop', url: 'https://shop.test/', text: '' },
    variables: [],
    messages: [],
    schema: { ...schema },
    schemaName: 'answer',
    signal: new AbortController().signal,
  });
}

/** The answer to an `act`. */
export async function stepFor(instruction: string, nodes: readonly SnapshotNode[]): Promise<ActAnswer> {
  return (await ask('act', instruction, { nodes })).output as ActAnswer;
}

/** The refs that an `observe` finds. */
export async function refsOf(instruction: string, nodes: readonly SnapshotNode[]): Promise<readonly string[]> {
  const { elements } = (await ask('observe', instruction, { nodes })).output as ObserveAnswer;
  return elements.map(({ ref }) => ref);
}
