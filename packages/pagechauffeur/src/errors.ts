/** Details of an error. Their shape is stable between versions; messages may change. */
export interface DriverErrorOptions {
  /** The underlying error. */
  readonly cause?: unknown;
  /** What the call did and saw, oldest first. Printed below the message. */
  readonly callLog?: readonly string[];
}

/** Base class of the errors that this library throws. Programs should check `code`, not the message. */
export class DriverError extends Error {
  override readonly name: string = 'DriverError';
  /** The kind of error, for example `TIMEOUT`. Stable between versions. */
  readonly code: string = 'DRIVER_ERROR';
  /** What the call did and saw, oldest first. */
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

/** Extracted data does not match the schema. */
export class SchemaValidationError extends DriverError {
  override readonly name: string = 'SchemaValidationError';
  override readonly code = 'SCHEMA_VALIDATION';
  /** All mismatches between the value and the schema. */
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
  /** Keys and indexes from the root to the mismatch. `[]` is the value itself. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The driver could not read the content of a page. */
export class DriverDomProcessError extends DriverError {
  override readonly name: string = 'DriverDomProcessError';
  override readonly code = 'DOM_PROCESS';
}

/** JavaScript in the page threw, its result cannot be returned, or its document was replaced while it ran. */
export class DriverEvalError extends DriverError {
  override readonly name: string = 'DriverEvalError';
  override readonly code = 'EVAL';
}

/** A frame was removed, failed to load or does not respond, or its document was replaced during the call. */
export class DriverIframeError extends DriverError {
  override readonly name: string = 'DriverIframeError';
  override readonly code = 'IFRAME';
}

/** A selector enters an element that has no document, for example a `<div>` instead of an `<iframe>`. */
export class ContentFrameNotFoundError extends DriverError {
  override readonly name: string = 'ContentFrameNotFoundError';
  override readonly code = 'CONTENT_FRAME_NOT_FOUND';
  /** The selector or locator call, for example `div >> a`. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** An XPath is invalid, or the XPath in the option `selector` matches no element. */
export class XPathResolutionError extends DriverError {
  override readonly name: string = 'XPathResolutionError';
  override readonly code = 'XPATH_RESOLUTION';
  /** The XPath, for example `//main//form`. */
  readonly xpath: string;

  constructor(message: string, options: DriverErrorOptions & { xpath: string }) {
    super(message, options);
    this.xpath = options.xpath;
  }
}

/** A selector enters the shadow root of an element that has none. */
export class DriverShadowRootMissingError extends DriverError {
  override readonly name: string = 'DriverShadowRootMissingError';
  override readonly code = 'SHADOW_ROOT_MISSING';
}

/** The model call failed, or its response is unusable: malformed, cut off, refused, or with unknown elements. */
export class LLMResponseError extends DriverError {
  override readonly name: string = 'LLMResponseError';
  override readonly code: string = 'LLM_RESPONSE';
}

/** `offline/lexical` could not read the requested data from the page. It does not guess. */
export class ExtractError extends LLMResponseError {
  override readonly name: string = 'ExtractError';
  override readonly code = 'EXTRACT';
  /** Schema fields and words from the instruction that caused the error. */
  readonly parts: readonly string[];

  constructor(message: string, options: DriverErrorOptions & { parts: readonly string[] }) {
    super(message, options);
    this.parts = options.parts;
  }
}

/** No model is configured, or its API key is missing or was rejected. */
export class MissingLLMConfigurationError extends DriverError {
  override readonly name: string = 'MissingLLMConfigurationError';
  override readonly code = 'MISSING_LLM_CONFIGURATION';
}

/** The model or its provider is unknown, or the model does not support the operation. */
export class UnsupportedModelError extends DriverError {
  override readonly name: string = 'UnsupportedModelError';
  override readonly code = 'UNSUPPORTED_MODEL';
  /** Name of the model, for example `openai/gpt-6-luna`. */
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
  /** The invalid string, for example `gpt-6-luna`. */
  readonly model: string;

  constructor(message: string, options: DriverErrorOptions & { model: string }) {
    super(message, options);
    this.model = options.model;
  }
}

/** No element matches the selector, or the element is no longer on the page. */
export class DriverElementNotFoundError extends DriverError {
  override readonly name: string = 'DriverElementNotFoundError';
  override readonly code = 'ELEMENT_NOT_FOUND';
  /** The selectors or refs without an element. Empty if unknown. */
  readonly selectors: readonly string[];

