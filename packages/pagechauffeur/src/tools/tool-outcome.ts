import type { ModelImage } from '../model/model-client.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import type { DoneStep } from '../verb/perform-step.ts';

/** Result of a tool. */
export interface ToolOutcome {
  /** The action or the reason against it, in the library's own words. */
  readonly text: string;
  /** Text of the page or of another source, such as search results. Models receive it as untrusted data. */
  readonly quoted?: string;
  /** Text for people, if it says more than `text` and `quoted`. */
  readonly summary?: string;
  readonly isError?: boolean;
  /** Why the claim that the task is done was rejected. */
  readonly objection?: string | undefined;
  readonly images?: readonly ModelImage[];
  /** Observed effect on the page. */
  readonly effect?: ActionEffect;
  /** The completed action on an element. */
  readonly step?: DoneStep;
  /** Other tools did the work and were recorded as steps. */
  readonly isRecorded?: boolean;
  /** Data for the caller. */
  readonly data?: unknown;
  /** Why the run cannot continue, as the end of its message. */
  readonly endsRun?: string;
}

/** Outcome of a tool that did nothing, with the reason for the model. */
export function failed(text: string): ToolOutcome {
  return { text, isError: true };
}
