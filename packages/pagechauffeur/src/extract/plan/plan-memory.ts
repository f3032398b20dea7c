import type { CacheKey } from '../../cache/cache-key.ts';
import type { VerbCache } from '../../cache/verb-cache.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { DriverInvalidArgumentError, ExperimentalFeatureError } from '../../errors.ts';
import type { ExtractCall } from '../extract-call.ts';
import type { AnyExtractOptions } from '../extract-options.ts';
import type { FoundPlaces } from '../places/find-places.ts';
import type { PlacedLine } from '../places/placed-lines.ts';
import { checkFlag } from '../../util/check-argument.ts';
import type { Log } from '../../util/log.ts';
import type { VerbContext } from '../../verb/verb-context.ts';
import type { ExtractionPlan } from './extraction-plan.ts';
import { makePlan } from './make-plan.ts';
import { coversSchema, parsePlan } from './plan-form.ts';

/** Words that say which of a page's entries or values are meant by what they are: that changes without a change of the page's shape. */
const CHOICE =
  /\b(how many|how much|count|number of|sum|average|mean|(?:first|last)(?! names?\b)|top|bottom|most|least|more than|less than|fewer than|at least|at most|up to|under|over|above|below|between|before|after|since|until|only|except|without|excluding|not|no|if|where|whose|which|that|who|highest|lowest|largest|smallest|biggest|longest|shortest|cheapest|dearest|latest|newest|oldest|earliest|next|previous|best|worst|today|tomorrow|yesterday|matching|containing|starting|ending|any|some|each other|sorted|ordered|ranked|compared?|unique|distinct|different)\b|[<>=≤≥]|\d/i;

/** Throws when plans are asked for where there can be none. */
export function checkPlanOption({ cache, isExperimental }: VerbContext, { plan }: AnyExtractOptions): void {
  checkFlag('plan', plan);
  if (plan !== true) return;
  if (!isExperimental)
    throw new ExperimentalFeatureError(
      'plan: true asks for extraction plans, which may change between versions. Give the Driver `experimental: true`, or leave the option out.',
      { feature: 'extraction plans' },
    );
  if (!cache)
    throw new DriverInvalidArgumentError('plan: true needs a place for plans. Give the Driver a `cacheDir`.', {
      argument: 'plan',
    });
}

interface Settings {
  readonly cache: VerbCache;
  readonly key: CacheKey;
  readonly schema: JsonSchema;
  readonly log: Log;
}

/** The plans of calls, kept from run to run: experimental. */
export class PlanMemory {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The memory for a call; undefined when none is wanted, or what is asked for depends on more than where it stands. */
  static for(
    { context, options }: ExtractCall,
    wanted: { instruction: string; schema: JsonSchema },
  ): PlanMemory | undefined {
    const { cache, isExperimental, log } = context;
    if (!cache || !isExperimental || options.plan === false || options.screenshot || CHOICE.test(wanted.instruction))
      return undefined;
    const { selector = null, ignoreSelectors = [] } = options;
    const key: CacheKey = {
      verb: 'extract',
      instruction: wanted.instruction,
      url: context.page.url(),
      scope: { schema: wanted.schema, selector, ignoreSelectors },
    };
    return new PlanMemory({ cache, key, schema: wanted.schema, log });
  }

  /** The plan of an earlier run. One that was edited to leave out a field of the schema counts as none. */
  plan(): Promise<ExtractionPlan | undefined> {
    const { cache, key, schema } = this.#settings;
    return cache.read(key, (content) => {
      const plan = parsePlan(content);
      return plan && coversSchema(plan, schema, schema) ? plan : undefined;
    });
  }

  /** Tells in the log whether a plan was of use. */
  tell(isUsed: boolean): void {
    const { log, key } = this.#settings;
    const outcome = isUsed
      ? `extract ${JSON.stringify(key.instruction)} is answered without a model.`
      : 'The page does not fit the plan that is kept for it: a model is asked.';
    log.write('cache', 2, outcome);
  }

  /** Keeps where data stands, when it can be read off again from there. */
  async keep(
    data: unknown,
    page: { readonly lines: readonly PlacedLine[]; readonly found: FoundPlaces },
  ): Promise<void> {
    const { cache, key, schema, log } = this.#settings;
    const plan = makePlan(data, page);
    if (!plan || !coversSchema(plan, schema, schema)) {
      log.write('cache', 2, 'No plan is kept: not all of the data can be read off by where it stands.');
      return;
    }
    const text = JSON.stringify(plan);
    if (cache.mask(text) === text) await cache.write(key, plan);
  }
}
