import { DriverClickError, DriverError, DriverLocatorError } from '../errors.ts';

/** How the driver reacts to an error. */
export interface ErrorRules {
  /** The selector or ref matches no element any more, so the caller may search the page for the element. */
  readonly isStale?: true;
  /** The element received no input, so the step may safely run once on another element. */
  readonly isHealable?: true;
  /** Appended to the error that a model sees. */
  readonly advice?: string;
  /** Added to `advice` if the model has this tool. */
  readonly toolAdvice?: { readonly tool: string; readonly text: string };
}

const STALE_FRAME: ErrorRules = {
  isStale: true,
  isHealable: true,
  advice: 'The frame of the element is gone or has changed. Use a ref from the current page.',
};
const STALE_ELEMENT: ErrorRules = { isStale: true, isHealable: true };

/** All codes of `DriverError`. Keep in sync with `docs/errors.md`. */
export const ERROR_CODES = {
  ABORTED: {},
  CLICK: {
    isHealable: true,
    advice: 'The element cannot receive input now. First do what makes it ready, or try another action.',
  },
  CLOSED: {
    advice: 'The page is gone. Continue with another one.',
    toolAdvice: { tool: 'tabs', text: 'navigate with what: list lists them.' },
  },
  CONTENT_FRAME_NOT_FOUND: STALE_FRAME,
  COOKIE: {},
  DOM_PROCESS: {},
  DOMAIN_POLICY: {},
  DRIVER_ERROR: {},
  ELEMENT_NOT_FOUND: {
    ...STALE_ELEMENT,
    advice: 'The element is no longer on the page. Use a ref from the current page.',
  },
  ELEMENT_NOT_VISIBLE: {
    isHealable: true,
    advice: 'Make the element visible first, or use the visible element that represents it.',
  },
  ENVIRONMENT: {},
  EVAL: { advice: 'The script failed. Correct it, or wait until the page has loaded.' },
  EXPERIMENTAL_FEATURE: {},
  EXTRACT: {},
  HTTP_HEADERS: {},
  IFRAME: STALE_FRAME,
  INIT: {},
  INVALID_ARGUMENT: { advice: 'Call the tool again with valid arguments.' },
  INVALID_SDK_MODEL_FORMAT: {},
  LLM_RESPONSE: {},
  LOCATOR: {
    isHealable: true,
    advice: 'The element does not accept the action now. First do what makes it ready, or try another action.',
  },
  MCP_CONNECTION: {},
  MISSING_ENVIRONMENT_VARIABLE: {},
  MISSING_LLM_CONFIGURATION: {},
  NAVIGATION: { advice: 'Check the URL, or use a link on the page.' },
  NOT_INITIALIZED: {},
  PAGE_NOT_FOUND: {},
  PROTOCOL: {},
  REMOTE_API: {},
  REMOTE_QUOTA: {},
  REMOTE_SESSION_NOT_FOUND: {},
  SCHEMA_VALIDATION: {},
  SHADOW_ROOT_MISSING: STALE_ELEMENT,
  TIMEOUT: { advice: 'It timed out. Read the page again before you retry.' },
  UNSUPPORTED_FEATURE: {},
  UNSUPPORTED_MODEL: {},
  VARIABLE_ORIGIN: {
    advice: 'This variable is not allowed here, and only the user can change that. Continue without it.',
  },
  XPATH_RESOLUTION: STALE_ELEMENT,
} as const satisfies Readonly<Record<string, ErrorRules>>;

/** Returns no rules for errors from other libraries. */
function errorRules(error: unknown): ErrorRules {
  if (!(error instanceof DriverError)) return {};
  const rules: ErrorRules | undefined = (ERROR_CODES as Readonly<Record<string, ErrorRules>>)[error.code];
  return rules ?? {};
}

/** True if the selector or ref of the step matches no element any more. */
export function isStale(error: unknown): boolean {
  return errorRules(error).isStale ?? false;
}

const errorsAfterInput = new WeakSet<object>();

/** Marks an error that an action throws after it has sent input, so that the action is not healed. */
export function markAfterInput(error: unknown): void {
  if (error instanceof Error) errorsAfterInput.add(error);
}

/** True if the step may run on another element, because its own is missing or received no input. */
export function isHealable(error: unknown): error is DriverError {
  if (error instanceof Error && errorsAfterInput.has(error)) return false;
  if (error instanceof DriverLocatorError && error.hasActed) return false;
  return errorRules(error).isHealable ?? false;
}

export function adviceFor(error: unknown, hasTool: (name: string) => boolean): string {
  if (error instanceof DriverClickError && error.cover !== undefined)
    return 'Another element covers it. Close or move that element first, or try another action.';
  const { advice = 'Try a different approach.', toolAdvice } = errorRules(error);
  return toolAdvice && hasTool(toolAdvice.tool) ? `${advice} ${toolAdvice.text}` : advice;
}
