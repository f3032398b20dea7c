import { hasForm, type JsonForm } from '../../util/json-form.ts';
import { hasKnownEffect, RECORDED_STEP, type RecordedStep } from './recorded-step.ts';

/** What the cache keeps of a task: what was done, and what was said in the end. */
export interface AgentEntry {
  readonly steps: readonly RecordedStep[];
  /** What was said in the end, when it says nothing that pages said; without it a model looks at the page after the steps. */
  readonly ending?: KnownEnding;
}

/** An answer that is true again when the page shows by the same that the task is done. */
export interface KnownEnding {
  readonly answer: string;
  /** Texts of the page by which it was seen that the task was done. */
  readonly evidence: readonly string[];
  /** The address of the page, without what follows the path. */
  readonly url: string;
  /** A digest of what the page showed, when there is no evidence, or when the task leaves it to the pages what is done. */
  readonly shown?: string;
}

const ENDING: JsonForm = {
  fields: { answer: 'string', evidence: ['string'], url: 'string' },
  optional: { shown: 'string' },
};

/** What was read from a cache as an entry; undefined when it is none. */
export function parseAgentEntry(content: unknown): AgentEntry | undefined {
  if (!hasForm(content, { fields: { steps: [RECORDED_STEP] }, optional: { ending: ENDING } })) return undefined;
  const entry = content as AgentEntry;
  return entry.steps.length > 0 && entry.steps.every(hasKnownEffect) ? entry : undefined;
}
