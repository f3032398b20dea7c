import type { ModelVariable } from '../model/model-client.ts';
import { markUntrusted } from '../verb/untrusted-text.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** Characters of what others say that a model is told at most; a longer answer hides what matters. */
const LONGEST_QUOTED = 24_000;

/** How words of a page are set apart from ours. */
interface Telling {
  readonly boundary: string;
  readonly variables: readonly ModelVariable[];
}

/** What came of a tool as a model is told it: what others say stands between boundary lines. */
export function formatOutcome(
  { text, quoted }: Pick<ToolOutcome, 'text' | 'quoted'>,
  { boundary, variables }: Telling,
): string {
  return quoted === undefined || quoted === '' ? text : `${text}\n${markUntrusted(cut(quoted), boundary, variables)}`;
}

/** What came of a tool as people read it. */
export function wordsOf({ text, quoted, summary }: ToolOutcome): string {
  return summary ?? [text, quoted].filter(Boolean).join('\n');
}

function cut(text: string): string {
  if (text.length <= LONGEST_QUOTED) return text;
  return `${text.slice(0, LONGEST_QUOTED)}\n… ${text.length - LONGEST_QUOTED} more characters`;
}
