/** Facts that an error carries besides its message. Shapes are stable, messages are not. */
export interface DriverErrorOptions {
  /** What went wrong underneath. */
  readonly cause?: unknown;
  /** What the call had tried and seen so far, oldest first; printed below the message. */
  readonly callLog?: readonly string[];
}

/** The base class of every error this library throws. `code` is stable and meant for programs. */
export class DriverError extends Error {
  override readonly name: string = 'DriverError';
  /** Names the kind of error; it stays the same between versions. */
  readonly code: string = 'DRIVER_ERROR';
  /** What the call had tried and seen, oldest first. */
  readonly callLog: readonly string[];

  constructor(message: string, options: DriverErrorOptions = {}) {
    super(withCallLog(message, options.callLog), options.cause === undefined ? {} : { cause: options.cause });
    this.callLog = options.callLog ?? [];
  }
}

function withCallLog(message: string, callLog: readonly string[] = []): string {
  if (callLog.length === 0) return message;
  return `${message}\nCall log:\n${callLog.map((line) => `  - ${line}`).join('\n')}`;
}

/** Extracted data does not match the schema, also after one repair turn. */
export class SchemaValidationError extends DriverError {
  override readonly name: string = 'SchemaValidationError';
  override readonly code = 'SCHEMA_VALIDATION';
  /** What is wrong, one entry per place: a path into the value and a sentence. */
  readonly issues: readonly SchemaIssue[];
  /** The value as the model gave it. */
  readonly value: unknown;

  constructor(message: string, options: DriverErrorOptions & { issues: readonly SchemaIssue[]; value: unknown }) {
    super(message, options);
    this.issues = options.issues;
    this.value = options.value;
  }
}

/** One place where a value does not match its schema. */
export interface SchemaIssue {
  /** Keys and indexes from the root to the place, `[]` for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The page's DOM could not be processed. */
export class DriverDomProcessError extends DriverError {
  override readonly name: string = 'DriverDomProcessError';
  override readonly code = 'DOM_PROCESS';
}

/** JavaScript evaluated in the page threw; the message and stack are the page's. */
export class DriverEvalError extends DriverError {
  override readonly name: string = 'DriverEvalError';
  override readonly code = 'EVAL';
}

/** The frame of the target element cannot be resolved. */
export class DriverIframeError extends DriverError {
  override readonly name: string = 'DriverIframeError';
  override readonly code = 'IFRAME';
}

/** A selector names a frame element that has no document to go on in. */
export class ContentFrameNotFoundError extends DriverError {
  override readonly name: string = 'ContentFrameNotFoundError';
  override readonly code = 'CONTENT_FRAME_NOT_FOUND';
  /** The selector as it was given. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** An XPath does not resolve in the page or its frames, or cannot be evaluated there. */
export class XPathResolutionError extends DriverError {
  override readonly name: string = 'XPathResolutionError';
  override readonly code = 'XPATH_RESOLUTION';
  /** The XPath as it was given. */
  readonly xpath: string;

  constructor(message: string, options: DriverErrorOptions & { xpath: string }) {
    super(message, options);
    this.xpath = options.xpath;
  }
}

/** A path goes on in the shadow root of an element that has none. */
export class DriverShadowRootMissingError extends DriverError {
  override readonly name: string = 'DriverShadowRootMissingError';
  override readonly code = 'SHADOW_ROOT_MISSING';
}

/** The model's answer cannot be used: broken, cut off, refused, or naming elements it was not shown. */
export class LLMResponseError extends DriverError {
  override readonly name: string = 'LLMResponseError';
  override readonly code: string = 'LLM_RESPONSE';
}

/** What an instruction for `extract` asks for cannot be read off the page: `offline/lexical` does not guess. */
export class ExtractError extends LLMResponseError {
  override readonly name: string = 'ExtractError';
  override readonly code = 'EXTRACT';
  /** Fields that are not on the page, and words of the instruction that nothing on it accounts for. */
  readonly parts: readonly string[];

  constructor(message: string, options: DriverErrorOptions & { parts: readonly string[] }) {
    super(message, options);
    this.parts = options.parts;
  }
}

/** No model is configured: neither an option nor a key in the environment names one. */
export class MissingLLMConfigurationError extends DriverError {
  override readonly name: string = 'MissingLLMConfigurationError';
  override readonly code = 'MISSING_LLM_CONFIGURATION';
}

/** The model cannot do what the operation needs, or its provider is not known or not installed. */
export class UnsupportedModelError extends DriverError {
  override readonly name: string = 'UnsupportedModelError';
  override readonly code = 'UNSUPPORTED_MODEL';
  /** The model as it was given. */
  readonly model: string;

