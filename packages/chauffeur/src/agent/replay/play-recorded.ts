import type { ActCall } from '../../act/act-call.ts';
import { playElsewhere, playInPlace, type PlayedStep, tellIfMoved } from '../../act/play-step.ts';
import { DriverError } from '../../errors.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import { followingPages } from '../../tools/follow-pages.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../../tools/tool-outcome.ts';
import type { Progress } from '../../util/progress.ts';
import { framePlace, type StoredStep } from '../../verb/replay/stored-step.ts';
import type { Task } from '../task.ts';
import { effectFits } from './effect-fits.ts';
import { phraseOfStep, type RecordedElement, type RecordedStep } from './recorded-step.ts';

/** A step that is to be done again, and where. */
export interface StepToPlay {
  readonly task: Task;
  readonly context: ToolContext;
  readonly step: RecordedStep;
  /** The pages of the run so far, in the order in which it came to work on them. */
  readonly pages: readonly ToolContext['page'][];
  /** The task, as elements are told apart by its words. */
  readonly instruction: string;
}

/** What came of a step: done, with the step as it is to be kept from now on; or why it does not fit. */
export type PlayedAgain =
  | { readonly kind: 'done'; readonly step: RecordedStep; readonly outcome: ToolOutcome }
  /** `outcome` when it was carried out and the page did not show what it showed then. */
  | { readonly kind: 'unfit'; readonly why: string; readonly outcome?: ToolOutcome };

/** Does a step of an earlier run again, when the page still has what it was done to, and looks whether it has the effect of then. */
export async function playRecorded(run: Progress, play: StepToPlay): Promise<PlayedAgain> {
  const { step } = play;
  try {
    const { outcome, element } = step.element
      ? await playOnElement(play, step.element)
      : { outcome: await callAgain(play), element: undefined };
    if (outcome.isError) return { kind: 'unfit', why: outcome.text };
    const { effect = 'none-observed' } = outcome;
    const method = element?.step.action.method ?? step.tool;
    if (!effectFits(step.effect, outcome.effect, method))
      return { kind: 'unfit', why: `it had the effect "${step.effect}" then, and "${effect}" now`, outcome };
    return { kind: 'done', step: { ...step, ...(element && { element }) }, outcome };
  } catch (error) {
    run.throwIfEnded();
    if (!(error instanceof DriverError)) throw error;
    return { kind: 'unfit', why: error.message.split('\n', 1)[0] ?? '' };
  }
}

interface ElementPlayed {
  readonly outcome: ToolOutcome;
  readonly element: RecordedElement | undefined;
}

async function playOnElement(play: StepToPlay, element: RecordedElement): Promise<ElementPlayed> {
  const { task, context, step } = play;
  const { verbs, variables, progress } = context;
  const { method, arguments: args } = element.step.action;
  const unnamed = method === 'upload' ? args.filter((path) => !context.namesFile(path)) : [];
  if (unnamed.length > 0)
    return { outcome: failed(`the task names no file ${unnamed.join(', ')}`), element: undefined };
  const call: ActCall = { progress, context: verbs, variables, model: task.model, done: [] };
  let played: PlayedStep | undefined;
  const outcome = await followingPages(context, async () => {
    played = await playWhereverItIs(call, element.step, play);
    if (!played) return failed(`the page has no ${elementWords(element)} that is the one of then and can be used`);
    tellIfMoved(call, played);
    const { effect } = played.done.outcome;
    return { text: `Done, cached: ${phraseOfStep(step)}.`, effect, step: played.done };
  });
  return { outcome, element: played && { ...element, step: played.stored } };
}

/** Less than this the page may need for what a step opens. */
const LEAST_PATIENCE_MS = 1000;
/** What took longer then was the model's time rather than the page's. */
const MOST_PATIENCE_MS = 10_000;

/** First where it was, then wherever it is now; a page that is not there yet is given the time that it had then. */
async function playWhereverItIs(
  call: ActCall,
  stored: StoredStep,
  { step: { waited }, instruction }: StepToPlay,
): Promise<PlayedStep | undefined> {
  const by = { instruction, mask: call.context.mask };
  const patience = Math.min(Math.max(waited, LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
  return (
    (await playInPlace(call, stored, 0)) ??
    (await playElsewhere(call, stored, by)) ??
    (await playInPlace(call, stored, patience)) ??
    (await playElsewhere(call, stored, by))
  );
}

function elementWords({ step: { fingerprint } }: RecordedElement): string {
  return fingerprint.name === '' ? fingerprint.role : `${fingerprint.role} ${JSON.stringify(fingerprint.name)}`;
}

/** What was not done to an element is done by calling its tool again, on a page of the same kind. */
async function callAgain({ task, context, step, pages }: StepToPlay): Promise<ToolOutcome> {
  const tool = task.tools.find(({ name }) => name === step.tool);
  if (!tool) return failed(`the tool ${step.tool} is not to be used`);
  const { page, verbs } = context;
  if (ON_PAGE.has(step.tool) && kindOfPlace(framePlace(verbs.mask(page.url()))) !== kindOfPlace(step.url))
    return failed(`it was done on ${step.url} then`);
  if (step.isFromPage && !(await showsAddress(step, context)))
    return failed(`the page does not show the address ${String(step.input['url'])}`);
  if (step.tool !== 'tabs' || step.input['what'] !== 'close') return tool.run(context, step.input);
  const closed = pages[Number(step.input['page'])];
  const number = closed ? context.browser.pages().indexOf(closed) + 1 : 0;
  return number > 0 ? tool.run(context, { what: 'close', number }) : failed('the page to close is not there');
}

/** What these do depends on the page that they find. */
const ON_PAGE: ReadonlySet<string> = new Set(['press', 'scroll', 'back']);

/** An address with numbers and made-up names left open. */
function kindOfPlace(place: string): string {
  return place.replace(/\d+|(?<=\/)[0-9a-f-]{8,}(?=\/|$)/gi, '#');
}

async function showsAddress({ input }: RecordedStep, { progress, page, variables }: ToolContext): Promise<boolean> {
  const { urls } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  return urls.includes(variables.expand(String(input['url'])));
}
