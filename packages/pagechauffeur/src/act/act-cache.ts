import type { CacheKey } from '../cache/cache-key.ts';
import type { VerbCache } from '../cache/verb-cache.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { isPageSettled } from '../replay/is-page-settled.ts';
import { hasForm } from '../util/json-form.ts';
import { STORED_STEP, type StoredStep, storedStep, withSwitch } from '../replay/stored-step.ts';
import type { ActCall } from './act-call.ts';

/** The cache entry of one instruction at one URL. */
export class ActCache {
  readonly instruction: string;
  readonly variants: readonly Variant[];
  readonly #cache: VerbCache;
  readonly #key: CacheKey;

  constructor(cache: VerbCache, key: CacheKey, { ways }: ActEntry) {
    this.instruction = key.instruction;
    this.#cache = cache;
    this.#key = key;
    this.variants = ways;
  }

  /** Masks variable values. Text of the page and stored text are compared in masked form. */
  readonly mask = (text: string): string => this.#cache.mask(text);

  /**
   * Stores the steps of an instruction. Stores nothing if one of them has no fingerprint to find its element again. If
   * the entry had steps that could not be replayed, or a step was healed, stores the new ones only if the page showed an
   * effect.
   */
  async keep(done: readonly DoneStep[]): Promise<void> {
    const isHealed = this.variants.length > 0 || done.some((step) => step.isHealed);
    if (isHealed && !hasEffect(done)) return;
    const steps = done.map((step) => this.#stored(step));
    const [first, ...others] = steps.filter((step) => step !== undefined);
    if (first && others.length === done.length - 1) await this.#write({ steps: [first, ...others] });
  }

  /** Stores the new XPaths of a variant's steps, if the page showed an effect. */
  async keepMoved(
    variant: Variant,
    moved: readonly [StoredStep, ...StoredStep[]],
    done: readonly DoneStep[],
  ): Promise<void> {
    if (hasEffect(done)) await this.#write({ steps: moved }, variant);
  }

  #stored(done: DoneStep): StoredStep | undefined {
    const step = storedStep(done, this.mask);
    return step && withSwitch(step, done.outcome);
  }

  async #write(variant: Variant, replaced?: Variant): Promise<void> {
    // Another process may have added a variant since this entry was read.
    const { ways } = (await this.#cache.read(this.#key, parseActEntry)) ?? { ways: this.variants };
    await this.#cache.write(this.#key, { ways: withVariant(ways, variant, replaced) });
  }
}

/** Reads the stored steps of an instruction on the current page. Returns `undefined` without a cache. */
export async function readActCache(
  { progress, context, variables }: ActCall,
  instruction: string,
): Promise<ActCache | undefined> {
  const { cache, page } = context;
  if (!cache) return undefined;
  // If the page is about to navigate, the lookup would use its old URL.
  if (!isPageSettled(page.target)) await settlePage(progress, page.target, context.domSettleTimeout);
  const key: CacheKey = {
    verb: 'act',
    instruction,
    url: page.url(),
    variables: variables.known.map(({ name }) => name),
  };
  const entry = await progress.race(cache.read(key, parseActEntry));
  return new ActCache(cache, key, entry ?? { ways: [] });
}

function hasEffect(done: readonly DoneStep[]): boolean {
  return done.some(({ outcome }) => outcome.effect !== 'none-observed');
}

/** The steps that completed the instruction on one form of the page. */
export interface Variant {
  readonly steps: readonly [StoredStep, ...StoredStep[]];
}

/** The JSON of an entry. The page at one URL can have several forms; each has its own variant. */
interface ActEntry {
  /** Most recently stored first. */
  readonly ways: readonly Variant[];
}

/** Maximum number of variants per entry. If there are more, the oldest ones are dropped. */
const MAX_VARIANTS = 12;
/** Maximum number of steps: one opens something, such as a menu; the other uses an element in it. */
const MAX_STEPS = 2;

function parseActEntry(content: unknown): ActEntry | undefined {
  if (!hasForm(content, { fields: { ways: [{ fields: { steps: [STORED_STEP] } }] } })) return undefined;
  const entry = content as ActEntry;
  const isPossible = entry.ways.every(({ steps }) => steps.length > 0 && steps.length <= MAX_STEPS);
  return isPossible && entry.ways.length <= MAX_VARIANTS ? entry : undefined;
}

/** Puts a variant first. Removes the others that begin with the same element as the new one or as `replaced`. */
function withVariant(ways: readonly Variant[], variant: Variant, replaced?: Variant): readonly Variant[] {
  const gone = [variant, ...(replaced ? [replaced] : [])].map(beginning);
  const others = ways.filter((other) => !gone.includes(beginning(other)));
  return [variant, ...others].slice(0, MAX_VARIANTS);
}

function beginning({ steps: [first] }: Variant): string {
  const { role, name, opening, isOn, title, sections, row, column, alike } = first.fingerprint;
  return JSON.stringify([first.frame, role, name, opening, isOn, title, sections, row, column, alike.place]);
}
