import type { VerbCache } from '../cache/verb-cache.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Log } from '../util/log.ts';
import type { CallOptions } from '../util/progress.ts';
import type { ModelService } from './model-service.ts';
import type { KnownActions } from './replay/known-actions.ts';
import type { Variables } from './variables.ts';

/** What a verb works with: a page, a model to ask, and the driver's decisions. */
export interface VerbContext {
  readonly page: Page;
  readonly modelService: ModelService;
  readonly log: Log;
  /** What was found out earlier; undefined without `cacheDir`, and without the platform's cache. */
  readonly cache: VerbCache | undefined;
  /** Where answers about pages are kept, word for word: only on the platform, and only when its cache is wanted. */
  readonly answerCache: VerbCache | undefined;
  /** The elements of actions that were handed out. */
  readonly known: KnownActions;
  /** A text of the page as it may be kept and told: without values of variables. */
  readonly mask: (text: string) => string;
  /** From now on the values of these variables, too, are kept out of whatever leaves the driver. */
  readonly learn: (variables: Variables) => void;
  readonly selfHeal: boolean;
  /** What may change between versions without notice is in use. */
  readonly isExperimental: boolean;
  /** Milliseconds at most until a page counts as settled. */
  readonly domSettleTimeout: number;
  /** Tokens that a page's text may have in a prompt before what repeats is folded. */
  readonly tokenBudget: number;
  /** The user's own instructions to models, for all verbs. */
  readonly systemPrompt: string | undefined;
  /** Marks where page text begins and ends in a prompt; another one once a model has repeated it, so that no page can have seen it. */
  readonly boundary: string;
  /** Ends every call of the driver when aborted. */
  readonly signal: AbortSignal | undefined;
}

/** What every verb's call may say. */
export interface VerbOptions extends CallOptions {
  /** The model for this call. */
  model?: ModelConfiguration;
  /** The page to work on, also one of Playwright, Puppeteer or Patchright in the same browser; default is the active one. */
  page?: Page | ForeignPage;
  /** Overrides the driver's `serverCache` for this call; without effect unless `env` is `REMOTE`. */
  serverCache?: boolean;
}

/** What verbs that take an instruction may say besides. */
export interface InstructionOptions extends VerbOptions {
  /** Values for the `%name%` placeholders of the instruction; models see the names only. */
  variables?: Variables;
}

/** Whether the platform's cache answered a call, without a model (`HIT`), or a model did (`MISS`). */
export type CacheStatus = 'HIT' | 'MISS';

/** Milliseconds that a verb may take when its call does not say. */
export const VERB_TIMEOUT_MS = 120_000;
/** Milliseconds that a verb waits for an element that it was told to act on to become actionable. */
export const ELEMENT_TIMEOUT_MS = 5000;
