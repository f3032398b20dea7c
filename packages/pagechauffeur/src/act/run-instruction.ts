import { settlePage } from '../actions/settle-page.ts';
import { nextObservation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { readActCache } from './act-cache.ts';
import { type ActCall, intentOf, OPENING_TIMEOUT_MS, readPage, type Instruction } from './act-call.ts';
import { type ActQuestion, type AskedStep, askForStep, doneSentence } from './ask-for-step.ts';
import { type ActResult, refusalOf, resultOf, withDoneSteps } from './act-result.ts';
import { type RunStep, runStepWithHealing } from './heal.ts';
import { replay } from './replay.ts';

/** The steps that ran for an instruction. `failure` says why the instruction is not complete. */
interface InstructionRun {
  readonly done: readonly DoneStep[];
  readonly failure?: string;
}

/**
 * Runs an instruction, in one step or in two. The timeout of the call, 120 s by default, covers all of it:
 *
 * 1. With a cache: wait until the page settles, then replay the steps that are stored for this instruction and URL
 *    (`replay.ts`). The policy checks them first. A URL can have several variants of the steps: the newest one is tried
 *    at its XPath, then the page is searched for the fingerprints of all, which must lead to one element. With
 *    `selfHeal: false`, an element that has moved does not count. A step that received no input or whose stored
 *    arguments are invalid counts as not run; any other error is thrown, so nothing is entered twice. After a replayed
 *    step, one quiet animation frame is enough. `replay` stores XPaths that have moved, if all steps ran and the page
 *    showed an effect. If all steps run, no model is called. If only the first of two runs, a model chooses the second
 *    one, as in step 5. If none runs, continue with step 2.
 * 2. Wait until the page settles, read it with all frames, and ask a model for a step. It can request a folded part of
 *    the page, once in steps 2 and 5 together. A response that the policy rejects goes back to it once; the second
 *    rejection throws `LLMResponseError` (`ask-for-step.ts`).
 * 3. If the model chooses none, because nothing matches or because it says that several elements match equally well,
 *    return `success: false` with a message that names the candidates.
 * 4. Run the step. It holds the page lock only while it runs (`actions/run-action.ts`), and waits up to 5 s for its
 *    element. If the element receives no input, with `selfHeal`, the model chooses another step, once (`heal.ts`). For
 *    this, it can request a folded part again. It can enter a variable only on the same site, into the same field or
 *    one that the instruction names. If it gives no other step that is usable, or that element receives no input
 *    either, throw the first error.
 * 5. If the step only opens something (`twoStep`), wait up to 1 s for new elements, then ask for the step that
 *    completes the instruction. If no element is new and the step had no effect, return `success: false` instead. If
 *    the changes of the page are short, the model sees only them. If none of them fits, it is asked about the whole
 *    page. Steps 3 and 4 apply to this step, too. If anything throws after the first step, the error names that step.
 * 6. With a cache and `success: true`: store method, arguments, XPath and fingerprint of all steps, including a
 *    replayed first one, unless a step has no fingerprint (`ActCache.keep`). After a heal, or if the entry already had
 *    steps, the page must have shown an effect.
 *
 * The driver also remembers the elements of steps that ran, for `act(action)`, even without a cache. Variable values
 * are inserted only when a step runs (`performStep`). Until then, instructions and arguments contain placeholders such
 * as `%email%`, and so does the cache. Page text can contain the values; `ModelService` masks it in requests. `written`
 * is the caller's instruction; `text` is the same with `%%` as a percent sign.
 */
export async function runInstruction(call: ActCall, instruction: Instruction): Promise<ActResult> {
  const { written } = instruction;
  const cache = await readActCache(call, written);
  const replayed = cache && (await replay(call, cache, instruction));
  if (replayed?.isComplete) return resultOf(written, replayed.done, { isCached: true });
  const { done, failure } = replayed
    ? await completeReplay(call, instruction, replayed.done)
    : await runByModel(call, instruction);
  if (failure === undefined) await cache?.keep(done);
  return resultOf(written, done, { failure });
}

async function runByModel(call: ActCall, instruction: Instruction): Promise<InstructionRun> {
  const { progress, context } = call;
  const intent = intentOf(instruction);
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const snapshot = await readPage(call, { instruction: instruction.text });
  const answer = await askForStep(call, { intent, snapshot });
  const { action, hasExpanded } = answer;
  if (!action) return { done: [], failure: refusalOf(instruction.written, answer) };

  const first = await runStepWithHealing(call, { intent, chosen: { ...answer, action } });
  const done = [first.done];
  return first.twoStep ? completeAfter(done, () => runSecondStep(call, instruction, first, !hasExpanded)) : { done };
}

/** Completes an instruction. If that throws, the error names the steps that ran before. */
async function completeAfter(done: readonly DoneStep[], rest: () => Promise<InstructionRun>): Promise<InstructionRun> {
  try {
    return await rest();
  } catch (error) {
    throw withDoneSteps(error, done);
  }
}

/** Waits up to 1 s for new elements, then runs the second step. */
async function runSecondStep(
  call: ActCall,
  instruction: Instruction,
  first: RunStep,
  mayExpand: boolean,
): Promise<InstructionRun> {
  const { snapshot: before } = first;
  const done = [first.done];
  const { snapshot, hasNewElements } = await readOpenedPage(call, instruction, before);
  const { action, outcome } = first.done;
  if (!hasNewElements && outcome.effect === 'none-observed')
    return { done, failure: `The ${action.method} opened nothing, so the second step was skipped.` };
  const changes = changesSince(before, snapshot);
  return runFinalStep(call, instruction, { done, snapshot, changes, mayExpand });
}

/**
 * Completes a replay that ran only the first of two steps. The page has settled: `replay` waited for that before it
 * searched for the second step. The model reads the whole page, because there is no snapshot from before the first step.
 */
function completeReplay(call: ActCall, instruction: Instruction, done: readonly DoneStep[]): Promise<InstructionRun> {
  return completeAfter(done, async () => {
    const snapshot = await readPage(call, { instruction: instruction.text });
    return runFinalStep(call, instruction, { done, snapshot });
  });
}

/** Reads the page until it has an element that `before` does not have, for at most 1 s. */
async function readOpenedPage(
  call: ActCall,
  instruction: Instruction,
  before: Snapshot,
): Promise<{ snapshot: Snapshot; hasNewElements: boolean }> {
  const { progress, context } = call;
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    const snapshot = await readPage(call, { instruction: instruction.text });
    const hasNewElements = [...snapshot.refs].some(([ref, { world }]) => before.refs.get(ref)?.world !== world);
    if (hasNewElements || performance.now() > deadline) return { snapshot, hasNewElements };
    // `settlePage` returns after two quiet frames, so the loop reads an unchanged page about 30 times per second.
    await settlePage(progress, context.page.target, context.domSettleTimeout);
  }
}

