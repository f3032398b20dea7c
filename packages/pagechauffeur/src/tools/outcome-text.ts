import type { ModelVariable } from '../model/model-client.ts';
import { markUntrusted } from '../model/untrusted-text.ts';
import type { ToolOutcome } from './tool-outcome.ts';

const MAX_QUOTED_LENGTH = 24_000;

interface FormatOptions {
  readonly boundary: string;
  readonly variables: readonly ModelVariable[];
}

/** Formats an outcome for a model. Encloses quoted text in boundary lines. */
export function formatOutcome(
  { text, quoted }: Pick<ToolOutcome, 'text' | 'quoted'>,
  { boundary, variables }: FormatOptions,
): string {
  return quoted === undefined || quoted === '' ? text : `${text}\n${markUntrusted(cut(quoted), boundary, variables)}`;
}

/** Formats an outcome for logs and callers. */
export function outcomeText({ text, quoted, summary }: ToolOutcome): string {
  return summary ?? [text, quoted].filter(Boolean).join('\n');
}

function cut(text: string): string {
  if (text.length <= MAX_QUOTED_LENGTH) return text;
  return `${text.slice(0, MAX_QUOTED_LENGTH)}\n… ${text.length - MAX_QUOTED_LENGTH} more characters`;
}