  constructor(message: string, options: DriverErrorOptions & { selectors: readonly string[] }) {
    super(message, options);
    this.selectors = options.selectors;
  }
}

/**
 * A click, hover, check or drag was not possible: its target stayed hidden, disabled, moving or covered, or the input
 * did not reach it.
 */
export class DriverClickError extends DriverError {
  override readonly name: string = 'DriverClickError';
  override readonly code = 'CLICK';
  /** The selector, ref or locator call of the target. */
  readonly selector: string;
  /** The element that covered the target, for example `<div#overlay>`. Undefined for other reasons. */
  readonly cover: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { selector: string; cover?: string | undefined }) {
    super(message, options);
    this.selector = options.selector;
    this.cover = options.cover;
  }
}

/** A browser cannot be started or reached. A failed `init()` closes everything that it opened. */
export class DriverInitError extends DriverError {
  override readonly name: string = 'DriverInitError';
  override readonly code: string = 'INIT';
}

/** A method was called before `init()` or after `close()`. */
export class DriverNotInitializedError extends DriverError {
  override readonly name: string = 'DriverNotInitializedError';
  override readonly code = 'NOT_INITIALIZED';
}

/** The remote session does not exist, has ended, or belongs to another project. */
export class RemoteSessionNotFoundError extends DriverInitError {
  override readonly name: string = 'RemoteSessionNotFoundError';
  override readonly code = 'REMOTE_SESSION_NOT_FOUND';
}

/**
 * The remote platform rejected a request, was unreachable, or sent an unusable response. It is a `DriverInitError`,
 * because `init()` creates and looks up sessions.
 */
export class RemoteApiError extends DriverInitError {
  override readonly name: string = 'RemoteApiError';
  override readonly code: string = 'REMOTE_API';
  /** HTTP status, if the platform rejected the request. */
  readonly status: number | undefined;
  /** Id of the request in the platform's log, if the response contains one. */
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
  /** How long to wait before a retry, in ms. */
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
  /** Name of the variable, for example `REMOTE_API_KEY`. */
  readonly variable: string | undefined;

  constructor(message: string, options: DriverErrorOptions & { variable: string }) {
    super(message, options);
    this.variable = options.variable;
  }
}

/** The option `env` is neither `LOCAL` nor `REMOTE`. */
export class DriverEnvironmentError extends DriverError {
  override readonly name: string = 'DriverEnvironmentError';
  override readonly code = 'ENVIRONMENT';
}

/** An argument or option has a wrong type or value. */
export class DriverInvalidArgumentError extends DriverError {
  override readonly name: string = 'DriverInvalidArgumentError';
  override readonly code = 'INVALID_ARGUMENT';
  /** Path of the argument, for example `localBrowserLaunchOptions.port`. */
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
  /** The timeout that was exceeded, in ms. */
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

/** A `signal` aborted the call, or `close({ force: true })` aborted `init()`. `cause` is the reason of the signal. */
export class DriverAbortError extends DriverError {
  override readonly name: string = 'DriverAbortError';
  override readonly code = 'ABORTED';
}

/** A `signal` aborted an agent run. `cause` is the reason of the signal. */
export class AgentAbortError extends DriverAbortError {
  override readonly name: string = 'AgentAbortError';
}

/** A navigation failed, for example because the host is unreachable, or the body of a response is not available. */
export class DriverNavigationError extends DriverError {
  override readonly name: string = 'DriverNavigationError';
  override readonly code = 'NAVIGATION';
  /** The URL that failed to load, or that of the page that could not be left. */
  readonly url: string;

  constructor(message: string, options: DriverErrorOptions & { url: string }) {
    super(message, options);
    this.url = options.url;
  }
}

/** How to continue after the browser or the connection to it is lost. */
export interface Recovery {
  /** True if the remote session continues, as far as the driver could find out. */
  readonly canResume?: boolean;
  readonly remoteSessionID?: string;
  /** The next step, as a sentence. */
  readonly advice?: string;
}

/**
 * The page or the browser was closed, or the connection to the browser was lost.
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
  /** True if the remote session continues. A new driver with this `remoteSessionID` finds the same pages. */
  readonly canResume: boolean;
  /** Id of the session whose connection was lost. Undefined for a local browser. */
  readonly remoteSessionID: string | undefined;
  /** The next step, as a sentence. The message ends with it, too. Undefined if the connection was not lost. */
  readonly advice: string | undefined;

