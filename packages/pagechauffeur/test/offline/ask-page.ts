import type { PageTarget } from '../../src/cdp/page-target.ts';
import type { World } from '../../src/cdp/world.ts';
import type { ActAnswer } from '../../src/model/model-client.ts';
import { LexicalModel } from '../../src/offline/lexical-model.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import type { InstructionCase } from './instructions/instruction-case.ts';

/** What came of one sentence. */
export interface Outcome {
  readonly sentence: InstructionCase;
  readonly verdict: 'right' | 'refused' | 'wrong';
  readonly answer: ActAnswer;
}

const model = new LexicalModel();

/** Takes a snapshot of a page. */
export async function look(page: PageTarget): Promise<Snapshot> {
  using progress = new Progress({ operation: 'look', timeout: 20_000 });
  return await takeSnapshot(progress, page, { withTree: true });
}

/** Says a sentence to the model about a page and compares its answer with what a person would do. */
export async function say(page: PageTarget, snapshot: Snapshot, sentence: InstructionCase): Promise<Outcome> {
  const answer = await ask(snapshot, sentence);
  const expected = await expectedRefs(page, snapshot, sentence);
  return { sentence, answer, verdict: verdictOn(answer, expected, sentence) };
}

async function ask(snapshot: Snapshot, { say: instruction, variables = [] }: InstructionCase): Promise<ActAnswer> {
  const { output } = await model.generate({
    verb: 'act',
    instruction,
    page: snapshot,
    variables: variables.map((name) => ({ name })),
    messages: [],
    schema: {},
    schemaName: 'act_answer',
    signal: new AbortController().signal,
  });
  return output as ActAnswer;
}

function verdictOn(
  { action, twoStep }: ActAnswer,
  expected: readonly string[],
  sentence: InstructionCase,
): Outcome['verdict'] {
  if (sentence.element === null) return action === null ? 'right' : 'wrong';
  if (action === null) return 'refused';
  const methods = sentence.method === undefined ? [action.method] : [sentence.method].flat();
  const isRight =
    expected.includes(action.ref) &&
    methods.includes(action.method) &&
    (sentence.arguments === undefined || JSON.stringify(sentence.arguments) === JSON.stringify(action.arguments)) &&
    (sentence.twoStep ?? false) === twoStep;
  return isRight ? 'right' : 'wrong';
}

async function expectedRefs(
  page: PageTarget,
  snapshot: Snapshot,
  { element, orElse = [] }: InstructionCase,
): Promise<readonly string[]> {
  const selectors = element === null ? [] : [element, ...orElse];
  return Promise.all(selectors.map((selector) => refOf(page, snapshot, selector)));
}

/** The name that a snapshot gives to the element of a selector. */
async function refOf(page: PageTarget, snapshot: Snapshot, selector: string): Promise<string> {
  const { world, ref } = await follow(page, selector);
  for (const [name, target] of snapshot.refs) if (target.world === world && target.ref === ref) return name;
  throw new TypeError(`${selector} is not an element that the snapshot offers`);
}

async function follow(page: PageTarget, selector: string): Promise<{ world: World; ref: number }> {
  let frame = page.frames.main;
  for (let rest = selector; ;) {
    const world = await frame.worlds.isolated;
    const resolution = await world.call('resolve', { selector: rest });
    if (resolution.kind === 'element') return { world, ref: resolution.ref };
    const child = resolution.kind === 'frame' ? page.frames.frame(resolution.frameId) : undefined;
    if (resolution.kind !== 'frame' || !child)
      throw new TypeError(`${selector} is not on the page: ${JSON.stringify(resolution)}`);
    frame = child;
    rest = resolution.rest;
  }
}
