import { adviceFor } from '../util/error-codes.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Outcome of a call that threw: advice as text, and the error message as quoted text, since it may repeat the page. */
export function failedCall(tool: string, error: unknown, hasTool: (name: string) => boolean): ToolOutcome {
  const [reason = ''] = reasonOf(error).split('\nCall log:\n', 1);
  return { text: `${tool} failed. ${adviceFor(error, hasTool)}`, quoted: reason, isError: true };
}
