import { hasForm } from '../../util/json-form.ts';
import { hasKnownEffect, RECORDED_STEP, type RecordedStep } from './recorded-step.ts';

/** What the cache keeps of a task: what was done, and what was said in the end. */
export interface AgentEntry {
  readonly steps: readonly RecordedStep[];
  /** The answer, when it says nothing that pages said; without it a model looks at the page after the steps. */
  readonly answer?: string;
  /** Texts of the page by which it was seen that the task was done. */
  readonly evidence?: readonly string[];
}

/** What was read from a cache as an entry; undefined when it is none. */
export function parseAgentEntry(content: unknown): AgentEntry | undefined {
  if (!hasForm(content, { fields: { steps: [RECORDED_STEP] }, optional: { answer: 'string', evidence: ['string'] } }))
    return undefined;
  const entry = content as AgentEntry;
  return entry.steps.length > 0 && entry.steps.every(hasKnownEffect) ? entry : undefined;
}
