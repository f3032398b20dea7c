import type { CacheKey } from '../cache/cache-key.ts';
import type { Action } from '../replay/action.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { keptActionFault } from '../policy/step-limits.ts';
import type { KnownStep } from '../replay/known-actions.ts';
import { storedActions, storedStep, type StoredStep } from '../replay/stored-step.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ActCall, readPage } from './act-call.ts';

/** An action that ran, and the step to store for it. */
export interface ActionRun {
  readonly done: DoneStep;
  /** `undefined` if no stored step was replayed. The step to store is then made from `done`. */
  readonly stored: StoredStep | undefined;
  /** True if the element was not at the action's selector. */
  readonly isMoved: boolean;
}

/** Stored steps for an action that the caller passes to `act()`. Each has the fingerprint of the action's element. */
export class ActionMemory {
  /** Stored steps for this selector and description on this page, newest first. */
  readonly storedSteps: readonly StoredStep[];
  readonly #call: ActCall;
  readonly #action: Action;
  readonly #url: string;

  constructor(call: ActCall, action: Action, { url, steps }: { url: string; steps: readonly StoredStep[] }) {
    this.#call = call;
    this.#action = action;
    this.#url = url;
    this.storedSteps = steps;
  }

  /**
   * Looks up the actions that this driver returned. If none matches, loads the actions in the cache; a driver does this
   * once.
   */
  static async for(call: ActCall, action: Action): Promise<ActionMemory> {
    const { known, cache, page, mask } = call.context;
    const url = mask(page.url());
    if (cache && known.find(url, described(call, action)).length === 0) {
      await call.progress.race(
        known.learnOnce(async () => {
          for (const { key, content } of await cache.entries()) {
            for (const { url: at, selector, step } of storedActions(key, content))
              known.remember(at, selector, step, { isFromCache: true });
          }
        }),
      );
    }
    const steps = await allowedSteps(call, action, known.find(url, described(call, action)));
    return new ActionMemory(call, action, { url, steps });
  }

  /**
   * Remembers the element of the action for later calls, and writes it to the cache if it has moved. Ignores a moved
   * element if the action had no effect, because it may be the wrong one.
   */
  async keep({ done, stored, isMoved }: ActionRun): Promise<void> {
    const { known, cache, mask } = this.#call.context;
    const kept = stored ?? storedStep(done, mask);
    if (!kept || (isMoved && done.outcome.effect === 'none-observed')) return;
    const { description } = described(this.#call, this.#action);
    const step = { ...kept, action: { ...kept.action, description } };
    known.remember(this.#url, this.#action.selector, step);
    if (isMoved) await cache?.write(this.#key, { ways: [{ steps: [step] }] });
  }

  get #key(): CacheKey {
    const { selector, description } = this.#action;
    const { mask } = this.#call.context;
    return { verb: 'act', instruction: mask(description), url: this.#url, scope: { action: mask(selector) } };
  }
}

/** Applies the rules of self-heal to elements from the cache, because someone may have edited it. */
async function allowedSteps(
  call: ActCall,
  { method = 'click', arguments: args = [], description }: Action,
  known: readonly KnownStep[],
): Promise<readonly StoredStep[]> {
  let snapshot: Promise<Snapshot> | undefined;
  const page = (): Promise<Snapshot> => (snapshot ??= readPage(call));
  const allowed: StoredStep[] = [];
  for (const { step, isFromCache } of known) {
    const kept = { method, arguments: args, place: step.fingerprint };
    const question = { description, variables: call.variables, page };
    const fault = isFromCache ? await keptActionFault(kept, question) : null;
    if (fault === null) allowed.push(step);
    else call.context.log.write('cache', 1, `Cannot use a stored element of this action: ${fault}.`);
  }
  return allowed;
}

/** Stored descriptions contain no variable values. */
function described({ context }: ActCall, action: Action): Action {
  return { ...action, description: context.mask(action.description) };
}
