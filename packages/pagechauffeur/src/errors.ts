/** Facts of an error in addition to its message. Shapes are stable, messages are not. */
export interface DriverErrorOptions {
  /** The underlying error. */
  readonly cause?: unknown;
  /** The steps and observations of the call so far, oldest first. Printed below the message. */
  readonly callLog?: readonly string[];
}

/** The base class of every error this library throws. `code` is stable and meant for programs. */
export class DriverError extends Error {
  override readonly name: string = 'DriverError';
  /** The kind of error. Stable between versions. */
  readonly code: string = 'DRIVER_ERROR';
  /** The steps and observations of the call, oldest first. */
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

/** Extracted data does not match the schema, even after one repair attempt. */
export class SchemaValidationError extends DriverError {
  override readonly name: string = 'SchemaValidationError';
  override readonly code = 'SCHEMA_VALIDATION';
  /** The problems: for each, a path into the value and a sentence. */
  readonly issues: readonly SchemaIssue[];
  /** The value that the model returned. */
  readonly value: unknown;

  constructor(message: string, options: DriverErrorOptions & { issues: readonly SchemaIssue[]; value: unknown }) {
    super(message, options);
    this.issues = options.issues;
    this.value = options.value;
  }
}

/** A mismatch between a value and its schema. */
export interface SchemaIssue {
  /** Keys and indexes from the root to the mismatch; `[]` for the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The driver could not process the page's DOM. */
export class DriverDomProcessError extends DriverError {
  override readonly name: string = 'DriverDomProcessError';
  override readonly code = 'DOM_PROCESS';
}

/** JavaScript in the page threw. Message and stack come from the page. */
export class DriverEvalError extends DriverError {
  override readonly name: string = 'DriverEvalError';
  override readonly code = 'EVAL';
}

/** The frame of the target element cannot be resolved. */
export class DriverIframeError extends DriverError {
  override readonly name: string = 'DriverIframeError';
  override readonly code = 'IFRAME';
}

/** A selector continues inside an element that has no document. */
export class ContentFrameNotFoundError extends DriverError {
  override readonly name: string = 'ContentFrameNotFoundError';
  override readonly code = 'CONTENT_FRAME_NOT_FOUND';
  /** The selector of the caller. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** An XPath is invalid, or matches nothing in the page and its frames. */
export class XPathResolutionError extends DriverError {
  override readonly name: string = 'XPathResolutionError';
  override readonly code = 'XPATH_RESOLUTION';
  /** The XPath of the caller. */
  readonly xpath: string;

  constructor(message: string, options: DriverErrorOptions & { xpath: string }) {
    super(message, options);
    this.xpath = options.xpath;
  }
}

/** A path continues in the shadow root of an element that has none. */
export class DriverShadowRootMissingError extends DriverError {
  override readonly name: string = 'DriverShadowRootMissingError';
  override readonly code = 'SHADOW_ROOT_MISSING';
}

/** The model's answer is unusable: malformed, cut off, refused, or with unknown elements. */
export class LLMResponseError extends DriverError {
  override readonly name: string = 'LLMResponseError';
  override readonly code: string = 'LLM_RESPONSE';
}

/** The page does not contain the data that an instruction for `extract` asks for; `offline/lexical` does not guess. */
export class ExtractError extends LLMResponseError {
  override readonly name: string = 'ExtractError';
  override readonly code = 'EXTRACT';
  /** Fields and words of the instruction that are not on the page. */
  readonly parts: readonly string[];

  constructor(message: string, options: DriverErrorOptions & { parts: readonly string[] }) {
    super(message, options);
    this.parts = options.parts;
  }
}

/** No model is configured, neither by an option nor by a key in the environment. */
export class MissingLLMConfigurationError extends DriverError {
  override readonly name: string = 'MissingLLMConfigurationError';
  override readonly code = 'MISSING_LLM_CONFIGURATION';
}

/** The model does not support the operation, or its provider is unknown or not installed. */
export class UnsupportedModelError extends DriverError {
  override readonly name: string = 'UnsupportedModelError';
  override readonly code = 'UNSUPPORTED_MODEL';
  /** The model of the caller. */
  readonly model: string;

  constructor(message: string, options: DriverErrorOptions & { model: string }) {
    super(message, options);
    this.model = options.model;
  }
}

/** A model string does not have the form `provider/model`. */
export class InvalidSdkModelFormatError extends DriverError {
  override readonly name: string = 'InvalidSdkModelFormatError';
  override readonly code = 'INVALID_SDK_MODEL_FORMAT';
  /** The model of the caller. */
  readonly model: string;

