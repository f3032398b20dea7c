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
import { checkSnapshotOptions, type SnapshotOptions } from '../snapshot/snapshot.ts';
import { checkFlag, checkOptions, describeValue } from '../util/check-argument.ts';

/** What `act`, `observe`, `extract` and the agent need from the driver. */
export interface VerbContext {
  readonly page: Page;
  readonly modelService: ModelService;
  readonly log: Log;
  /** The platform's cache if `serverCache` is enabled, else the one in `cacheDir`, if set. */
  readonly cache: VerbCache | undefined;
  /** Cache for model responses on the platform. Set if `serverCache` is enabled. */
  readonly answerCache: VerbCache | undefined;
  /** The elements of actions that were returned to the caller. */
  readonly known: KnownActions;
  /** Masks variable values in text to store or log. */
  readonly mask: (text: string) => string;
  /** Adds the values of variables to the mask. */
  readonly learn: (variables: Variables) => void;
  readonly selfHeal: boolean;
  /** True for `new Driver({ experimental: true })`. */
  readonly isExperimental: boolean;
  /** Maximum time in ms for a page to settle. */
  readonly domSettleTimeout: number;
  /** Maximum number of tokens of page text in a prompt. On longer pages, repeated content is folded. */
  readonly tokenBudget: number;
  readonly systemPrompt: string | undefined;
  /**
   * The line before and after page text in prompts. Replaced once a model has repeated it, so that no page can learn
   * it.
   */
  readonly boundary: string;
  /** Aborts when the driver closes. */
  readonly signal: AbortSignal | undefined;
}

/** Options that `act`, `observe` and `extract` have in common. */
export interface VerbOptions extends CallOptions {
  /** Model for this call. Default: the driver's model. */
  model?: ModelConfiguration;
  /** Page to use. Default: the active page. Can be a Playwright, Puppeteer or Patchright page of the same browser. */
  page?: Page | ForeignPage;
  /** Overrides the driver's `serverCache` for this call. Requires `env: 'REMOTE'`. */
  serverCache?: boolean;
}

/** Options for verbs that take an instruction. */
export interface InstructionOptions extends VerbOptions {
  /** Values for `%name%` placeholders in the instruction. Models see only the names. */
  variables?: Variables;
}

/** `HIT`: the call needed no model. `MISS`: it called a model. */
export type CacheStatus = 'HIT' | 'MISS';

/** Default timeout of a verb in ms. */
export const VERB_TIMEOUT_MS = 120_000;
/** Maximum time in ms for an element to become actionable. */
export const ELEMENT_TIMEOUT_MS = 5000;

type AnyVerbOptions = InstructionOptions & SnapshotOptions & { readonly screenshot?: boolean };

/** Throws if an option is invalid. Called before any other work. */
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
