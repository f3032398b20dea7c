import { Agent } from '../agent/agent.ts';
import type { AgentConfig } from '../agent/agent-options.ts';
import type { AgentHost } from '../agent/execute-task.ts';
import { checkAgentConfig } from '../agent/check-agent-options.ts';
import type { DriverParts } from '../agent/driver-parts.ts';
import { StreamingAgent } from '../agent/streaming-agent.ts';
import { act, type ActOptions } from '../act/act.ts';
import type { ActResult } from '../act/act-result.ts';
import { DriverAbortError, DriverNotInitializedError } from '../errors.ts';
import type { WithEvidence } from '../extract/evidence.ts';
import { type ExtractedText, extractAny, type PageText } from '../extract/extract.ts';
import type { ExtractResult } from '../extract/extract-result.ts';
import type { AnyExtractOptions, EvidenceOptions, ExtractOptions } from '../extract/extract-options.ts';
import type { ExtractSchema, InferSchema, InferSchemaInput } from '../extract/schema.ts';
import { observe, type ObserveOptions } from '../observe/observe.ts';
import { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import { publicClasses } from '../page/public-classes.ts';
import { publicError, withPublicErrors } from '../actions/public-errors.ts';
import type { SessionEvent } from '../remote/event-sender.ts';
import type { HandoffAnswer } from '../tools/handoff.ts';
import { checkFlag, checkOptions } from '../util/check-argument.ts';
import { deferred, ignoreRejection } from '../util/deferred.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { Log } from '../util/log.ts';
import { maskError } from '../util/mask-error.ts';
import { Progress } from '../util/progress.ts';
import { documentCheck } from '../policy/variable-origins.ts';
import { ValueMask } from '../util/value-mask.ts';
import type { Action } from '../replay/action.ts';
import { Boundary } from '../model/untrusted-text.ts';
import { ModelService } from '../model/model-service.ts';
import { KnownActions } from '../replay/known-actions.ts';
import { learnVariables } from '../policy/variables.ts';
import { checkVerbOptions, VERB_TIMEOUT_MS, type VerbContext, type VerbOptions } from '../verb/verb-context.ts';
import { askPerson, type PersonQuestion } from './ask-person.ts';
import {
  type CallEnd,
  callEvent,
  callName,
  isObject,
  navigationEvent,
  parametersOf,
  type RecordedCall,
  resultSummary,
  withCacheStatus,
  textOf,
} from './recorded-call.ts';
import { CallCost } from './call-cost.ts';
import type { DriverOptions } from './driver-options.ts';
import { type HistoryEntry, History } from './history.ts';
import { InferenceFile } from './inference-file.ts';
import { asInitError } from './init-error.ts';
import { type Caches, openCaches } from './open-cache.ts';
import type { OpenBrowser, RemoteFacts } from './connect-browser.ts';
import { openLocalBrowser } from './local-browser.ts';
import { openRemoteBrowser } from './remote-browser.ts';
import { type Metrics, UsageMeter } from './metrics.ts';
import { pageOfCall } from './page-of-call.ts';
import { type ResolvedDriverOptions, resolveDriverOptions } from './resolve-driver-options.ts';

for (const publicClass of publicClasses) withPublicErrors(publicClass);

const INIT_TIMEOUT_MS = 60_000;

interface Running {
  readonly kind: 'running';
  readonly started: Promise<void>;
  readonly browser: OpenBrowser;
  readonly context: DriverContext;
}

interface Served {
  readonly browser: OpenBrowser;
  readonly cost: CallCost;
  readonly isServerCached: boolean;
}

type State =
  | { readonly kind: 'constructed' }
  | { readonly kind: 'starting'; readonly started: Promise<void>; readonly stop: AbortController }
  | Running
  | { readonly kind: 'closing'; readonly browser: OpenBrowser; readonly done: Promise<void> };

/** All arguments of `extract` in one object. */
export interface ExtractRequest<Schema extends ExtractSchema> extends ExtractOptions {
  /** What to extract. Default: the data that the schema describes. */
  instruction?: string;
  schema: Schema;
}

/** Like {@link ExtractRequest}, for results with the location of each value on the page. */
export interface EvidenceRequest<Schema extends ExtractSchema> extends EvidenceOptions {
  /** What to extract. Default: the data that the schema describes. */
  instruction?: string;
  schema: Schema;
}

/**
 * Drives a browser by natural language. Create one, `init()` it, use `act`, `observe`, `extract` and the pages of
 * `context`, then `close()` it.
 *
 * Calls that need the browser throw a `DriverNotInitializedError` before `init()` and after `close()`. `act`, `observe`
 * and `extract` also throw a `DriverPageNotFoundError` if no page is open, a `DriverClosedError` if the page or the
 * browser is closed or lost, and a `DriverAbortError` if a `signal` is aborted.
 * @example
 * await using driver = new Driver({ env: 'LOCAL' });
 * await driver.init();
 * await driver.context.pages()[0]?.goto('https://example.com');
 * await driver.act('open the first link');
 */
export class Driver implements AsyncDisposable {
  readonly #options: ResolvedDriverOptions;
  readonly #log: Log;
  readonly #meter = new UsageMeter();
  readonly #history = new History();
  readonly #modelService: ModelService;
  readonly #caches: Caches;
  readonly #known = new KnownActions();
  readonly #boundary = new Boundary();
  /** Knows the values of all variables so far and masks them in the log, the history and screenshots. */
  readonly #mask = new ValueMask();
  readonly #inferenceFile: InferenceFile;
  #state: State = { kind: 'constructed' };
  /** Kept after `close()`, so that the session can be resumed. */
  #remote: RemoteFacts | undefined;

  /**
   * Checks the options. Does not start a browser.
   * @throws DriverInvalidArgumentError when an option is invalid or unknown.
   * @throws DriverEnvironmentError when `env` is invalid.
   * @throws DriverDomainPolicyError when an entry of `allowedDomains` or `blockedDomains` is invalid.
   */
  constructor(options: DriverOptions) {
    this.#options = resolveDriverOptions(options);
    this.#log = new Log({ ...this.#options, mask: this.#mask });
    this.#inferenceFile = new InferenceFile({ log: this.#log, mask: this.#mask });
    this.#caches = openCaches(this.#options, {
      log: this.#log,
      mask: (text) => this.#mask.mask(text),
    });
    this.#modelService = new ModelService({
      configuration: this.#options.model,
      log: this.#log,
      mask: this.#mask,
      onInference: (record) => {
        this.#meter.add(record.verb, record.usage, record.milliseconds);
        this.#boundary.noteAnswer(record.output);
        if (this.#options.logInferenceToFile) this.#inferenceFile.write(record);
      },
    });
  }

  /**
   * Starts the browser or attaches to it, within 60000 ms. Calls before `close()` share one start, unless it failed. On
   * failure, closes everything that it had opened.
   * @throws DriverInitError when no usable browser is found, or it does not respond in time.
   * @throws DriverAbortError when `signal` is aborted, or `close({ force: true })` is called meanwhile.
   * @throws MissingEnvironmentVariableError when `env` is `REMOTE` and no API key is set.
   * @throws RemoteApiError when the platform rejects a request, or cannot be reached.
   * @throws RemoteQuotaError when no browser is free; `retryAfter` is the time to wait in ms.
   * @throws RemoteSessionNotFoundError when the session `remoteSessionID` is not running.
   * @example
   * await driver.init();
   */
  init(): Promise<void> {
    const state = this.#state;
    // The signal has aborted, and `#endWithSignal` is about to close the browser.
    if (state.kind === 'running' && this.#options.signal?.aborted) return Promise.resolve().then(() => this.init());
    if (state.kind === 'starting' || state.kind === 'running') return state.started;
    if (state.kind === 'closing') return state.done.then(() => this.init());
    const stop = new AbortController();
    const started = this.#start(stop.signal);
    this.#state = { kind: 'starting', started, stop };
    return started;
  }

  /**
   * Closes the browser. With `keepAlive`, or if another program started the browser, only disconnects. Pending calls
   * reject with a `DriverClosedError`. With `force`, kills the browser immediately and rejects a pending `init()`.
   * @example
   * await driver.close();
   */
  close(options: { force?: boolean } = {}): Promise<void> {
    checkOptions(options);
    checkFlag('force', options.force);
    return this.#end(options.force ?? false);
  }

  #end(force: boolean): Promise<void> {
    const state = this.#state;
    if (state.kind === 'constructed') return Promise.resolve();
    if (state.kind === 'closing') return force ? state.browser.end({ force }).then(() => state.done) : state.done;
    if (state.kind === 'running') return this.#close(state.browser, force);
    if (force) state.stop.abort(new DriverAbortError('init: ended by close({ force: true }).'));
    // `init()` reports its own failure, and there is nothing left to close.
    return state.started.then(() => this.#end(force), ignoreRejection);
  }

  /** Closes the driver at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * The browser context: pages, cookies, storage and permissions.
   * @throws DriverNotInitializedError when called before `init()` or after `close()`.
   * @example
   * const page = await driver.context.newPage();
   */
  get context(): DriverContext {
    return this.#running('context').context;
  }

  /**
   * Model usage so far, by verb and in total: token counts, and `…InferenceTimeMs` in ms.
   * @example
   * const { totalPromptTokens, actInferenceTimeMs } = await driver.metrics;
   */
  get metrics(): Promise<Metrics> {
    return Promise.resolve(this.#meter.read());
  }

  /**
   * All calls of `act`, `observe` and `extract` and all navigations by page methods such as `goto`, in the order in
   * which they ended. Includes failed calls. Agent runs list their steps in their result instead.
   * @example
   * for (const { method, parameters, timestamp } of await driver.history) console.log(timestamp, method, parameters);
   */
  get history(): Promise<readonly HistoryEntry[]> {
    return Promise.resolve(this.#history.read());
  }

  /**
   * Id of the remote session. Still set after `close()`, so that a kept session can be resumed. Undefined for `LOCAL`
   * and before `init()`.
   */
  get remoteSessionID(): string | undefined {
    return this.#remote?.sessionID;
  }

  /** URL of the remote session's page on the platform's dashboard. Undefined for `LOCAL`. */
  get remoteSessionURL(): string | undefined {
    return this.#remote?.sessionURL;
  }

  /** URL of a page where a person can inspect the remote browser. Undefined for `LOCAL`. */
  get remoteDebugURL(): string | undefined {
    return this.#remote?.debugURL;
  }

  /**
   * Returns the browser's DevTools WebSocket URL, for other tools and for `cdpUrl`.
   * @throws DriverNotInitializedError when called before `init()` or after `close()`.
   * @example
   * const cdpUrl = driver.connectURL();
   * await using other = new Driver({ env: 'LOCAL', localBrowserLaunchOptions: { cdpUrl } });
   */
  connectURL(): string {
    const { connection } = this.#running('connectURL').browser;
    connection.isShared = true;
    return connection.url;
  }

  /**
   * Creates an agent whose runs stream their output. Does not start a run.
   * @throws DriverNotInitializedError when called before `init()` or after `close()`.
   * @throws DriverInvalidArgumentError when an option is invalid or unknown.
   * @example
   * const run = driver.agent({ stream: true }).execute('order a mug');
   * for await (const text of run.textStream) process.stdout.write(text);
   */
  agent(config: AgentConfig & { readonly stream: true }): StreamingAgent;
  /**
   * Creates an agent for tasks with several steps. Does not start a run.
   * @throws DriverNotInitializedError when called before `init()` or after `close()`.
   * @throws DriverInvalidArgumentError when an option is invalid or unknown.
   * @example
   * const agent = driver.agent({ model: 'openai/gpt-5' });
   * const result = await agent.execute('order a mug');
   */
  agent(config?: AgentConfig & { readonly stream?: false }): Agent;
  agent(config: AgentConfig = {}): Agent | StreamingAgent {
    this.#running('agent');
    checkAgentConfig(config);
    const host: AgentHost = {
      log: this.#log,
      record: (agentCall, run) =>
        this.#recorded({ method: 'agent', ...agentCall }, (cost) => run(this.#partsFor(cost))),
    };
    return config.stream ? new StreamingAgent(host, config) : new Agent(host, config);
  }

  /**
   * Asks the operators who watch the remote session (`remoteDebugURL`) and waits for an answer, by default without a
   * timeout. Resolves with `undefined` if nobody can help. Agents accept this method as `onHandoff`.
   * @throws DriverUnsupportedFeatureError when `env` is `LOCAL`, or `remoteService` is another service.
   * @throws DriverTimeoutError when nobody answers within `timeout` ms.
   * @throws DriverAbortError when a `signal` is aborted.
   * @throws DriverInvalidArgumentError when `question` is empty or an option is invalid.
   * @throws DriverNotInitializedError when called before `init()` or after `close()`.
   * @example
   * const answer = await driver.askPerson({ question: 'Which address is the delivery for?', timeout: 600_000 });
   * console.log(answer?.text);
   */
  async askPerson(question: PersonQuestion): Promise<HandoffAnswer | undefined> {
    const { browser } = this.#running('askPerson');
    return askPerson(browser, question, this.#signal(browser));
  }

  /**
   * Performs one action on the page. An instruction needs a model. An action from `observe` needs one only if its
   * element must be found again. Returns `success: false` if nothing on the page matches the instruction, and throws if
   * the action fails. Default `timeout`: 120000 ms, of which an element may take 5000 ms to become actionable.
   * @throws DriverElementNotFoundError when no element matches the selector of the action.
   * @throws DriverElementNotVisibleError when a field stays hidden.
   * @throws DriverClickError when the element of a click stays hidden, disabled, moving or covered.
   * @throws DriverLocatorError when the element does not support the action; `reason` says why.
   * @throws DriverVariableOriginError when a variable is bound to origins, and the document has another one. Nothing is
   * typed.
   * @throws DriverInvalidArgumentError when an option or the action is invalid, or a placeholder has no variable.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws ActTimeoutError when the action does not end within `timeout` ms.
   * @example
   * await driver.act('fill the email field with %email%', { variables: { email: 'ada@example.com' } });
   * const { success, message, effect } = await driver.act('press Order', { timeout: 30_000 });
   */
  act(input: string | Action, options: ActOptions = {}): Promise<ActResult> {
    return this.#recorded({ method: 'act', input, options }, async (cost) =>
      act(await this.#verbContext('act', options, cost), input, options),
    );
  }

  /**
   * Finds elements that match the instruction and returns an action for each, most relevant first. Returns `[]` if
   * nothing matches. Does not run the actions: pass one to `act`. Default `timeout`: 120000 ms.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws DriverInvalidArgumentError when an option is invalid, or a placeholder has no variable.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws ObserveTimeoutError when the call does not end within `timeout` ms.
   * @example
   * const [button] = await driver.observe('the submit button');
   * if (button) await driver.act(button);
   */
  observe(instruction: string, options?: ObserveOptions): Promise<Action[]>;
  /**
   * Returns an action for each interactive element of the page, in page order, without a model.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws DriverInvalidArgumentError when an option is invalid.
   * @throws ObserveTimeoutError when the call does not end within `timeout` ms.
   * @example
   * const actions = await driver.observe({ selector: 'form#order' });
   */
  observe(options?: ObserveOptions): Promise<Action[]>;
  observe(first?: string | ObserveOptions, second: ObserveOptions = {}): Promise<Action[]> {
    const [instruction, options] = isObject(first) ? [undefined, first] : [first, second];
    return this.#recorded({ method: 'observe', instruction, options }, async (cost) =>
      observe(await this.#verbContext('observe', options, cost), instruction, options),
    );
  }

  /**
   * Extracts data of the schema's type, with the location of each field on the page: `evidence` has the fields of
   * `data`, each with `selector` and `text`, or `undefined` if the value was not found there. All options in one
   * object.
   * @throws SchemaValidationError when the data does not match the schema after one repair; `issues` says where.
   * @throws DriverInvalidArgumentError when an option is invalid, or the schema cannot be converted to JSON Schema.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws ExperimentalFeatureError when `plan` is true and the driver is not `experimental`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const schema = z.object({ price: z.number() });
   * const { data, evidence } = await driver.extract({ instruction: 'the price', schema, withEvidence: true });
   * console.log(data.price, evidence.price?.selector);
   */
  extract<const Schema extends ExtractSchema>(
    request: EvidenceRequest<Schema>,
  ): Promise<ExtractResult<WithEvidence<InferSchema<Schema>, InferSchemaInput<Schema>>>>;
  /**
   * Extracts data of the schema's type and validates it. Takes all arguments in one object.
   * @throws SchemaValidationError when the data does not match the schema after one repair; `issues` says where.
   * @throws DriverInvalidArgumentError when an option is invalid, or the schema cannot be converted to JSON Schema.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws ExperimentalFeatureError when `plan` is true and the driver is not `experimental`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const open = await driver.extract({ instruction: 'the number of open tickets', schema: z.number().int() });
   */
  extract<const Schema extends ExtractSchema>(
    request: ExtractRequest<Schema>,
  ): Promise<ExtractResult<InferSchema<Schema>>>;
  /**
   * Answers an instruction as text. Takes all arguments in one object.
   * @throws DriverInvalidArgumentError when the instruction is empty or an option is invalid.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const { extraction } = await driver.extract({ instruction: 'the return policy', selector: 'main' });
   */
  extract(request: ExtractOptions & { instruction: string; schema?: undefined }): Promise<ExtractedText>;
  /**
   * Returns the page as text, without a model.
   * @throws DriverInvalidArgumentError when an option is invalid.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const { pageText } = await driver.extract({ ignoreSelectors: ['.advertisement'] });
   */
  extract(options?: ExtractOptions): Promise<PageText>;
  /**
   * Answers an instruction as text.
   * @throws DriverInvalidArgumentError when the instruction is empty or an option is invalid.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const { extraction } = await driver.extract('what the shop says about returns');
   */
  extract(instruction: string, schema?: undefined, options?: ExtractOptions): Promise<ExtractedText>;
  /**
   * Extracts data of the schema's type, with the location of each field on the page: `evidence` has the fields of
   * `data`, each with `selector` and `text`, or `undefined` if the value was not found there.
   * @throws SchemaValidationError when the data does not match the schema after one repair; `issues` says where.
   * @throws DriverInvalidArgumentError when an option is invalid, or the schema cannot be converted to JSON Schema.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws ExperimentalFeatureError when `plan` is true and the driver is not `experimental`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const schema = z.object({ mugs: z.array(z.object({ name: z.string(), price: z.number() })) });
   * const { data, evidence } = await driver.extract('all mugs', schema, { withEvidence: true });
   * console.log(data.mugs[0]?.price, evidence.mugs[0]?.price?.selector);
   */
  extract<const Schema extends ExtractSchema>(
    instruction: string,
    schema: Schema,
    options: EvidenceOptions,
  ): Promise<ExtractResult<WithEvidence<InferSchema<Schema>, InferSchemaInput<Schema>>>>;
  /**
   * Extracts data of the schema's type and validates it.
   * @throws SchemaValidationError when the data does not match the schema after one repair; `issues` says where.
   * @throws DriverInvalidArgumentError when an option is invalid, or the schema cannot be converted to JSON Schema.
   * @throws LLMResponseError when the model fails, or its response is invalid.
   * @throws MissingLLMConfigurationError when no model is configured, or its key is missing.
   * @throws UnsupportedModelError when the model does not accept the `screenshot`.
   * @throws ExperimentalFeatureError when `plan` is true and the driver is not `experimental`.
   * @throws DriverElementNotFoundError when `selector` matches no element.
   * @throws XPathResolutionError when `selector` is an XPath that matches no element.
   * @throws ExtractTimeoutError when the call does not end within `timeout` ms, by default 120000.
   * @example
   * const { price } = await driver.extract('the price', z.object({ price: z.number() }));
   */
  extract<const Schema extends ExtractSchema>(
    instruction: string,
    schema: Schema,
    options?: ExtractOptions,
  ): Promise<ExtractResult<InferSchema<Schema>>>;
  extract(
    first?: string | (AnyExtractOptions & { instruction?: string; schema?: ExtractSchema | undefined }),
    second?: ExtractSchema,
    third: AnyExtractOptions = {},
  ): Promise<unknown> {
    const { instruction, schema, ...options } = isObject(first)
      ? first
      : { ...third, instruction: first, schema: second };
    return this.#recorded({ method: 'extract', instruction, options }, async (cost) => {
      checkOptions(third);
      return extractAny(await this.#verbContext('extract', options, cost), { instruction, schema }, options);
    });
  }

  async #start(stop: AbortSignal): Promise<void> {
    using progress = new Progress({
      operation: 'init',
      timeout: INIT_TIMEOUT_MS,
      signals: [this.#options.signal, stop],
    });
    try {
      // Loads the provider's library while the browser starts.
      this.#modelService.prepare();
      const browser = await this.#openBrowser(progress);
      this.#remote = browser.remote;
      const { started } = this.#state as Extract<State, { kind: 'starting' }>;
      this.#state = { kind: 'running', started, browser, context: this.#newContext(browser) };
      browser.connection.browser.on('closed', (reason) =>
        this.#reportLoss(reason, browser.connection.browser.recovery.advice),
      );
      this.#endWithSignal(browser);
      this.#log.write('driver', 1, 'Ready.');
    } catch (error) {
      this.#state = { kind: 'constructed' };
      throw asInitError(error);
    }
  }

  /** The microtask lets `init()` store the promise before it can reject. */
  async #openBrowser(progress: Progress): Promise<OpenBrowser> {
    await Promise.resolve();
    progress.throwIfEnded();
    const open = this.#options.env === 'REMOTE' ? openRemoteBrowser : openLocalBrowser;
    return open(progress, this.#options, this.#log);
  }

  #close(browser: OpenBrowser, force: boolean): Promise<void> {
    const ended = deferred<void>();
    this.#state = { kind: 'closing', browser, done: ended.promise };
    ended.resolve(
      browser.end({ force }).finally(() => {
        this.#state = { kind: 'constructed' };
      }),
    );
    return ended.promise;
  }

  #endWithSignal({ gone }: OpenBrowser): void {
    const end = (): void => {
      this.#log.write('driver', 1, "Closing the browser: the driver's signal was aborted.");
      this.#end(false).catch((error: unknown) => this.#log.write('driver', 0, errorSentence(errorFacts(error))));
    };
    // Lets pending calls reject with the signal's reason first. They would report a lost browser if it closed
    // immediately.
    const endAfterCalls = (): void => queueMicrotask(end);
    this.#options.signal?.addEventListener('abort', endAfterCalls, { once: true, signal: gone });
  }

  /** Written at every log level. Pending calls reject by themselves. */
  #reportLoss(reason: string, advice: string = ''): void {
    if (this.#state.kind === 'running')
      this.#log.write('driver', 0, `The browser was lost: ${reason}. ${advice}`.trimEnd());
  }

  /** Aborts when the user's signal aborts or the browser is lost. */
  #signal({ gone }: OpenBrowser): AbortSignal {
    return this.#options.signal ? AbortSignal.any([this.#options.signal, gone]) : gone;
  }

  #newContext(browser: OpenBrowser): DriverContext {
    const { defaultTimeout, domSettleTimeout, tokenBudget } = this.#options;
    return new DriverContext(browser.connection, browser.targets, {
      defaultTimeout,
      domSettleTimeout,
      tokenBudget,
      signal: this.#signal(browser),
      log: this.#log,
      mask: this.#mask,
      documentCheck,
      watchDownloads: () => void browser.downloads.start().catch((error: unknown) => this.#noDownloads(error)),
      onNavigate: ({ parameters, result }) => {
        this.#remember('navigate', parameters, result);
        this.#tell(navigationEvent(parameters, result));
      },
      close: () => this.close(),
    });
  }

  #noDownloads(error: unknown): void {
    this.#log.write('driver', 0, `Cannot report downloads: ${errorSentence(errorFacts(error))}`);
  }

  #running(method: string): Running {
    if (this.#state.kind === 'running') return this.#state;
    throw new DriverNotInitializedError(
      `driver.${method} needs a browser. Call \`await driver.init()\` first, and again after close().`,
    );
  }

  async #verbContext(verb: string, options: VerbOptions, cost: CallCost): Promise<VerbContext> {
    const { context, browser } = this.#running(verb);
    checkVerbOptions(options);
    // Throws the reason why the browser was lost, with advice.
    browser.gone.throwIfAborted();
    const signal = this.#signal(browser);
    const { page, timeout = VERB_TIMEOUT_MS, signal: ownSignal } = options;
    await this.#takeoverEnded(browser, [signal, ownSignal]);
    using progress = new Progress({ operation: verb, timeout, signals: [signal, ownSignal] });
    return this.#verbsOn(await pageOfCall(progress, { context, browser }, page), {
      browser,
      cost,
      isServerCached: this.#isServerCached(options),
    });
  }

  /**
   * Waits while an operator controls the browser. The wait does not count towards the call's timeout. Returns true if
   * it waited.
   */
  async #takeoverEnded({ takeover }: OpenBrowser, signals: readonly (AbortSignal | undefined)[]): Promise<boolean> {
    if (!takeover) return false;
    using progress = new Progress({ operation: 'waiting for the operator', timeout: 0, signals });
    return await takeover.wait(progress);
  }

  #partsFor(cost: CallCost): DriverParts {
    const { context, browser } = this.#running('agent');
    return {
      browser: context,
      signal: this.#signal(browser),
      pageOf: (progress, given) => pageOfCall(progress, { context, browser }, given),
      verbs: (page) => this.#verbsOn(page, { browser, cost, isServerCached: false }),
      takeoverEnded: (progress) => this.#takeoverEnded(browser, [progress.signal]),
    };
  }

  /** The option of a call overrides the driver's. Always false without a cache on the platform. */
  #isServerCached({ serverCache = this.#options.serverCache }: VerbOptions): boolean {
    return this.#caches.server !== undefined && serverCache;
  }

  #verbsOn(page: Page, { browser, cost, isServerCached }: Served): VerbContext {
    const { own, server } = this.#caches;
    const boundary = this.#boundary;
    const { selfHeal, domSettleTimeout, systemPrompt, tokenBudget, experimental } = this.#options;
    return {
      page,
      modelService: this.#modelService.forCall((record) => cost.add(record), { gone: page.target.gone }),
      log: this.#log,
      cache: isServerCached ? server : own,
      answerCache: isServerCached ? server : undefined,
      known: this.#known,
      mask: (text) => this.#mask.mask(text),
      learn: (variables) => learnVariables(this.#mask, { variables }),
      selfHeal,
      isExperimental: experimental,
      domSettleTimeout,
      systemPrompt,
      tokenBudget,
      get boundary() {
        return boundary.line;
      },
      signal: this.#signal(browser),
    };
  }

  async #recorded<T>(call: RecordedCall, run: (cost: CallCost) => Promise<T>): Promise<T> {
    const { method } = call;
    const cost = new CallCost();
    const named = this.#learnValues(call);
    const note = (end: CallEnd): void => {
      const sentence = `${end.isFailed ? 'failed:' : '→'} ${end.outcome} (${cost.sentence()})`;
      this.#log.write(method, 1, `${callName(call)} ${sentence}`, cost.facts());
      this.#tell(callEvent(call, cost, end));
    };
    try {
      const found = await run(cost);
      // Extracted data is returned unmasked. Actions keep the placeholders that the model saw.
      const masked = method === 'extract' ? found : (this.#mask.maskData(found, named) as T);
      const result = this.#isServerCached(call.options) ? withCacheStatus(masked, call, cost) : masked;
      this.#rememberCall(call, result);
      note({ outcome: resultSummary(call, result), isFailed: false, result });
      return result;
    } catch (caught) {
      const error = maskError(publicError(caught), this.#mask);
      const facts = errorFacts(error);
      this.#rememberCall(call, { error: facts });
      note({ outcome: errorSentence(facts), isFailed: true });
      throw error;
    }
  }

  #tell(event: SessionEvent): void {
    if (this.#state.kind === 'running') this.#state.browser.events?.add(this.#mask.maskData(event) as SessionEvent);
  }

  /** Masks the values of the call's variables from now on. Returns the values that the call itself spells out. */
  #learnValues(call: RecordedCall): ReadonlySet<string> {
    learnVariables(this.#mask, call.options);
    return this.#mask.valuesIn(textOf(call));
  }

  /** Agent runs have no entry: their `AgentResult` and the log list the steps. */
  #rememberCall(call: RecordedCall, result: unknown): void {
    if (call.method !== 'agent') this.#remember(call.method, parametersOf(call), result);
  }

  #remember(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    this.#history.add(method, this.#mask.maskData(parameters), this.#mask.maskData(result));
  }
}