  constructor(message: string, options: DriverErrorOptions & { model: string }) {
    super(message, options);
    this.model = options.model;
  }
}

/** A model string is not of the form `provider/model`. */
export class InvalidSdkModelFormatError extends DriverError {
  override readonly name: string = 'InvalidSdkModelFormatError';
  override readonly code = 'INVALID_SDK_MODEL_FORMAT';
  /** The model as it was given. */
  readonly model: string;

  constructor(message: string, options: DriverErrorOptions & { model: string }) {
    super(message, options);
    this.model = options.model;
  }
}

/** No element matches the selector, also after self-heal where that is on. */
export class DriverElementNotFoundError extends DriverError {
  override readonly name: string = 'DriverElementNotFoundError';
  override readonly code = 'ELEMENT_NOT_FOUND';
  /** The selectors that were tried, in order. */
  readonly selectors: readonly string[];

  constructor(message: string, options: DriverErrorOptions & { selectors: readonly string[] }) {
    super(message, options);
    this.selectors = options.selectors;
  }
}

/** A click could not land on its target. */
export class DriverClickError extends DriverError {
  override readonly name: string = 'DriverClickError';
  override readonly code = 'CLICK';
  /** The selector as it was given. */
  readonly selector: string;
  /** The element that covers the target, as `<tag#id.class>`, when that was the reason. */
  readonly cover: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { selector: string; cover?: string | undefined }) {
    super(message, options);
    this.selector = options.selector;
    this.cover = options.cover;
  }
}

/** `init()` failed; whatever it had started was ended again. */
export class DriverInitError extends DriverError {
  override readonly name: string = 'DriverInitError';
  override readonly code: string = 'INIT';
}

/** A method was called before `init()` or after `close()`. */
export class DriverNotInitializedError extends DriverError {
  override readonly name: string = 'DriverNotInitializedError';
  override readonly code = 'NOT_INITIALIZED';
}

/** The remote session does not exist, has ended, or belongs to somebody else. */
export class RemoteSessionNotFoundError extends DriverInitError {
  override readonly name: string = 'RemoteSessionNotFoundError';
  override readonly code = 'REMOTE_SESSION_NOT_FOUND';
}

/**
 * The remote platform refused a request, or could not be reached. Sessions are created and found by `init()`, so it is a
 * `DriverInitError`.
 */
export class RemoteApiError extends DriverInitError {
  override readonly name: string = 'RemoteApiError';
  override readonly code: string = 'REMOTE_API';
  /** The status of its answer; undefined when none came. */
  readonly status: number | undefined;
  /** By which the platform finds the request in its log; undefined when no answer came. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    options: DriverErrorOptions & { status?: number | undefined; requestId?: string | undefined } = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.requestId = options.requestId;
  }
}

/** The remote platform has no browser free, or the project has its share. */
export class RemoteQuotaError extends RemoteApiError {
  override readonly name: string = 'RemoteQuotaError';
  override readonly code = 'REMOTE_QUOTA';
  /** Milliseconds after which it is worth trying again. */
  readonly retryAfter: number;

  constructor(
    message: string,
    options: DriverErrorOptions & { status: number; requestId: string | undefined; retryAfter: number },
  ) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}

/** A required environment variable is not set. */
export class MissingEnvironmentVariableError extends DriverError {
  override readonly name: string = 'MissingEnvironmentVariableError';
  override readonly code = 'MISSING_ENVIRONMENT_VARIABLE';
  /** The name of the variable; undefined for a text that is none. */
  readonly variable: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { variable: string }) {
    super(message, options);
    this.variable = options.variable;
  }
}

/** The `env` option, or what it needs, is not valid. */
export class DriverEnvironmentError extends DriverError {
  override readonly name: string = 'DriverEnvironmentError';
  override readonly code = 'ENVIRONMENT';
}

/** An argument or option has a wrong type or value. */
export class DriverInvalidArgumentError extends DriverError {
  override readonly name: string = 'DriverInvalidArgumentError';
  override readonly code = 'INVALID_ARGUMENT';
  /** The argument's name, dotted into objects: `localBrowserLaunchOptions.port`. */
  readonly argument: string;

