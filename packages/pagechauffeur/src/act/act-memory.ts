import type { CacheKey } from '../cache/cache-key.ts';
import type { VerbCache } from '../cache/verb-cache.ts';
import { settlePage } from '../page/action/settle-page.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { isAtRest } from '../verb/replay/page-at-rest.ts';
import { type StoredStep, storedStep, withSwitch } from '../verb/replay/stored-step.ts';
import { type ActEntry, parseActEntry, type Way, withWay } from './act-entry.ts';
import type { ActCall } from './act-call.ts';

/** What the cache knows of one instruction on one page, and is told of it. */
export class ActMemory {
  readonly instruction: string;
  readonly ways: readonly Way[];
  readonly #cache: VerbCache;
  readonly #key: CacheKey;

  constructor(cache: VerbCache, key: CacheKey, { ways }: ActEntry) {
    this.instruction = key.instruction;
    this.#cache = cache;
    this.#key = key;
    this.ways = ways;
  }

  /** A text of the page as it may be written down. */
  readonly mask = (text: string): string => this.#cache.mask(text);

  /** Keeps the steps that a model led to; after one that had failed they count only when the page showed an effect. */
  async keep(done: readonly DoneStep[]): Promise<void> {
    const isHealed = this.ways.length > 0 || done.some((step) => step.isHealed);
    if (isHealed && !hasEffect(done)) return;
    const steps = done.map((step) => this.#stored(step));
    const [first, ...others] = steps.filter((step) => step !== undefined);
    if (first && others.length === done.length - 1) await this.#write({ steps: [first, ...others] });
  }

  /** Keeps where the steps of a way are now, when the page showed that they were the right ones. */
  async keepMoved(way: Way, moved: readonly [StoredStep, ...StoredStep[]], done: readonly DoneStep[]): Promise<void> {
    if (hasEffect(done)) await this.#write({ steps: moved }, way);
  }

  #stored(done: DoneStep): StoredStep | undefined {
    const step = storedStep(done, this.mask);
    return step && withSwitch(step, done.outcome);
  }

  async #write(way: Way, replaced?: Way): Promise<void> {
    // Another process may have added a way meanwhile.
    const { ways } = (await this.#cache.read(this.#key, parseActEntry)) ?? this;
    await this.#cache.write(this.#key, { ways: withWay(ways, way, replaced) });
  }
}

/** What the cache knows of an instruction on the page as it is now; undefined without a cache. */
export async function recall(
  { progress, context, variables }: ActCall,
  instruction: string,
): Promise<ActMemory | undefined> {
  const { cache, page } = context;
  if (!cache) return undefined;
  // A page that is about to be another one is not asked about yet.
  if (!isAtRest(page.target)) await settlePage(progress, page.target, context.domSettleTimeout);
  const key: CacheKey = {
    verb: 'act',
    instruction,
    url: page.url(),
    variables: variables.known.map(({ name }) => name),
  };
  const entry = await progress.race(cache.read(key, parseActEntry));
  return new ActMemory(cache, key, entry ?? { ways: [] });
}

function hasEffect(done: readonly DoneStep[]): boolean {
  return done.some(({ outcome }) => outcome.effect !== 'none-observed');
}
