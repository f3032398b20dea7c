/** Messages of a live view. Types only: the dashboard imports this file too. */
import type { OpenQuestion } from '../sessions/question-store.ts';

export interface ShownTab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** Id of the page that opened this one. */
  readonly openerId: string | undefined;
  /** True after the renderer crashed. A reload restores the page. */
  readonly isCrashed: boolean;
}

/** A JavaScript dialog, which blocks the page until it is answered. */
export interface ShownDialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  /** Default text of a prompt. */
  readonly text: string;
}

/** A control whose popup a screencast does not show. */
export type ShownField =
  | {
      readonly kind: 'select';
      readonly label: string;
      /** Index of the selected option. */
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

/** Dialogs, file choosers and popups of the shown page, which the screencast does not show. */
export interface PageRequest {
  readonly dialog: ShownDialog | undefined;
  /** Set while a file chooser is open. */
  readonly files: { readonly isMultiple: boolean } | undefined;
  /** Set while the operator has a control open. */
  readonly field: ShownField | undefined;
}

export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** `driver`: no operator is in control; `you`: this viewer; `other`: another operator. */
export type ControlHolder = 'driver' | 'you' | 'other';

/** Messages from the server. Binary messages are JPEG frames. */
export type ViewMessage =
  | { readonly type: 'hello'; readonly mayControl: boolean; readonly seat: string }
  | { readonly type: 'tabs'; readonly tabs: readonly ShownTab[]; readonly shown: string | undefined }
  /** Viewport size in CSS pixels, sent before the first frame with that size. */
  | { readonly type: 'size'; readonly width: number; readonly height: number }
  | { readonly type: 'control'; readonly holder: ControlHolder }
  | { readonly type: 'pageRequest'; readonly pageRequest: PageRequest }
  | { readonly type: 'questions'; readonly questions: readonly OpenQuestion[] }
  | { readonly type: 'refused'; readonly reason: string };

/** As in `Input.dispatchMouseEvent`. */
export type MouseButton = 'none' | 'left' | 'middle' | 'right';

/** Messages from the dashboard. Coordinates are CSS pixels in the shown page. */
export type ViewRequest =
  | { readonly type: 'show'; readonly tab: string }
  /** Claims the seat from before a reconnect. */
  | { readonly type: 'return'; readonly seat: string }
  /** Answers a question. `text` may be empty. */
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
  /** Text of an unfinished IME composition. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text: string }
  /** Without a value, the control stays unchanged. */
  | { readonly type: 'choose'; readonly value?: string | undefined }
  | { readonly type: 'files'; readonly files: readonly UploadedFile[] };
