/** Messages of a live view. Types only, because the dashboard imports them too. */
import type { OpenQuestion } from '../sessions/question-store.ts';

/** A page in the list. */
export interface ShownTab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The page that opened it. */
  readonly openerId: string | undefined;
  /** True if its process crashed. It can be reloaded. */
  readonly isCrashed: boolean;
}

/** A JavaScript dialog. It blocks the page until it is answered. */
export interface ShownDialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  /** Default text of a prompt. */
  readonly text: string;
}

/** A control with a browser popup, and its choices. */
export type ShownField =
  | {
      readonly kind: 'select';
      readonly label: string;
      /** Index of the chosen option. */
      readonly value: string;
      readonly options: readonly { readonly text: string; readonly isDisabled: boolean }[];
    }
  | {
      readonly kind: 'date' | 'time' | 'datetime-local' | 'month' | 'week' | 'color';
      readonly label: string;
      readonly value: string;
      readonly min: string;
      readonly max: string;
      readonly step: string;
    };

/** Requests of the shown page that its screencast does not contain. */
export interface PageRequest {
  readonly dialog: ShownDialog | undefined;
  /** The page opened a file chooser. */
  readonly files: { readonly isMultiple: boolean } | undefined;
  /** A control was opened. */
  readonly field: ShownField | undefined;
}

/** A file chosen by the operator. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** Who controls the browser: its clients, this viewer, or another operator. */
export type ControlHolder = 'driver' | 'you' | 'other';

/** Messages from the server. Binary messages are JPEG frames. */
export type ViewNews =
  | { readonly type: 'hello'; readonly mayControl: boolean; readonly seat: string }
  | { readonly type: 'tabs'; readonly tabs: readonly ShownTab[]; readonly shown: string | undefined }
  /** Page size of the following frames, in CSS pixels. */
  | { readonly type: 'size'; readonly width: number; readonly height: number }
  | { readonly type: 'control'; readonly holder: ControlHolder }
  | { readonly type: 'pageRequest'; readonly pageRequest: PageRequest }
  | { readonly type: 'questions'; readonly questions: readonly OpenQuestion[] }
  | { readonly type: 'refused'; readonly reason: string };

/** Mouse buttons, as in CDP. */
export type MouseButton = 'none' | 'left' | 'middle' | 'right';

/** Messages from the dashboard. Coordinates are CSS pixels of the shown page. */
export type ViewRequest =
  | { readonly type: 'show'; readonly tab: string }
  /** A reconnecting operator returns to the earlier seat. */
  | { readonly type: 'return'; readonly seat: string }
  /** Answer to a client's question. The text may be empty. */
  | { readonly type: 'answer'; readonly question: string; readonly isDeclined: boolean; readonly text: string }
  | { readonly type: 'take-over' }
  | { readonly type: 'hand-back' }
  | { readonly type: 'go'; readonly to: 'back' | 'forward' | 'reload' }
  | { readonly type: 'navigate'; readonly url: string }
  | {
      readonly type: 'mouse';
      readonly event: 'mousePressed' | 'mouseReleased' | 'mouseMoved';
      readonly x: number;
      readonly y: number;
      readonly button: MouseButton;
      readonly buttons: number;
      readonly clickCount: number;
      readonly modifiers: number;
    }
  | {
      readonly type: 'wheel';
      readonly x: number;
      readonly y: number;
      readonly deltaX: number;
      readonly deltaY: number;
      readonly modifiers: number;
    }
  | {
      readonly type: 'touch';
      readonly event: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';
      readonly points: readonly { readonly x: number; readonly y: number; readonly id: number }[];
      readonly modifiers: number;
    }
  | {
      readonly type: 'key';
      readonly event: 'keyDown' | 'keyUp';
      readonly key: string;
      readonly code: string;
      readonly keyCode: number;
      readonly text: string;
      readonly modifiers: number;
      readonly isRepeat: boolean;
    }
  | { readonly type: 'text'; readonly text: string }
  /** Text of an unfinished input composition. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text: string }
  /** Without a value, the control stays unchanged. */
  | { readonly type: 'choose'; readonly value?: string | undefined }
  | { readonly type: 'files'; readonly files: readonly GivenFile[] };
