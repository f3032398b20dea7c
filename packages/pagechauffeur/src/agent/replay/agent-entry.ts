import { hasForm, type JsonForm } from '../../util/json-form.ts';
import { hasKnownEffect, RECORDED_STEP, type RecordedStep } from './recorded-step.ts';

export interface AgentEntry {
  readonly steps: readonly RecordedStep[];
  /** Missing if the answer cannot be repeated or steps are left out. After the replay, a model then continues. */
  readonly ending?: KnownEnding;
}

/** A stored answer. A replay returns it again if the last page still proves it. */
export interface KnownEnding {
  readonly answer: string;
  /** Evidence that the model cited and the last page contained. */
  readonly evidence: readonly string[];
  /** URL of the last page without port, query and fragment. */
  readonly url: string;
  /** Digest of the last page. Stored if there is no evidence, or if the task depends on page content. */
  readonly shown?: string;
}

const ENDING: JsonForm = {
  fields: { answer: 'string', evidence: ['string'], url: 'string' },
  optional: { shown: 'string' },
};

export function parseAgentEntry(content: unknown): AgentEntry | undefined {
  if (!hasForm(content, { fields: { steps: [RECORDED_STEP] }, optional: { ending: ENDING } })) return undefined;
  const entry = content as AgentEntry;
  return entry.steps.length > 0 && entry.steps.every(hasKnownEffect) ? entry : undefined;
}
