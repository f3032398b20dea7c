import { Agent } from '../agent/agent.ts';
import type { AgentConfig } from '../agent/agent-options.ts';
import type { AgentHost } from '../agent/carry-out.ts';
import { checkAgentConfig } from '../agent/check-agent-options.ts';
import type { DriverParts } from '../agent/driver-parts.ts';
import { StreamingAgent } from '../agent/streaming-agent.ts';
import { act, type ActOptions } from '../act/act.ts';
import type { ActResult } from '../act/act-result.ts';
import { DriverAbortError, DriverNotInitializedError } from '../errors.ts';
import type { WithEvidence } from '../extract/evidence/evidence.ts';
import { type ExtractedText, extractAny, type PageText } from '../extract/extract.ts';
import type { ExtractResult } from '../extract/extract-result.ts';
import type { AnyExtractOptions, EvidenceOptions, ExtractOptions } from '../extract/extract-options.ts';
import type { ExtractSchema, InferSchema, InferSchemaInput } from '../extract/schema.ts';
import { observe, type ObserveOptions } from '../observe/observe.ts';
import { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import { publicClasses } from '../page/public-classes.ts';
import { publicError, withPublicErrors } from '../page/public-errors.ts';
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
import type { Action } from '../verb/action.ts';
import { Boundary } from '../verb/fence.ts';
import { ModelDesk } from '../verb/model-desk.ts';
import { KnownActions } from '../verb/replay/known-actions.ts';
import { learnVariables } from '../verb/variables.ts';
import { checkVerbOptions } from '../verb/check-verb-options.ts';
import { VERB_TIMEOUT_MS, type VerbContext, type VerbOptions } from '../verb/verb-context.ts';
import { askPerson, type PersonQuestion } from './ask-person.ts';
import { withCacheStatus } from './cache-status.ts';
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
import { callName, isObject, parametersOf, type RecordedCall, resultSummary, wordsOf } from './recorded-call.ts';
import { type ResolvedDriverOptions, resolveDriverOptions } from './resolve-driver-options.ts';
import { type CallEnd, callEvent, navigationEvent } from './session-event.ts';

for (const publicClass of publicClasses) withPublicErrors(publicClass);

/** Milliseconds that `init()` may take. */
const INIT_TIMEOUT_MS = 60_000;

interface Running {
  readonly kind: 'running';
  readonly started: Promise<void>;
  readonly browser: OpenBrowser;
  readonly context: DriverContext;
}

/** What a call's verbs work for. */
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

/** An instruction with everything else in one object, as `extract` also takes it. */
export interface ExtractRequest<Schema extends ExtractSchema> extends ExtractOptions {
  /** What the data is; default: what the schema describes. */
  instruction?: string;
  schema: Schema;
}

/** The same, for data and where it stands on the page. */
export interface EvidenceRequest<Schema extends ExtractSchema> extends EvidenceOptions {
  /** What the data is; default: what the schema describes. */
  instruction?: string;
  schema: Schema;
}

/**
 * Drives a browser by natural language. Create one, `init()` it, work with `act`, `observe`, `extract` and the
 * pages of `context`, and `close()` it.
 *
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
  readonly #desk: ModelDesk;
  /** Values of variables so far: they are kept from pictures and from the cache. */
  readonly #secrets = new Set<string>();
  readonly #caches: Caches;
  readonly #known = new KnownActions();
  readonly #boundary = new Boundary();
  readonly #mask = new ValueMask();
  readonly #inferenceFile: InferenceFile;
  #state: State = { kind: 'constructed' };
  /** The remote session that was opened last. */
  #remote: RemoteFacts | undefined;

  /** Checks the options; a wrong one is a `DriverInvalidArgumentError`, a wrong `env` a `DriverEnvironmentError`. */
  constructor(options: DriverOptions) {
    this.#options = resolveDriverOptions(options);
    this.#log = new Log({ ...this.#options, mask: this.#mask });
    this.#inferenceFile = new InferenceFile({ log: this.#log, mask: this.#mask });
    this.#caches = openCaches(this.#options, {
      log: this.#log,
      mask: (text) => this.#mask.mask(text),
    });
    this.#desk = new ModelDesk({
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

  /** Starts or attaches to the browser; called again, the same promise. What was begun is undone when it fails. */
  init(): Promise<void> {
    const state = this.#state;
    // The signal that was aborted ends the browser when the calls in flight have been told.
    if (state.kind === 'running' && this.#options.signal?.aborted) return Promise.resolve().then(() => this.init());
    if (state.kind === 'starting' || state.kind === 'running') return state.started;
    if (state.kind === 'closing') return state.done.then(() => this.init());
    const stop = new AbortController();
    const started = this.#start(stop.signal);
    this.#state = { kind: 'starting', started, stop };
    return started;
  }

  /**
   * Ends the browser, or only leaves it with `keepAlive` or when it was attached to. While closing: the same
   * promise. With `force` the browser is killed at once, and an `init()` that is under way ends with an error.
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
    // A failed start is told by its own promise; there is nothing left to close then.
    return state.started.then(() => this.#end(force), ignoreRejection);
  }

  /** Closes the driver at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The browser's pages. Throws a `DriverNotInitializedError` before `init()` and after `close()`. */
  get context(): DriverContext {
    return this.#running('context').context;
  }

  /** What models have cost so far. */
  get metrics(): Promise<Metrics> {
    return Promise.resolve(this.#meter.read());
  }

  /** The calls of `act`, `observe` and `extract` and all navigations so far, oldest first. What an agent did is in its result. */
  get history(): Promise<readonly HistoryEntry[]> {
    return Promise.resolve(this.#history.read());
  }

  /** The remote session, also after `close()`, so that one that is kept alive can be gone on with; undefined for `LOCAL` and before `init()`. */
  get remoteSessionID(): string | undefined {
    return this.#remote?.sessionID;
  }

  /** The remote session's page on the platform's dashboard; undefined for `LOCAL`. */
  get remoteSessionURL(): string | undefined {
    return this.#remote?.sessionURL;
  }

  /** Where the remote browser can be inspected; undefined for `LOCAL`. */
  get remoteDebugURL(): string | undefined {
    return this.#remote?.debugURL;
  }

  /** The browser's DevTools socket, for other tools and for coming back to it by `cdpUrl`. */
  connectURL(): string {
    const { connection } = this.#running('connectURL').browser;
    connection.isShared = true;
    return connection.url;
  }

  /** An agent, which carries out tasks of several steps; with `stream` its runs can be read as they go on. */
  agent(config: AgentConfig & { readonly stream: true }): StreamingAgent;
  agent(config?: AgentConfig & { readonly stream?: false }): Agent;
  agent(config: AgentConfig = {}): Agent | StreamingAgent {
    this.#running('agent');
    checkAgentConfig(config);
    const host: AgentHost = {
      log: this.#log,
      record: (told, run) => this.#recorded({ method: 'agent', ...told }, (cost) => run(this.#partsFor(cost))),
    };
    return config.stream ? new StreamingAgent(host, config) : new Agent(host, config);
  }

  /**
   * Asks the people who look at the remote session's page (`remoteDebugURL`), and waits for their answer without a limit of its own;
   * undefined: nobody can help. Give it to agents as `onHandoff`. A `DriverUnsupportedFeatureError` for `LOCAL` and other services.
   */
  async askPerson(question: PersonQuestion): Promise<HandoffAnswer | undefined> {
    const { browser } = this.#running('askPerson');
    return askPerson(browser, question, this.#signal(browser));
  }

  /** Carries out one instruction, or one given action without a model. */
  act(input: string | Action, options: ActOptions = {}): Promise<ActResult> {
    return this.#recorded({ method: 'act', input, options }, async (cost) =>
      act(await this.#verbContext('act', options, cost), input, options),
    );
  }

  /** Finds the elements an instruction asks for, most relevant first; without one, every interactive element. */
  observe(instruction: string, options?: ObserveOptions): Promise<Action[]>;
  observe(options?: ObserveOptions): Promise<Action[]>;
  observe(first?: string | ObserveOptions, second: ObserveOptions = {}): Promise<Action[]> {
    const [instruction, options] = isObject(first) ? [undefined, first] : [first, second];
    return this.#recorded({ method: 'observe', instruction, options }, async (cost) =>
      observe(await this.#verbContext('observe', options, cost), instruction, options),
    );
  }

  /** Data of a schema's type, and where each field of it stands on the page. */
  extract<const Schema extends ExtractSchema>(
    request: EvidenceRequest<Schema>,
  ): Promise<ExtractResult<WithEvidence<InferSchema<Schema>, InferSchemaInput<Schema>>>>;
  /** Data of a schema's type, from one object. */
  extract<const Schema extends ExtractSchema>(
    request: ExtractRequest<Schema>,
  ): Promise<ExtractResult<InferSchema<Schema>>>;
  /** The answer to an instruction, as text, from one object. */
  extract(request: ExtractOptions & { instruction: string; schema?: undefined }): Promise<ExtractedText>;
  /** The page as text, without a model. */
  extract(options?: ExtractOptions): Promise<PageText>;
  /** The answer to an instruction, as text. */
  extract(instruction: string, schema?: undefined, options?: ExtractOptions): Promise<ExtractedText>;
  /** Data of a schema's type, and where each field of it stands on the page. */
  extract<const Schema extends ExtractSchema>(
    instruction: string,
    schema: Schema,
    options: EvidenceOptions,
  ): Promise<ExtractResult<WithEvidence<InferSchema<Schema>, InferSchemaInput<Schema>>>>;
  /** Data of a schema's type, read off the page and checked by the schema. */
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
      // The library of the model's provider is loaded while the browser starts.
      this.#desk.prepare();
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

  /** Asynchronous to its first step, so that `init()` has noted the start before it can fail. */
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

  /** The calls in flight end with the signal by themselves, and before the browser does. */
  #endWithSignal({ gone }: OpenBrowser): void {
    const end = (): void => {
      this.#log.write('driver', 1, 'Aborted by the signal of the driver.');
      this.#end(false).catch((error: unknown) => this.#log.write('driver', 0, errorSentence(errorFacts(error))));
    };
    // This listener is the signal's first, and closing would tell the calls that the browser is gone.
    const endAfterCalls = (): void => queueMicrotask(end);
    this.#options.signal?.addEventListener('abort', endAfterCalls, { once: true, signal: gone });
  }

  /** A browser that goes away by itself is worth a line at every verbosity; the calls in flight reject by themselves. */
  #reportLoss(reason: string, advice: string = ''): void {
    if (this.#state.kind === 'running')
      this.#log.write('driver', 0, `The browser is gone: ${reason}. ${advice}`.trimEnd());
  }

  /** Ends every call: when the user says so, or when the browser is gone. */
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
      secrets: this.#secrets,
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
    this.#log.write('driver', 0, `Downloads will not be told: ${errorSentence(errorFacts(error))}`);
  }

  #running(method: string): Running {
    if (this.#state.kind === 'running') return this.#state;
    throw new DriverNotInitializedError(
      `driver.${method} needs a browser: call \`await driver.init()\` first, and again after close().`,
    );
  }

  async #verbContext(verb: string, options: VerbOptions, cost: CallCost): Promise<VerbContext> {
    const { context, browser } = this.#running(verb);
    checkVerbOptions(options);
    // Its reason says why the browser is gone, and what to do.
    browser.gone.throwIfAborted();
    const signal = this.#signal(browser);
    const { page, timeout = VERB_TIMEOUT_MS, signal: ownSignal } = options;
    await this.#handedBack(browser, [signal, ownSignal]);
    using progress = new Progress({ operation: verb, timeout, signals: [signal, ownSignal] });
    return this.#verbsOn(await pageOfCall(progress, { context, browser }, page), {
      browser,
      cost,
      isServerCached: this.#isServerCached(options),
    });
  }

  /** A person who works in the browser takes the time that it takes: no call's limit counts it. Whether there was one. */
  async #handedBack({ takeover }: OpenBrowser, signals: readonly (AbortSignal | undefined)[]): Promise<boolean> {
    if (!takeover) return false;
    using progress = new Progress({ operation: 'handed back', timeout: 0, signals });
    return await takeover.wait(progress);
  }

  /** What a run of an agent works with. */
  #partsFor(cost: CallCost): DriverParts {
    const { context, browser } = this.#running('agent');
    return {
      browser: context,
      signal: this.#signal(browser),
      pageOf: (progress, given) => pageOfCall(progress, { context, browser }, given),
      verbs: (page) => this.#verbsOn(page, { browser, cost, isServerCached: false }),
      handedBack: (progress) => this.#handedBack(browser, [progress.signal]),
    };
  }

  /** Whether a call looks into the platform's cache: its own word, else the driver's; never for `LOCAL`. */
  #isServerCached({ serverCache = this.#options.serverCache }: VerbOptions): boolean {
    return this.#caches.server !== undefined && serverCache;
  }

  #verbsOn(page: Page, { browser, cost, isServerCached }: Served): VerbContext {
    const { own, server } = this.#caches;
    const boundary = this.#boundary;
    const { selfHeal, domSettleTimeout, systemPrompt, tokenBudget, experimental } = this.#options;
    return {
      page,
      desk: this.#desk.forCall((record) => cost.add(record), { gone: page.target.gone }),
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
      // Extracted data is the page's, as the caller wants it; elements and what was done are told as models saw them.
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

  /** Shows people what was done, where the browser is a platform's. */
  #tell(event: SessionEvent): void {
    if (this.#state.kind === 'running') this.#state.browser.events?.add(this.#mask.maskData(event) as SessionEvent);
  }

  /** From now on the values of a call's variables are nowhere to be seen; gives those that the caller's own words name. */
  #learnValues(call: RecordedCall): ReadonlySet<string> {
    learnVariables(this.#mask, call.options);
    return this.#mask.valuesIn(wordsOf(call));
  }

  /** A run of an agent is not an entry: its `AgentResult` and the log have its steps. */
  #rememberCall(call: RecordedCall, result: unknown): void {
    if (call.method !== 'agent') this.#remember(call.method, parametersOf(call), result);
  }

  #remember(method: HistoryEntry['method'], parameters: unknown, result: unknown): void {
    this.#history.add(method, this.#mask.maskData(parameters), this.#mask.maskData(result));
  }
}
