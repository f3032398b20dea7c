import type { PageTarget } from '../cdp/page-target.ts';
import { DriverClosedError, DriverTimeoutError } from '../errors.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { failed } from '../tools/tool-outcome.ts';
import { Progress } from '../util/progress.ts';
import { pageHeading } from '../model/prompt.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { Ending } from './agent-result.ts';
import { DoneCheck, type ShownText } from './done-check.ts';
import type { Claim } from './done-tool.ts';
import type { CompletedCall } from './run-calls.ts';
import type { WorkPageView } from './work-page.ts';

interface StepEnd {
  readonly progress: Progress;
  readonly verbs: VerbContext;
  /** `undefined` if no page is open. */
  readonly view: WorkPageView | undefined;
  /** The page that the model saw when it chose the calls of this step. */
  readonly before: Snapshot | undefined;
  readonly now: Snapshot | undefined;
}

export interface CompletionVerdict {
  readonly calls: readonly CompletedCall[];
  readonly ending: Ending | undefined;
  /** True if the only objection to `done` is that the page changed after the model last saw it. */
  readonly isOnlyStaleView?: boolean | undefined;
}

/**
 * How often per run `done` can be rejected; after that, it ends the run. The limit is higher for a step with an action,
 * because the model has not seen the effect of the action.
 */
const MAX_QUESTIONS = { 'with action': 2, alone: 1 } as const;

/** Decides whether a step ends the run. Questions `done` if the page does not confirm it. */
export class CompletionCheck {
  readonly #check = new DoneCheck();
  #lastAction: CompletedCall | undefined;
  readonly #questions = { 'with action': 0, alone: 0 };

  noteShown(text: string): void {
    this.#check.noteShown(text);
  }

  async judge(done: readonly CompletedCall[], step: StepEnd): Promise<CompletionVerdict> {
    const end = done.find(({ tool, outcome }) => tool?.kind === 'end' && !outcome.isError);
    const actions = done.filter(({ tool, isSkipped }) => tool?.kind === 'act' && !isSkipped);
    this.#lastAction = actions.at(-1) ?? this.#lastAction;
    this.#noteReadings(done);
    if (!end) return { calls: done, ending: undefined };
    // The `done` tool returns its claim as data.
    const claim = end.outcome.data as Claim;
    const { objection, reasons, isSupported, isOnlyStaleView } = await this.#verdict(claim, actions, step);
    const kind = actions.length > 0 ? 'with action' : 'alone';
    if (objection === undefined || this.#questions[kind] >= MAX_QUESTIONS[kind]) {
      const ending = endingOf(claim, objection === undefined ? claim.success : isSupported);
      return { calls: done, ending };
    }
    this.#questions[kind] += 1;
    return {
      calls: done.map((item) =>
        item === end ? { ...item, outcome: { ...failed(objection), objection: reasons } } : item,
      ),
      ending: undefined,
      isOnlyStaleView,
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

  /** Collects tool results that a claim can cite. An action without effect proves nothing. */
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

/** Tools that return page text. Their results prove a claim even if they repeat the search text. */
const QUOTES_PAGE: ReadonlySet<string> = new Set(['find', 'extract']);

function textOf(shown: Snapshot | undefined): ShownText {
  return shown ? { heading: pageHeading(shown), text: shown.text } : { heading: '', text: '' };
}

/**
 * Timeout in ms for reading the whole page to find evidence. An unresponsive page counts as a page without evidence.
 */
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
