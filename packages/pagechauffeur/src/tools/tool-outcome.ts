import type { ModelImage, ModelOpenPage } from '../model/model-client.ts';
import type { OpenedKind } from '../actions/effect-note.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import type { Page } from '../page/page.ts';
import type { DoneStep } from '../verb/perform-step.ts';

export interface ToolOutcome {
  /** Report for the model. Contains no page text. */
  readonly text: string;
  /** Text from the page or another untrusted source. The model receives it between boundary lines. */
  readonly quoted?: string;
  /** Report for people. Default: `text` and `quoted`. */
  readonly summary?: string;
  readonly isError?: boolean;
  /** Why `done` was rejected. */
  readonly objection?: string | undefined;
  readonly images?: readonly ModelImage[];
  readonly effect?: ActionEffect;
  /** The popups, JavaScript dialogs and downloads that the action opened. `text` and `quoted` describe them. */
  readonly opened?: readonly OpenedKind[];
  /** The open pages that `quoted` lists. */
  readonly openPages?: readonly ModelOpenPage[];
  /** The completed element action, to be recorded. */
  readonly step?: DoneStep;
  /** The page that the tool closed. */
  readonly closedPage?: Page;
  /** True if other tools did the work and recorded it. */
  readonly isRecorded?: boolean;
  /** Result in structured form. */
  readonly data?: unknown;
  /** Ends the run with this reason. */
  readonly endsRun?: string;
}

/** Collects what the notes of an action, or several outcomes, say was opened. */
export function openedBy(
  parts: readonly { readonly opened?: OpenedKind | readonly OpenedKind[] }[],
): Pick<ToolOutcome, 'opened'> {
  const opened = parts.flatMap((part) => part.opened ?? []);
  return opened.length > 0 ? { opened } : {};
}

export function failed(text: string): ToolOutcome {
  return { text, isError: true };
}