  constructor(message: string, options: DriverErrorOptions & { argument: string }) {
    super(message, options);
    this.argument = options.argument;
  }
}

/** A call did not end within its `timeout`. */
export class DriverTimeoutError extends DriverError {
  override readonly name: string = 'DriverTimeoutError';
  override readonly code = 'TIMEOUT';
  /** The call, for example `locator.click`. */
  readonly operation: string;
  /** The limit that passed, in milliseconds. */
  readonly timeout: number;

  constructor(message: string, options: DriverErrorOptions & { operation: string; timeout: number }) {
    super(message, options);
    this.operation = options.operation;
    this.timeout = options.timeout;
  }
}

/** `act()` did not end within its `timeout`. */
export class ActTimeoutError extends DriverTimeoutError {
  override readonly name: string = 'ActTimeoutError';
}

/** `observe()` did not end within its `timeout`. */
export class ObserveTimeoutError extends DriverTimeoutError {
  override readonly name: string = 'ObserveTimeoutError';
}

/** `extract()` did not end within its `timeout`. */
export class ExtractTimeoutError extends DriverTimeoutError {
  override readonly name: string = 'ExtractTimeoutError';
}

/** The caller's `signal` was aborted; `cause` is its reason. */
export class DriverAbortError extends DriverError {
  override readonly name: string = 'DriverAbortError';
  override readonly code = 'ABORTED';
}

/** A run of an agent was ended by a `signal`; `cause` is its reason. */
export class AgentAbortError extends DriverAbortError {
  override readonly name: string = 'AgentAbortError';
}

/** A navigation failed: bad URL, unreachable host, or refused by the browser. */
export class DriverNavigationError extends DriverError {
  override readonly name: string = 'DriverNavigationError';
  override readonly code = 'NAVIGATION';
  /** The address as it was given. */
  readonly url: string;

  constructor(message: string, options: DriverErrorOptions & { url: string }) {
    super(message, options);
    this.url = options.url;
  }
}

/** What can be done after a browser, or the connection to it, is gone. */
export interface Recovery {
  /** Whether the remote session goes on, as far as its platform could be asked. */
  readonly canResume?: boolean;
  readonly remoteSessionID?: string;
  /** A sentence that says what to do. */
  readonly advice?: string;
}

/**
 * The browser, the page or the connection to it is gone.
 *
 * @example
 * try {
 *   await driver.act('click "Save"');
 * } catch (error) {
 *   if (!(error instanceof DriverClosedError) || !error.canResume) throw error;
 *   const next = new Driver({ env: 'REMOTE', remoteSessionID: error.remoteSessionID ?? '' });
 *   await next.init();
 * }
 */
export class DriverClosedError extends DriverError {
  override readonly name: string = 'DriverClosedError';
  override readonly code = 'CLOSED';
  /** True if the remote session goes on: a new driver with this `remoteSessionID` finds the same pages. */
  readonly canResume: boolean;
  /** The remote session that the driver has lost; undefined for a local browser, and when only a page was closed. */
  readonly remoteSessionID: string | undefined;
  /** What to do next; also at the end of the message. Undefined when only a page was closed. */
  readonly advice: string | undefined;

  constructor(message: string, options: DriverErrorOptions & Recovery = {}) {
    super(options.advice === undefined ? message : `${message} ${options.advice}`, options);
    this.canResume = options.canResume ?? false;
    this.remoteSessionID = options.remoteSessionID;
    this.advice = options.advice;
  }
}

/** The browser refused a command of its DevTools protocol. */
export class DriverProtocolError extends DriverError {
  override readonly name: string = 'DriverProtocolError';
  override readonly code = 'PROTOCOL';
  /** The command, for example `Page.navigate`. */
  readonly method: string;
  /** The browser's own words. */
  readonly reason: string;

