import { adviceFor } from '../util/error-codes.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Reports an error to the model. The message can contain page text, so it is quoted. */
export function failedCall(tool: string, error: unknown, hasTool: (name: string) => boolean): ToolOutcome {
  const [reason = ''] = reasonOf(error).split('\nCall log:\n', 1);
  return { text: `${tool} failed. ${adviceFor(error, hasTool)}`, quoted: reason, isError: true };
}
