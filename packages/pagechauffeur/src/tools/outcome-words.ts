import type { ModelVariable } from '../model/model-client.ts';
import { markUntrusted } from '../model/untrusted-text.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Maximum length of quoted text for a model. A longer answer hides what matters. */
const MAX_QUOTED_LENGTH = 24_000;

/** Marks quoted text as untrusted. */
interface Telling {
  readonly boundary: string;
  readonly variables: readonly ModelVariable[];
}

/** Formats an outcome for a model. Quoted text is between boundary lines. */
export function formatOutcome(
  { text, quoted }: Pick<ToolOutcome, 'text' | 'quoted'>,
  { boundary, variables }: Telling,
): string {
  return quoted === undefined || quoted === '' ? text : `${text}\n${markUntrusted(cut(quoted), boundary, variables)}`;
}

/** Formats an outcome for people. */
export function wordsOf({ text, quoted, summary }: ToolOutcome): string {
  return summary ?? [text, quoted].filter(Boolean).join('\n');
}

function cut(text: string): string {
  if (text.length <= MAX_QUOTED_LENGTH) return text;
  return `${text.slice(0, MAX_QUOTED_LENGTH)}\n… ${text.length - MAX_QUOTED_LENGTH} more characters`;
}