  constructor(message: string, options: DriverErrorOptions & Recovery = {}) {
    super(options.advice === undefined ? message : `${message} ${options.advice}`, options);
    this.canResume = options.canResume ?? false;
    this.remoteSessionID = options.remoteSessionID;
    this.advice = options.advice;
  }
}

/** The browser responded to a DevTools protocol command with an error. */
export class DriverProtocolError extends DriverError {
  override readonly name: string = 'DriverProtocolError';
  override readonly code = 'PROTOCOL';
  /** The command, for example `Page.navigate`. */
  readonly method: string;
  /** The browser's error message. */
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

/** The element exists, but is not visible. */
export class DriverElementNotVisibleError extends DriverError {
  override readonly name: string = 'DriverElementNotVisibleError';
  override readonly code = 'ELEMENT_NOT_VISIBLE';
  /** The selector, ref or locator call of the element. */
  readonly selector: string;

  constructor(message: string, options: DriverErrorOptions & { selector: string }) {
    super(message, options);
    this.selector = options.selector;
  }
}

/** The element does not allow the requested operation, or a strict locator matches several elements. */
export class DriverLocatorError extends DriverError {
  override readonly name: string = 'DriverLocatorError';
  override readonly code = 'LOCATOR';
  /** The selector, ref or locator call of the element. */
  readonly selector: string;
  /** True if the element received input before the call failed. A retry would act twice. */
  readonly hasActed: boolean;
  /** Why the action is not possible, such as `disabled`, `covered` or `not-a-select`. Undefined for other failures. */
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

/** Why a cookie of a list was rejected. */
export interface CookieIssue {
  /** Index of the cookie in the caller's array. */
  readonly index: number;
  readonly name: string | undefined;
  readonly message: string;
}

/** A cookie was rejected. None of the passed cookies is set. */
export class DriverCookieError extends DriverError {
  override readonly name: string = 'DriverCookieError';
  override readonly code = 'COOKIE';
  /** One entry per rejected cookie. Empty if the browser rejected the cookies without naming one. */
  readonly issues: readonly CookieIssue[];

  constructor(message: string, options: DriverErrorOptions & { issues: readonly CookieIssue[] }) {
    super(message, options);
    this.issues = options.issues;
  }
}

/** A domain policy is invalid, or it blocks the URL of a `goto` or of a redirect. */
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

/** The driver refused to type or paste text, because the text or a variable in it is bound to other origins. */
export class DriverVariableOriginError extends DriverError {
  override readonly name: string = 'DriverVariableOriginError';
  override readonly code = 'VARIABLE_ORIGIN';
  /** Name of the variable. Undefined for text that is not a variable. */
  readonly variable: string | undefined;
  /** Origin of the document. The string `null` for an opaque origin. */
  readonly origin: string;
  /** The origins that the text or variable is bound to. */
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

/** An HTTP header has an invalid name or value, or the browser controls it. */
export class DriverHTTPHeadersError extends DriverError {
  override readonly name: string = 'DriverHTTPHeadersError';
  override readonly code = 'HTTP_HEADERS';
}

/** A call uses an experimental feature, but the driver was created without `experimental: true`. */
export class ExperimentalFeatureError extends DriverError {
  override readonly name: string = 'ExperimentalFeatureError';
  override readonly code = 'EXPERIMENTAL_FEATURE';
  /** Name of the feature in the docs, for example `extraction plans`. */
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

/** A Model Context Protocol (MCP) server is unreachable or does not speak the protocol. */
export class McpConnectionError extends DriverError {
  override readonly name: string = 'McpConnectionError';
  override readonly code = 'MCP_CONNECTION';
  /** URL or command of the server. */
  readonly server: string;

  constructor(message: string, options: DriverErrorOptions & { server: string }) {
    super(message, options);
    this.server = options.server;
  }
}
