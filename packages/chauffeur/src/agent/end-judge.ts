import type { PageTarget } from '../cdp/page-target.ts';
import { DriverClosedError, DriverTimeoutError } from '../errors.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { failed } from '../tools/tool-outcome.ts';
import { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { Ending } from './agent-result.ts';
import { DoneCheck } from './done-check.ts';
import type { Claim } from './done-tool.ts';
import type { CarriedOut } from './run-calls.ts';
import type { Sight } from './work-page.ts';

/** What is known when a step has come to its end. */
interface StepEnd {
  readonly progress: Progress;
  readonly verbs: VerbContext;
  /** What was seen after the step; undefined when no page is left. */
  readonly sight: Sight | undefined;
  /** The page as the model had seen it, and as it is. */
  readonly before: string;
  readonly now: string;
}

/** What the model is told of a step, and how the run ends when it does. */
interface Judgement {
  readonly told: readonly CarriedOut[];
  readonly ending: Ending | undefined;
}

/** Decides whether a step has ended the run: what is claimed is accepted, or questioned once. */
export class EndJudge {
  readonly #check = new DoneCheck();
  #lastDeed: CarriedOut | undefined;
  #hasObjected = false;

  /** Notes what the model was told of a page. */
  tell(text: string): void {
    this.#check.tell(text);
  }

  /** Judges a step by what was done in it. */
  async judge(done: readonly CarriedOut[], step: StepEnd): Promise<Judgement> {
    const end = done.find(({ tool, outcome }) => tool?.kind === 'end' && !outcome.isError);
    const deed = done.findLast(({ tool, isSkipped }) => tool?.kind === 'act' && !isSkipped);
    this.#lastDeed = deed ?? this.#lastDeed;
    this.#noteReadings(done);
    if (!end) return { told: done, ending: undefined };
    // What the tool that ends a task hands over is a claim.
    const claim = end.outcome.data as Claim;
    const { objection, isBorneOut } = await this.#verdict(claim, deed !== undefined, step);
    if (objection === undefined || this.#hasObjected)
      return { told: done, ending: endingOf(claim, objection === undefined ? claim.success : isBorneOut) };
    this.#hasObjected = true;
    return {
      told: done.map((item) => (item === end ? { ...item, outcome: failed(objection) } : item)),
      ending: undefined,
    };
  }

  #verdict(claim: Claim, isSameStep: boolean, step: StepEnd): ReturnType<DoneCheck['judge']> {
    const { progress, verbs, sight, before, now } = step;
    return this.#check.judge(claim, {
      seen: sight?.observation ?? NOTHING,
      before,
      now,
      lastDeed: this.#lastDeed,
      isSameStep,
      whole: () => wholeText(progress, verbs.page.target),
      mask: (text) => verbs.mask(text),
    });
  }

  /** What a tool says of a page bears witness, but for words that it was given. */
  #noteReadings(done: readonly CarriedOut[]): void {
    for (const { call, tool, outcome } of done) {
      if (tool?.kind === 'end' || outcome.isError || outcome.step) continue;
      const words = JSON.stringify(call.input).match(/[^"\\]{3,}/g) ?? [];
      const text = [outcome.text, outcome.quoted].filter(Boolean).join('\n');
      this.#check.tell(words.reduce((rest, word) => rest.replaceAll(word, ''), text));
    }
  }
}

/** Milliseconds that a page has to be read in whole; one that takes longer bears nothing out. */
const READING_TIMEOUT_MS = 10_000;

async function wholeText(run: Progress, target: PageTarget): Promise<string> {
  const timeout = run.limitOfPart(READING_TIMEOUT_MS);
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
