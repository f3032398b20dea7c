import type { CacheKey } from '../../cache/cache-key.ts';
import type { VerbCache } from '../../cache/verb-cache.ts';
import { isRecord, mapSchemas } from '../../model/json-schema.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { DriverInvalidArgumentError, ExperimentalFeatureError } from '../../errors.ts';
import type { ExtractCall } from '../extract-call.ts';
import type { AnyExtractOptions } from '../extract-options.ts';
import type { ValueLines } from '../places/find-value-lines.ts';
import type { LocatedLine } from '../places/located-lines.ts';
import { checkFlag } from '../../util/check-argument.ts';
import type { Log } from '../../util/log.ts';
import type { VerbContext } from '../../verb/verb-context.ts';
import { coversSchema, type ExtractionPlan, parsePlan } from './extraction-plan.ts';
import { makePlan } from './make-plan.ts';

/**
 * Words that select entries or values by content. The content can change while the structure stays the same, so a plan
 * would read wrong data.
 */
const CHOICE =
  /\b(how many|how much|count|number of|sum|average|mean|(?:first|last)(?! names?\b)|top|bottom|most|least|more than|less than|fewer than|at least|at most|up to|under|over|above|below|between|before|after|since|until|only|except|without|excluding|not|no|if|where|whose|which|that|who|highest|lowest|largest|smallest|biggest|longest|shortest|cheapest|dearest|latest|newest|oldest|earliest|next|previous|best|worst|today|tomorrow|yesterday|matching|containing|starting|ending|any|some|each other|sorted|ordered|ranked|compared?|unique|distinct|different)\b|[<>=≤≥]|\d/i;

/** Throws if the call sets `plan: true` and the driver cannot use plans. */
export function checkPlanOption({ cache, isExperimental }: VerbContext, { plan }: AnyExtractOptions): void {
  checkFlag('plan', plan);
  if (plan !== true) return;
  if (!isExperimental)
    throw new ExperimentalFeatureError(
      'plan: true uses extraction plans, which may change between versions. Pass `experimental: true` to the Driver, or omit plan.',
      { feature: 'extraction plans' },
    );
  if (!cache)
    throw new DriverInvalidArgumentError('plan: true needs a folder for plans. Pass `cacheDir` to the Driver.', {
      argument: 'plan',
    });
}

interface Settings {
  readonly cache: VerbCache;
  readonly key: CacheKey;
  readonly schema: JsonSchema;
  readonly log: Log;
}

/** Stores extraction plans in the cache. Experimental. */
export class PlanMemory {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Returns `undefined` if plans are off, a screenshot is requested, or the instruction or schema contains a
   * {@link CHOICE}.
   */
  static for(
    { context, options }: ExtractCall,
    wanted: { instruction: string; schema: JsonSchema },
  ): PlanMemory | undefined {
    const { cache, isExperimental, log } = context;
    if (!cache || !isExperimental || options.plan === false || options.screenshot) return undefined;
    if (hasChoice(wanted.instruction, wanted.schema)) {
      log.write(
        'cache',
        2,
        'Uses no extraction plan, because the instruction or the schema chooses or counts entries.',
      );
      return undefined;
    }
    const { selector = null, ignoreSelectors = [] } = options;
    const key: CacheKey = {
      verb: 'extract',
      instruction: wanted.instruction,
      url: context.page.url(),
      scope: { schema: wanted.schema, selector, ignoreSelectors },
    };
    return new PlanMemory({ cache, key, schema: wanted.schema, log });
  }

  /** Returns the stored plan. Ignores one that lacks fields of the schema, which can happen after manual edits. */
  plan(): Promise<ExtractionPlan | undefined> {
    const { cache, key, schema } = this.#settings;
    return cache.read(key, (content) => {
      const plan = parsePlan(content);
      return plan && coversSchema(plan, schema, schema) ? plan : undefined;
    });
  }

  /** Logs whether a plan was used. */
  logUse(isUsed: boolean): void {
    const { log, key } = this.#settings;
    const outcome = isUsed
      ? `Answered extract ${JSON.stringify(key.instruction)} without a model.`
      : 'The page does not match its stored plan. Asking the model.';
    log.write('cache', 2, outcome);
  }

  /** Stores a plan if the data can be read from the page without a model. */
  async keep(
    data: unknown,
    page: { readonly lines: readonly LocatedLine[]; readonly lineByPath: ValueLines },
  ): Promise<void> {
    const { cache, key, schema, log } = this.#settings;
    const plan = makePlan(data, page);
    if (!plan || !coversSchema(plan, schema, schema)) {
      log.write('cache', 2, 'Stored no extraction plan: the data cannot be read from the page without a model.');
      return;
    }
    const text = JSON.stringify(plan);
    if (cache.mask(text) === text) await cache.write(key, plan);
  }
}

/** True if the instruction, a description or the name of a field contains a {@link CHOICE}. */
function hasChoice(instruction: string, schema: JsonSchema): boolean {
  let isFound = CHOICE.test(instruction);
  mapSchemas(schema, (inner) => {
    const { title, description, properties } = inner;
    const names = isRecord(properties) ? Object.keys(properties).map(wordsIn) : [];
    isFound ||= [title, description, ...names].some((text) => typeof text === 'string' && CHOICE.test(text));
    return inner;
  });
  return isFound;
}

/** Splits names such as `cheapestMug` and `cheapest_mug`. Digits only number a field, as in `address2`. */
function wordsIn(name: string): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replace(/[_\d-]+/g, ' ');
}
