/** What goes over the socket of a live view. Types alone: the page in the browser reads them too. */

/** A page of the browser that can be looked at. */
export interface ShownTab {
  readonly id: string;
  readonly title: string;
  readonly url: string;
}

/** Who works in the browser: its clients, whoever looks on here, or somebody else. */
export type ControlHolder = 'driver' | 'you' | 'other';

/** From the server; a binary message is a picture in JPEG. */
export type ViewNews =
  | { readonly type: 'hello'; readonly mayControl: boolean; readonly hasDevTools: boolean }
  | { readonly type: 'tabs'; readonly tabs: readonly ShownTab[]; readonly shown: string | undefined }
  /** The size of the page that the pictures show from now on, in CSS pixels. */
  | { readonly type: 'size'; readonly width: number; readonly height: number }
  | { readonly type: 'control'; readonly holder: ControlHolder }
  | { readonly type: 'refused'; readonly reason: string };

/** The buttons of a mouse, as the protocol names them. */
export type MouseButton = 'none' | 'left' | 'middle' | 'right';

/** From the page of a person. Places are CSS pixels of the page that is shown. */
export type ViewRequest =
  | { readonly type: 'show'; readonly tab: string }
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
  | { readonly type: 'text'; readonly text: string };
