import type { ModelImage } from '../model/model-client.ts';
import type { ActionEffect } from '../page/action/element-action.ts';
import type { DoneStep } from '../verb/perform-step.ts';

/** What came of a tool. */
export interface ToolOutcome {
  /** What was done, or why it was not, in words of the library's own. */
  readonly text: string;
  /** Words of the page or of whoever else answered, such as what was found; models are told them as data. */
  readonly quoted?: string;
  /** The same for people, where that says more than `text` and `quoted`. */
  readonly summary?: string;
  readonly isError?: boolean;
  /** Why a claimed end was not accepted yet. */
  readonly objection?: string | undefined;
  readonly images?: readonly ModelImage[];
  /** What the page showed for it. */
  readonly effect?: ActionEffect;
  /** The action that was carried out on an element. */
  readonly step?: DoneStep;
  /** Other tools did the work, and each of them was recorded as a step. */
  readonly isRecorded?: boolean;
  /** Data for the caller. */
  readonly data?: unknown;
  /** Why the run cannot go on after this, in words that end its message. */
  readonly endsRun?: string;
}

/** What tells a model that a tool did nothing, and why. */
export function failed(text: string): ToolOutcome {
  return { text, isError: true };
}