  constructor(message: string, options: DriverErrorOptions & { model: string }) {
    super(message, options);
    this.model = options.model;
  }
}

/** No element matches the selector, even after self-heal if it is enabled. */
export class DriverElementNotFoundError extends DriverError {
  override readonly name: string = 'DriverElementNotFoundError';
  override readonly code = 'ELEMENT_NOT_FOUND';
  /** The tried selectors, in order. */
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
  /** The selector of the caller. */
  readonly selector: string;
  /** The element that covers the target, as `<tag#id.class>`, if that was the reason. */
  readonly cover: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { selector: string; cover?: string | undefined }) {
    super(message, options);
    this.selector = options.selector;
    this.cover = options.cover;
  }
}

/** `init()` failed. The driver has ended everything that it had started. */
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
 * The remote platform refused a request, or was unreachable. `init()` creates and finds sessions, so this is a `DriverInitError`.
 */
export class RemoteApiError extends DriverInitError {
  override readonly name: string = 'RemoteApiError';
  override readonly code: string = 'REMOTE_API';
  /** The status of its answer. Undefined without an answer. */
  readonly status: number | undefined;
  /** Id of the request in the platform's log. Undefined without an answer. */
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

/** The remote platform has no free browser, or the project has reached its quota. */
export class RemoteQuotaError extends RemoteApiError {
  override readonly name: string = 'RemoteQuotaError';
  override readonly code = 'REMOTE_QUOTA';
  /** Milliseconds after which a retry makes sense. */
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
  /** The name of the variable. Undefined for a text that is not a variable. */
  readonly variable: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { variable: string }) {
    super(message, options);
    this.variable = options.variable;
  }
}

/** The `env` option or its requirements are invalid. */
export class DriverEnvironmentError extends DriverError {
  override readonly name: string = 'DriverEnvironmentError';
  override readonly code = 'ENVIRONMENT';
}

/** An argument or option has a wrong type or value. */
export class DriverInvalidArgumentError extends DriverError {
  override readonly name: string = 'DriverInvalidArgumentError';
  override readonly code = 'INVALID_ARGUMENT';
  /** The path of the argument, such as `localBrowserLaunchOptions.port`. */
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
  /** The limit in milliseconds. */
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

/** The caller's `signal` aborted the call; `cause` is its reason. */
export class DriverAbortError extends DriverError {
  override readonly name: string = 'DriverAbortError';
  override readonly code = 'ABORTED';
}

/** A `signal` aborted an agent run; `cause` is its reason. */
export class AgentAbortError extends DriverAbortError {
  override readonly name: string = 'AgentAbortError';
}

/** A navigation failed: the URL is invalid, the host is unreachable, or the browser refused it. */
export class DriverNavigationError extends DriverError {
  override readonly name: string = 'DriverNavigationError';
  override readonly code = 'NAVIGATION';
  /** The URL of the caller. */
  readonly url: string;

  constructor(message: string, options: DriverErrorOptions & { url: string }) {
    super(message, options);
    this.url = options.url;
  }
}

/** Advice after a browser, or the connection to it, is lost. */
export interface Recovery {
  /** True if the remote session continues, as far as the driver could ask the platform. */
  readonly canResume?: boolean;
  readonly remoteSessionID?: string;
  /** A sentence with the next step. */
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
  /** True if the remote session continues: a new driver with this `remoteSessionID` finds the same pages. */
  readonly canResume: boolean;
  /** The remote session that the driver has lost. Undefined for a local browser, and if only a page was closed. */
  readonly remoteSessionID: string | undefined;
  /** Advice, which the message also contains at its end. Undefined if only a page was closed. */
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
  /** The selector of the caller. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** The element exists, but does not support the requested operation. */
export class DriverLocatorError extends DriverError {
  override readonly name: string = 'DriverLocatorError';
  override readonly code = 'LOCATOR';
  /** The selector of the caller. */
  readonly selector: string;
  /** True if the element got its input before the call failed, so a retry would act twice. */
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

/** A problem with one of several cookies. */
export interface CookieIssue {
  /** The index of the cookie in the caller's array. */
  readonly index: number;
  readonly name: string | undefined;
  readonly message: string;
}

/** The driver could not set the cookies. It has set none of them. */
export class DriverCookieError extends DriverError {
  override readonly name: string = 'DriverCookieError';
  override readonly code = 'COOKIE';
  /** The problems, one entry each. Empty if only the browser knows the reason. */
  readonly issues: readonly CookieIssue[];

  constructor(message: string, options: DriverErrorOptions & { issues: readonly CookieIssue[] }) {
    super(message, options);
    this.issues = options.issues;
  }
}

/** A domain policy is invalid, or it blocks the URL of a `goto`. */
export class DriverDomainPolicyError extends DriverError {
  override readonly name: string = 'DriverDomainPolicyError';
  override readonly code = 'DOMAIN_POLICY';
  /** The blocked URL. Undefined for an invalid policy. */
  readonly url: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { url?: string } = {}) {
    super(message, options);
    this.url = options.url;
  }
}

/** The driver did not type a text, because the document has none of the origins that the text, or a variable in it, is bound to. */
export class DriverVariableOriginError extends DriverError {
  override readonly name: string = 'DriverVariableOriginError';
  override readonly code = 'VARIABLE_ORIGIN';
  /** The name of the variable. Undefined for a text that is not a variable. */
  readonly variable: string | undefined;
  /** The origin of the document, as reported by the browser. `null` for an opaque origin. */
  readonly origin: string;
  /** The allowed origins. */
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

/** An extra HTTP header has an invalid name or value. */
export class DriverHTTPHeadersError extends DriverError {
  override readonly name: string = 'DriverHTTPHeadersError';
  override readonly code = 'HTTP_HEADERS';
}

/** A call uses a feature that may change between versions, without the driver's `experimental: true`. */
export class ExperimentalFeatureError extends DriverError {
  override readonly name: string = 'ExperimentalFeatureError';
  override readonly code = 'EXPERIMENTAL_FEATURE';
  /** The name of the feature in the docs, such as `extraction plans`. */
  readonly feature: string;

  constructor(message: string, options: DriverErrorOptions & { feature: string }) {
    super(message, options);
    this.feature = options.feature;
  }
}

/** This environment or version does not support the requested feature. */
export class DriverUnsupportedFeatureError extends DriverError {
  override readonly name: string = 'DriverUnsupportedFeatureError';
  override readonly code = 'UNSUPPORTED_FEATURE';
}

/** A Model Context Protocol server is unreachable or does not speak the protocol. */
export class McpConnectionError extends DriverError {
  override readonly name: string = 'McpConnectionError';
  override readonly code = 'MCP_CONNECTION';
  /** The URL or the command of the server. */
  readonly server: string;

  constructor(message: string, options: DriverErrorOptions & { server: string }) {
    super(message, options);
    this.server = options.server;
  }
}
