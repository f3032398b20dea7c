import { effectSentence } from '../act/act-result.ts';
import { textsOf } from '../actions/effect-note.ts';
import { observeCalls, type PageCalls } from '../actions/observe-effect.ts';
import type { ToolContext } from './tool-context.ts';
import { openedBy, type ToolOutcome } from './tool-outcome.ts';

interface ToolCalls extends Partial<Pick<PageCalls, 'at' | 'isWheel' | 'expectsAnswer'>> {
  /** Returns the report, without a full stop. Called after `run`. */
  readonly done: () => string;
  readonly run: () => Promise<unknown>;
}

/** Runs calls that act on no particular element, waits until the page settles, and reports the effect. */
export async function actOnPage(context: ToolContext, { done, run, ...place }: ToolCalls): Promise<ToolOutcome> {
  const { progress, page, verbs } = context;
  const calls = { at: 'page', ...place, send: run, settleTimeout: verbs.domSettleTimeout } as const;
  const label = `the agent's ${progress.operation}`;
  const { effect, notes } = await observeCalls(progress, page.target, { ...calls, label });
  const text = `${done()}. ${effectSentence(effect, notes)}`;
  return { text, effect, ...openedBy(notes), ...(notes.length > 0 && { quoted: textsOf(notes).join('\n') }) };
}
