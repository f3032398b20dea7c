import type { CacheKey } from '../cache/cache-key.ts';
import type { Action } from '../replay/action.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { storedActions, storedStep, type StoredStep } from '../replay/stored-step.ts';
import type { ActCall } from './act-call.ts';

/** What is known of the element of an action that the caller gives, and is to be known of it. */
export class ActionMemory {
  /** What the action's selector has meant on this page, the last first. */
  readonly steps: readonly StoredStep[];
  readonly #call: ActCall;
  readonly #action: Action;
  readonly #url: string;

  constructor(call: ActCall, action: Action, url: string) {
    this.#call = call;
    this.#action = action;
    this.#url = url;
    this.steps = call.context.known.find(url, described(call, action));
  }

  /** What this driver has handed out, or else what stands in its cache, which is read once. */
  static async for(call: ActCall, action: Action): Promise<ActionMemory> {
    const { known, cache, page, mask } = call.context;
    const url = mask(page.url());
    if (cache && known.find(url, described(call, action)).length === 0) {
      await call.progress.race(
        known.learnOnce(async () => {
          for (const { key, content } of await cache.entries()) {
            for (const { url: at, selector, step } of storedActions(key, content)) known.remember(at, selector, step);
          }
        }),
      );
    }
    return new ActionMemory(call, action, url);
  }

  /** Notes where the element is now; in the cache too when it had moved and the page showed that it was the right one. */
  async keep({
    done,
    stored,
    isMoved,
  }: {
    done: DoneStep;
    stored: StoredStep | undefined;
    isMoved: boolean;
  }): Promise<void> {
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

/** The action as it is kept. */
function described({ context }: ActCall, action: Action): Action {
  return { ...action, description: context.mask(action.description) };
}
