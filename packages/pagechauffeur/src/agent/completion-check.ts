import type { PageTarget } from '../cdp/page-target.ts';
import { DriverClosedError, DriverTimeoutError } from '../errors.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { failed } from '../tools/tool-outcome.ts';
import { Progress } from '../util/progress.ts';
import { pageHeading } from '../verb/prompt.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { Ending } from './agent-result.ts';
import { DoneCheck, type ShownText } from './done-check.ts';
import type { Claim } from './done-tool.ts';
import type { CompletedCall } from './run-calls.ts';
import type { WorkPageView } from './work-page.ts';

/** What is known when a step has come to its end. */
interface StepEnd {
  readonly progress: Progress;
  readonly verbs: VerbContext;
  /** What was seen after the step; undefined when no page is left. */
  readonly view: WorkPageView | undefined;
  /** The page as the model had seen it, and as it is. */
  readonly before: Snapshot | undefined;
  readonly now: Snapshot | undefined;
}

/** What the model is told of a step, and how the run ends when it does. */
interface CompletionVerdict {
  readonly calls: readonly CompletedCall[];
  readonly ending: Ending | undefined;
  /** The model has claimed the end and is asked only to read what changed. */
  readonly isOnlyUnseen?: boolean | undefined;
}

/** How often a claim is questioned: one with an action in the same step, whose effect is new each time, and one on its own. */
const MOST_QUESTIONS = { 'with action': 2, alone: 1 } as const;

/** Decides whether a step ends the run. A claim is accepted or questioned. */
export class CompletionCheck {
  readonly #check = new DoneCheck();
  #lastAction: CompletedCall | undefined;
  readonly #questions = { 'with action': 0, alone: 0 };

  /** Notes what the model was told of a page. */
  noteShown(text: string): void {
    this.#check.noteShown(text);
  }

  /** Judges a step by what was done in it. */
  async judge(done: readonly CompletedCall[], step: StepEnd): Promise<CompletionVerdict> {
    const end = done.find(({ tool, outcome }) => tool?.kind === 'end' && !outcome.isError);
    const actions = done.filter(({ tool, isSkipped }) => tool?.kind === 'act' && !isSkipped);
    this.#lastAction = actions.at(-1) ?? this.#lastAction;
    this.#noteReadings(done);
    if (!end) return { calls: done, ending: undefined };
    // What the tool that ends a task hands over is a claim.
    const claim = end.outcome.data as Claim;
    const { objection, reasons, isSupported, isOnlyUnseen } = await this.#verdict(claim, actions, step);
    const kind = actions.length > 0 ? 'with action' : 'alone';
    if (objection === undefined || this.#questions[kind] >= MOST_QUESTIONS[kind]) {
      const ending = endingOf(claim, objection === undefined ? claim.success : isSupported);
      return { calls: done, ending };
    }
    this.#questions[kind] += 1;
    return {
      calls: done.map((item) =>
        item === end ? { ...item, outcome: { ...failed(objection), objection: reasons } } : item,
      ),
      ending: undefined,
      isOnlyUnseen,
    };
  }

  #verdict(claim: Claim, sameStep: readonly CompletedCall[], step: StepEnd): ReturnType<DoneCheck['judge']> {
    const { progress, verbs, view, before, now } = step;
    return this.#check.judge(claim, {
      seen: view?.observation ?? NOTHING,
      before: textOf(before),
      now: textOf(now),
      lastAction: this.#lastAction,
      sameStep,
      whole: () => wholeText(progress, verbs.page.target),
      mask: (text) => verbs.mask(text),
    });
  }

  /** Tool results are evidence; the report of an action only if it had an effect. Input that a tool repeats proves nothing. */
  #noteReadings(done: readonly CompletedCall[]): void {
    for (const { call, tool, outcome } of done) {
      if (tool?.kind === 'end' || outcome.isError) continue;
      const { text, quoted = '', step, effect } = outcome;
      const isReport = step === undefined || (effect !== undefined && effect !== 'none-observed');
      if (QUOTES_PAGE.has(call.tool)) this.#check.noteShown(quoted);
      else this.#check.read([...(isReport ? [text] : []), quoted].join('\n'), JSON.stringify(call.input));
    }
  }
}

/** Their results are words of the page, also where these are the ones that were looked for. */
const QUOTES_PAGE: ReadonlySet<string> = new Set(['find', 'extract']);

function textOf(shown: Snapshot | undefined): ShownText {
  return shown ? { heading: pageHeading(shown), text: shown.text } : { heading: '', text: '' };
}

/** Milliseconds that a page has to be read in whole; one that takes longer bears nothing out. */
const READING_TIMEOUT_MS = 10_000;

async function wholeText(run: Progress, target: PageTarget): Promise<string> {
  const timeout = run.childTimeout(READING_TIMEOUT_MS);
  using progress = new Progress({ operation: 'agent', timeout, signals: [run.signal] });
  try {
    return (await takeSnapshot(progress, target, { tokenBudget: Infinity })).text;
  } catch (error) {
    run.throwIfEnded();
    if (error instanceof DriverTimeoutError || error instanceof DriverClosedError) return '';
    throw error;
  }
}

const NOTHING: Observation = { kind: 'same', text: '' };

function endingOf({ message, output }: Claim, success: boolean): Ending {
  return { success, completed: true, message, ...(output === undefined ? {} : { output }) };
}
