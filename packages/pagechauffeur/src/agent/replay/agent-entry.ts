import { hasForm, type JsonForm } from '../../util/json-form.ts';
import { hasKnownEffect, RECORDED_STEP, type RecordedStep } from './recorded-step.ts';

/** A cached task: its steps and its ending. */
export interface AgentEntry {
  readonly steps: readonly RecordedStep[];
  /** The ending, if it contains no page text. Without it, a model reads the page after the replay. */
  readonly ending?: KnownEnding;
}

/** A stored answer. It is valid again if the page has the same evidence. */
export interface KnownEnding {
  readonly answer: string;
  /** Page texts that proved that the task was done. */
  readonly evidence: readonly string[];
  /** URL of the page without query and fragment. */
  readonly url: string;
  /** Digest of the page. Set if there is no evidence, or if the task depends on the content of pages. */
  readonly shown?: string;
}

const ENDING: JsonForm = {
  fields: { answer: 'string', evidence: ['string'], url: 'string' },
  optional: { shown: 'string' },
};

/** Parses a cache entry. Returns `undefined` if it is invalid. */
export function parseAgentEntry(content: unknown): AgentEntry | undefined {
  if (!hasForm(content, { fields: { steps: [RECORDED_STEP] }, optional: { ending: ENDING } })) return undefined;
  const entry = content as AgentEntry;
  return entry.steps.length > 0 && entry.steps.every(hasKnownEffect) ? entry : undefined;
}
