import { grouped } from '../../src/model/tool-groups.ts';
import type { AgentTask } from './agent-task.ts';
import type { Decision } from './decision.ts';
import { NotShownError, shownRef } from './shown-elements.ts';

/** A call of a tool as a model would ask for it. */
export interface DecidedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * The calls of a task's step, counted from 0, with the refs that the texts shown so far have for its elements. Who is asked once
 * more, because the page has changed meanwhile, decides as before.
 */
export function nextCalls({ steps, name }: AgentTask, step: number, texts: readonly string[]): readonly DecidedCall[] {
  const decisions = steps[Math.min(step, steps.length - 1)];
  if (!decisions || step > steps.length)
    throw new NotShownError(`“${name}” has ${steps.length} steps, and question ${step + 1} was asked.`);
  return decisions.map((decision) => grouped({ tool: decision.tool, input: inputOf(decision, texts) }));
}

function inputOf({ elements, input, reads }: Decision, texts: readonly string[]): DecidedCall['input'] {
  const refs = Object.entries(elements).map(([field, wanted]) => [field, shownRef(texts, wanted)]);
  const message = reads ? { message: String(input['message']).replace('$1', readOff(texts, reads)) } : {};
  return { ...Object.fromEntries(refs), ...input, ...message };
}

/** What a pattern's first group finds in the newest text where it finds anything. */
export function readOff(texts: readonly string[], pattern: RegExp): string {
  for (const text of texts.toReversed()) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new NotShownError(`${String(pattern)} finds nothing in what was shown. The last text was:\n${texts.at(-1)}`);
}
