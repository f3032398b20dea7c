/** What goes over the socket of a live view. Types alone: the page in the browser reads them too. */
import type { OpenQuestion } from '../sessions/question-store.ts';

/** A page of the browser that can be looked at. */
export interface ShownTab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  /** The page that opened it. */
  readonly openerId: string | undefined;
  /** What it showed is gone; it can be loaded anew. */
  readonly isCrashed: boolean;
}

/** A dialog of the browser: the page stands still until it is answered. */
export interface ShownDialog {
  readonly kind: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
  readonly message: string;
  /** What stands in the field of a prompt. */
  readonly text: string;
}

/** A control that the browser would show in a window of its own, with what may be chosen. */
export type ShownField =
  | {
      readonly kind: 'select';
      readonly label: string;
      /** The number of the option that is chosen, from 0. */
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

/** What the page that is shown asks of whoever sits in front of it, where pictures do not show it. */
export interface PageRequest {
  readonly dialog: ShownDialog | undefined;
  /** A control of the page wants files. */
  readonly files: { readonly isMultiple: boolean } | undefined;
  /** A control of the page was opened. */
  readonly field: ShownField | undefined;
}

/** A file that a person gives to a page. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** Who works in the browser: its clients, whoever looks on here, or somebody else. */
export type ControlHolder = 'driver' | 'you' | 'other';

/** From the server; a binary message is a picture in JPEG. */
export type ViewNews =
  | { readonly type: 'hello'; readonly mayControl: boolean; readonly seat: string }
  | { readonly type: 'tabs'; readonly tabs: readonly ShownTab[]; readonly shown: string | undefined }
  /** The size of the page that the pictures show from now on, in CSS pixels. */
  | { readonly type: 'size'; readonly width: number; readonly height: number }
  | { readonly type: 'control'; readonly holder: ControlHolder }
  | { readonly type: 'pageRequest'; readonly pageRequest: PageRequest }
  | { readonly type: 'questions'; readonly questions: readonly OpenQuestion[] }
  | { readonly type: 'refused'; readonly reason: string };

/** The buttons of a mouse, as the protocol names them. */
export type MouseButton = 'none' | 'left' | 'middle' | 'right';

/** From the page of a person. Places are CSS pixels of the page that is shown. */
export type ViewRequest =
  | { readonly type: 'show'; readonly tab: string }
  /** Somebody whose socket was lost comes back to the seat that the last one had. */
  | { readonly type: 'return'; readonly seat: string }
  /** To a question of the program that works in the browser; the words may be empty where something was done. */
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
  /** What is being composed from several keys, and may still become something else. */
  | { readonly type: 'compose'; readonly text: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly text: string }
  /** Without a value the control stays as it is. */
  | { readonly type: 'choose'; readonly value?: string | undefined }
  | { readonly type: 'files'; readonly files: readonly GivenFile[] };
