import type { VerbCache } from '../cache/verb-cache.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { Log } from '../util/log.ts';
import { type CallOptions, checkLimits } from '../util/progress.ts';
import type { ModelService } from '../model/model-service.ts';
import type { KnownActions } from '../replay/known-actions.ts';
import type { Variables } from '../policy/variables.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import { checkSnapshotOptions } from '../snapshot/check-snapshot-options.ts';
import type { SnapshotOptions } from '../snapshot/snapshot.ts';
import { checkFlag, checkOptions, describeValue } from '../util/check-argument.ts';

/** Dependencies of a verb: its page, the model service, caches and the driver's settings. */
export interface VerbContext {
  readonly page: Page;
  readonly modelService: ModelService;
  readonly log: Log;
  /** Cache of earlier results. `undefined` without `cacheDir` and without the platform's cache. */
  readonly cache: VerbCache | undefined;
  /** Cache of model responses, stored unchanged. Set only on the platform, and only if its cache is enabled. */
  readonly answerCache: VerbCache | undefined;
  /** Elements of actions that were returned to the caller. */
  readonly known: KnownActions;
  /** Masks variable values in page text before it is stored or logged. */
  readonly mask: (text: string) => string;
  /** Adds the values of these variables to the mask. */
  readonly learn: (variables: Variables) => void;
  readonly selfHeal: boolean;
  /** True if the driver was created with `experimental: true`. */
  readonly isExperimental: boolean;
  /** Maximum time in ms for a page to settle. */
  readonly domSettleTimeout: number;
  /** Maximum number of tokens of page text in a prompt. On longer pages, repeated content is folded. */
  readonly tokenBudget: number;
  /** The system prompt that the user set for all verbs. */
  readonly systemPrompt: string | undefined;
  /** The line around page text in prompts. It changes after a model has repeated it, so a page cannot learn it. */
  readonly boundary: string;
  /** Ends every call of the driver when aborted. */
  readonly signal: AbortSignal | undefined;
}

/** Options of every verb. */
export interface VerbOptions extends CallOptions {
  /** The model for this call. */
  model?: ModelConfiguration;
  /**
   * The page to use; default is the active page. Can be a Playwright, Puppeteer or Patchright page of the same browser.
   */
  page?: Page | ForeignPage;
  /** Overrides the driver's `serverCache` for this call. Applies only if `env` is `REMOTE`. */
  serverCache?: boolean;
}

/** Options of verbs that take an instruction. */
export interface InstructionOptions extends VerbOptions {
  /** Values for the `%name%` placeholders of the instruction. Models see only the names. */
  variables?: Variables;
}

/** `HIT` if the platform's cache answered the call without a model, `MISS` if a model was called. */
export type CacheStatus = 'HIT' | 'MISS';

/** Default timeout of a verb, in ms. */
export const VERB_TIMEOUT_MS = 120_000;
/** Time in ms that a verb waits for its element to become actionable. */
export const ELEMENT_TIMEOUT_MS = 5000;

/** All options that verbs have in common. */
type AnyVerbOptions = InstructionOptions & SnapshotOptions & { readonly screenshot?: boolean };

/** Throws if an option of a verb is invalid. Called before any other work. */
export function checkVerbOptions(options: AnyVerbOptions): void {
  checkOptions(options);
  checkSnapshotOptions(options);
  checkLimits({ timeout: options.timeout, signals: [options.signal] });
  checkFlag('serverCache', options.serverCache);
  checkFlag('screenshot', options.screenshot);
  checkOptions(options.variables, 'variables');
  const { model } = options;
  if (model === undefined || typeof model === 'string' || (typeof model === 'object' && model !== null)) return;
  throw new DriverInvalidArgumentError(
    `model must be "provider/model" or an object. Received ${describeValue(model)}.`,
    {
      argument: 'model',
    },
  );
}