/**
 * Returns the changed lines. Returns `undefined` if there are none, if they are longer than half of the page, or if the
 * document is another one. The prompt then shows the whole page.
 */
function changesSince(before: Snapshot, now: Snapshot): string | undefined {
  const { kind, text } = nextObservation(before, now);
  return kind === 'changes' ? text : undefined;
}

/** The first step, and the page after it. */
interface PageAfterFirstStep extends Pick<ActQuestion, 'snapshot' | 'changes' | 'mayExpand'> {
  readonly done: readonly DoneStep[];
}

/** Asks a model for the step that completes the instruction, and runs it. */
async function runFinalStep(
  call: ActCall,
  instruction: Instruction,
  { done, ...page }: PageAfterFirstStep,
): Promise<InstructionRun> {
  const intent = intentOf(instruction);
  const past = {
    happened: doneSentence(done),
    task: 'Choose the step that completes the instruction now; twoStep is false.',
  };
  const answer = await askInChangesThenPage(call, { intent, past, ...page });
  const { action } = answer;
  if (!action) return { done, failure: refusalOf(instruction.written, answer) };
  const last = await runStepWithHealing(call, { intent, chosen: { ...answer, action }, previousSteps: done });
  return { done: [...done, last.done] };
}

/**
 * Asks about the changes. If the model finds nothing in them, asks about the whole page: the element may have been
 * there before the first step.
 */
async function askInChangesThenPage(call: ActCall, question: ActQuestion): Promise<AskedStep> {
  const answer = await askForStep(call, question);
  const { action, outcome, hasExpanded } = answer;
  // To expand a part, the model gets the whole page.
  const hasSeenPage = question.changes === undefined || hasExpanded;
  if (action || outcome === 'ambiguous' || hasSeenPage) return answer;
  call.progress.log('the model finds no step in the changes of the page');
  return askForStep(call, { ...question, changes: undefined });
}
