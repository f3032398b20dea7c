import {
  ContentFrameNotFoundError,
  DriverClickError,
  DriverClosedError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  type DriverError,
  DriverEvalError,
  DriverIframeError,
  DriverInvalidArgumentError,
  DriverLocatorError,
  DriverNavigationError,
  DriverTimeoutError,
  DriverVariableOriginError,
} from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { ToolOutcome } from './tool-outcome.ts';

type ErrorClass = abstract new (...args: never[]) => DriverError;

/** What a tool can do about an error. */
interface Hint {
  readonly tool: string;
  readonly words: string;
}

/** What to try after an error, by its class; the first that fits counts. A hint is given only to who has the tool. */
const ADVICE: readonly (readonly [ErrorClass, string, Hint?])[] = [
  [DriverElementNotFoundError, 'It has left the page. Use a ref of the page as it is shown now.'],
  [DriverElementNotVisibleError, 'Do first what makes it appear, or use the element that a person would use.'],
  [DriverTimeoutError, 'It took too long, and was ended. See what the page shows now before you try again.'],
  [DriverNavigationError, 'Check the address, or go there by what the page offers.'],
  [DriverIframeError, 'Its frame has gone or changed. Use a ref of the page as it is shown now.'],
  [ContentFrameNotFoundError, 'Its frame has gone or changed. Use a ref of the page as it is shown now.'],
  [DriverEvalError, 'The script threw. Correct it.'],
  [
    DriverVariableOriginError,
    'This variable does not belong here, and only the user can change that. Go on without it.',
  ],
  [DriverInvalidArgumentError, 'Call it again with what it takes.'],
  [
    DriverClosedError,
    'The page is gone. Go on with another one.',
    { tool: 'tabs', words: 'navigate with what: list lists them.' },
  ],
  [DriverLocatorError, 'That cannot be done to this element. Do it another way.'],
];

/** What a model is told of a call that failed: what to try in our words, and what went wrong, which may quote the page. */
export function failedCall(tool: string, error: unknown, hasTool: (name: string) => boolean): ToolOutcome {
  const [reason = ''] = reasonOf(error).split('\nCall log:\n', 1);
  return { text: `${tool} failed. ${adviceFor(error, hasTool)}`, quoted: reason, isError: true };
}

function adviceFor(error: unknown, hasTool: (name: string) => boolean): string {
  if (error instanceof DriverClickError)
    return error.cover === undefined
      ? 'It cannot be hit as it is now. Do first what changes that, or use another way.'
      : 'Something is in front of it. Close or move that first, or use another way.';
  const [, words = 'Try another way.', hint] = ADVICE.find(([kind]) => error instanceof kind) ?? [];
  return hint && hasTool(hint.tool) ? `${words} ${hint.words}` : words;
}
