import { settlePage } from '../actions/settle-page.ts';
import { nextObservation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { readActCache } from './act-cache.ts';
import { type ActCall, intentOf, readPage, type Sentence } from './act-call.ts';
import { askForStep } from './ask-for-step.ts';
import { type ActResult, refusalOf, resultOf } from './act-result.ts';
import { runStepWithHealing } from './heal.ts';
import { replay } from './replay.ts';

/** The steps that ran for an instruction, and the reason why the others did not. */
interface Attempt {
  readonly done: readonly DoneStep[];
  readonly failure?: string;
}

/**
 * Runs an instruction: replays the stored steps whose elements are still on the page, and asks a model for the missing
 * ones.
 */
export async function runInstruction(call: ActCall, sentence: Sentence): Promise<ActResult> {
  const { written } = sentence;
  const cache = await readActCache(call, written);
  const replayed = cache && (await replay(call, cache, sentence));
  if (replayed?.isComplete) return resultOf(written, replayed.done, { isCached: true });
  const attempt = replayed ? await finishReplay(call, sentence, replayed.done) : await runSteps(call, sentence);
  if (attempt.failure !== undefined) return resultOf(written, attempt.done, attempt);
  await cache?.keep(attempt.done);
  return resultOf(written, attempt.done);
}

/**
 * Asks a model for the step, and for a second one if the first only opens something. `askForStep` rejects a response
 * that breaks the rules and asks once more.
 */
async function runSteps(call: ActCall, sentence: Sentence): Promise<Attempt> {
  const { progress, context } = call;
  const intent = intentOf(sentence);
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const shown = await readPage(call, { instruction: sentence.text });
  const answer = await askForStep(progress, context, { ...call, intent, snapshot: shown });
  const { action, snapshot, twoStep, hasExpanded } = answer;
  if (!action) return { done: [], failure: refusalOf(sentence.written, answer, snapshot) };
  const first = await runStepWithHealing(call, { intent, snapshot, proposed: action });
  if (!twoStep) return { done: [first] };
  return runSecondStep(call, sentence, { first, shown: snapshot, mayExpand: !hasExpanded });
}

/**
 * Completes a replay whose second element is gone: a model chooses the second step. A stored instruction has at most
 * two.
 */
async function finishReplay(call: ActCall, sentence: Sentence, done: readonly DoneStep[]): Promise<Attempt> {
  const snapshot = await readPage(call, { instruction: sentence.text });
  return runLastStep(call, sentence, { done, snapshot, prompt: { snapshot, note: '' }, mayExpand: true });
}

/** The first step, the snapshot before it, and whether the model can still expand folded parts. */
interface OpeningStep {
  readonly first: DoneStep;
  readonly shown: Snapshot;
  readonly mayExpand: boolean;
}

/**
 * Reads the page after a step that opens something, and runs the second step in it. Calls no model if nothing opened.
 */
async function runSecondStep(
  call: ActCall,
  sentence: Sentence,
  { first, shown, mayExpand }: OpeningStep,
): Promise<Attempt> {
  const { snapshot, hasNewElements } = await readOpenedPage(call, sentence, shown);
  const done = [first];
  if (!hasNewElements && first.outcome.effect === 'none-observed')
    return { done, failure: 'The click opened nothing, so the second step was skipped.' };
  return runLastStep(call, sentence, { done, snapshot, prompt: changesSince(shown, snapshot), mayExpand });
}

const OPENING_TIMEOUT_MS = 1000;

/** Reads the page until it has a new element, for at most 1 s. Some pages build a menu only after the click. */
async function readOpenedPage(
  call: ActCall,
  sentence: Sentence,
  shown: Snapshot,
): Promise<{ snapshot: Snapshot; hasNewElements: boolean }> {
  const { progress, context } = call;
  const deadline = performance.now() + OPENING_TIMEOUT_MS;
  for (;;) {
    const snapshot = await readPage(call, { instruction: sentence.text, earlier: shown });
    const hasNewElements = [...snapshot.refs].some(([ref, { world }]) => shown.refs.get(ref)?.world !== world);
    if (hasNewElements || performance.now() > deadline) return { snapshot, hasNewElements };
    // `settlePage` returns after two quiet frames, so the loop reads an unchanged page about 30 times per second.
    await settlePage(progress, context.page.target, context.domSettleTimeout);
  }
}

/** The page text in the prompt for the second step. */
interface PromptPage {
  readonly snapshot: Snapshot;
  /** Tells the model how to read the changes. Empty if the prompt has the whole page. */
  readonly note: string;
}

const CHANGES_NOTE = 'Only the changes of the page are shown: `*` marks new lines, `~` changed ones. ';

/** Returns the changes since the first snapshot if they are shorter than half of the page, else the whole page. */
function changesSince(before: Snapshot, now: Snapshot): PromptPage {
  const { kind, text } = nextObservation(before, now);
  return kind === 'changes' ? { snapshot: withText(now, text), note: CHANGES_NOTE } : { snapshot: now, note: '' };
}

// Copying would compute all refs and lines of a large page. The prototype computes them on demand.
function withText(snapshot: Snapshot, text: string): Snapshot {
  return Object.create(snapshot, { text: { value: text, enumerable: true } }) as Snapshot;
}

interface LastStep {
  readonly done: readonly DoneStep[];
  readonly snapshot: Snapshot;
  readonly prompt: PromptPage;
  readonly mayExpand: boolean;
}

/**
 * Asks a model for the step that completes the instruction, and runs it. The prompt can be limited to changes; the step
 * needs the whole page.
 */
async function runLastStep(
  call: ActCall,
  sentence: Sentence,
  { done, snapshot, prompt, mayExpand }: LastStep,
): Promise<Attempt> {
  const before = {
    happened: `Already done: ${done.map(({ action }) => action.description).join('; ')}.`,
    task: `${prompt.note}Choose the step that completes the instruction now; twoStep is false.`,
  };
  const intent = intentOf(sentence);
  const question = { ...call, intent, snapshot: prompt.snapshot, before, mayExpand };
  const answer = await askForStep(call.progress, call.context, question);
  const page = answer.hasExpanded ? answer.snapshot : snapshot;
  if (!answer.action) return { done, failure: refusalOf(sentence.written, answer, page) };
  const last = await runStepWithHealing(call, { intent, snapshot: page, proposed: answer.action });
  return { done: [...done, last] };
}