  constructor(message: string, options: DriverErrorOptions & { method: string; reason: string }) {
    super(message, options);
    this.method = options.method;
    this.reason = options.reason;
  }
}

/** No page is open, or none appeared in time. */
export class DriverPageNotFoundError extends DriverError {
  override readonly name: string = 'DriverPageNotFoundError';
  override readonly code = 'PAGE_NOT_FOUND';
}

/** The element exists but a person cannot see it. */
export class DriverElementNotVisibleError extends DriverError {
  override readonly name: string = 'DriverElementNotVisibleError';
  override readonly code = 'ELEMENT_NOT_VISIBLE';
  /** The selector as it was given. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** The element is there, but what was asked of it cannot be done. */
export class DriverLocatorError extends DriverError {
  override readonly name: string = 'DriverLocatorError';
  override readonly code = 'LOCATOR';
  /** The selector as it was given. */
  readonly selector: string;
  /** True if the element got its input before the call failed, so a second try would do it twice. */
  readonly hasActed: boolean;
  /** Why the element cannot be acted on, such as `disabled`, `covered` or `not-a-select`; undefined for other failures. */
  readonly reason: string | undefined;

  constructor(
    message: string,
    options: DriverErrorOptions & { selector: string; hasActed?: boolean; reason?: string | undefined },
  ) {
    super(message, options);
    this.selector = options.selector;
    this.hasActed = options.hasActed ?? false;
    this.reason = options.reason;
  }
}

/** What is wrong with one of several cookies. */
export interface CookieIssue {
  /** The cookie's place in the array that was given. */
  readonly index: number;
  readonly name: string | undefined;
  readonly message: string;
}

/** Cookies cannot be set as they were given; none of them was. */
export class DriverCookieError extends DriverError {
  override readonly name: string = 'DriverCookieError';
  override readonly code = 'COOKIE';
  /** What is wrong, one entry per fault; empty when only the browser knows. */
  readonly issues: readonly CookieIssue[];

  constructor(message: string, options: DriverErrorOptions & { issues: readonly CookieIssue[] }) {
    super(message, options);
    this.issues = options.issues;
  }
}

/** A domain policy is not valid, or it refuses the address of a `goto`. */
export class DriverDomainPolicyError extends DriverError {
  override readonly name: string = 'DriverDomainPolicyError';
  override readonly code = 'DOMAIN_POLICY';
  /** The address that was refused; undefined for a policy that is not valid. */
  readonly url: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { url?: string } = {}) {
    super(message, options);
    this.url = options.url;
  }
}

/** A text was not typed, because the document is of no origin that the text, or a variable in it, is bound to. */
export class DriverVariableOriginError extends DriverError {
  override readonly name: string = 'DriverVariableOriginError';
  override readonly code = 'VARIABLE_ORIGIN';
  /** The name of the variable; undefined for a text that is none. */
  readonly variable: string | undefined;
  /** The origin of the document, as the browser tells it; `null` for one without an origin of its own. */
  readonly origin: string;
  /** The origins that it is bound to. */
  readonly origins: readonly string[];

  constructor(
    message: string,
    options: DriverErrorOptions & { variable: string | undefined; origin: string; origins: readonly string[] },
  ) {
    super(message, options);
    this.variable = options.variable;
    this.origin = options.origin;
    this.origins = options.origins;
  }
}

/** An extra HTTP header has a name or value that cannot be sent. */
export class DriverHTTPHeadersError extends DriverError {
  override readonly name: string = 'DriverHTTPHeadersError';
  override readonly code = 'HTTP_HEADERS';
}

/** A feature that may change between versions was asked for without the driver's `experimental: true`. */
export class ExperimentalFeatureError extends DriverError {
  override readonly name: string = 'ExperimentalFeatureError';
  override readonly code = 'EXPERIMENTAL_FEATURE';
  /** What was asked for, as docs call it: `extraction plans`. */
  readonly feature: string;

  constructor(message: string, options: DriverErrorOptions & { feature: string }) {
    super(message, options);
    this.feature = options.feature;
  }
}

/** What was asked for is not supported by this environment or this version. */
export class DriverUnsupportedFeatureError extends DriverError {
  override readonly name: string = 'DriverUnsupportedFeatureError';
  override readonly code = 'UNSUPPORTED_FEATURE';
}

/** A server of the Model Context Protocol cannot be reached, or does not answer as one. */
export class McpConnectionError extends DriverError {
  override readonly name: string = 'McpConnectionError';
  override readonly code = 'MCP_CONNECTION';
  /** The address or the command of the server. */
  readonly server: string;

  constructor(message: string, options: DriverErrorOptions & { server: string }) {
    super(message, options);
    this.server = options.server;
  }
}
