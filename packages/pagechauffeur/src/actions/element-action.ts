import type { FrameNode } from '../cdp/frame-node.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { World } from '../cdp/world.ts';
import type {
  DocumentOrigin,
  ElementCall,
  ElementDescription,
  ElementTarget,
  FileCapacity,
  Fingerprint,
  Identification,
  MotionAwaited,
  Point,
  SettleReport,
} from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { KeyModifier } from './input/modifier-names.ts';
import type { EffectNote } from './effect-note.ts';

/** The effect of an action on the page; see `ActResult.effect`. */
export type ActionEffect = 'navigated' | 'changed' | 'opened' | 'none-observed';

/** The target element of an action. */
export interface ActionTarget {
  readonly frame: FrameNode;
  /** The document of a ref. `undefined` for a selector, which is resolved in the frame's current document. */
  readonly world?: World;
  readonly element: ElementTarget;
  /** The caller's selector or ref, for messages. */
  readonly label: string;
}

/** Finds the frame with a match for a selector that has none in its own frame. */
export type FindFrame = (progress: Progress, selector: string) => Promise<ActionTarget | undefined>;

/** Pointer options from the caller. Options that the method itself sets take precedence. */
export interface PointerManner {
  /** CSS pixels from the element's top left corner; default is a visible point near its center. */
  readonly position?: Point;
  /** Modifier keys that are held down during the action. */
  readonly modifiers?: readonly KeyModifier[];
  readonly clickCount?: number;
  /** Time in ms between pressing and releasing the button, or between the steps of a drag. */
  readonly delay?: number;
}

/** How far a page must settle before an action is complete. */
export interface NeededRest {
  /** Consecutive frames without a change; default 2. */
  readonly frames?: number;
  /** Animations and other motion to wait for; default all. */
  readonly motion?: MotionAwaited;
}

/** An action on an element. `methods.ts` lists the methods and their aliases. */
export interface ElementAction {
  readonly method: string;
  /** Text, keys, options or paths. Placeholders are already replaced with values. */
  readonly arguments: readonly string[];
  /**
   * Throws if the arguments must not be entered into this document. If set, the document's own injected script enters
   * them, so that they cannot reach another document.
   */
  readonly checkDocument?: ((document: DocumentOrigin) => void) | undefined;
  /** Skips the checks that the element is visible, enabled, stable and not covered. */
  readonly force?: boolean;
  /** True if the caller reads the element and the effect from the outcome; default true. */
  readonly isReported?: boolean;
  /** Time in ms for the element to become actionable. */
  readonly elementTimeout: number;
  /** Maximum time in ms for the page to settle. With 0, the action does not wait for quiet frames. */
  readonly settleTimeout: number;
  readonly pointer?: PointerManner;
  /** Finds the element in another frame if its own frame does not have it. */
  readonly findFrame?: FindFrame | undefined;
  /** The action runs only on an element that matches this fingerprint. */
  readonly expected?: Fingerprint | undefined;
  /** The action runs only on an element with this role and name. */
  readonly calledAs?: ElementCall | undefined;
  /** Input is not sent before this promise resolves. The search for the element starts earlier. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** How far the page must settle afterwards. */
  readonly rest?: NeededRest | undefined;
  /** The kind of fingerprint to return. If `undefined`, the outcome has none. */
  readonly identification?: Identification | undefined;
  /** Drop target of a drag that has no selector in `arguments`. */
  readonly dropTarget?: ActionTarget;
}

/** The outcome of a completed action. */
export interface ActionOutcome {
  readonly element: ElementDescription;
  /** Absolute XPath from the main frame, through frames and shadow roots, without the `xpath=` prefix. */
  readonly xpath: string;
  readonly effect: ActionEffect;
  /** Other observations, such as a dismissed dialog, a toast or an opened menu. */
  readonly notes: readonly EffectNote[];
  /** Values of the options that `select` selected. Empty for other methods. */
  readonly values: readonly string[];
  /** Fingerprint of the element before the action, if `identification` was set. */
  readonly fingerprint?: Fingerprint | undefined;
  /** URL of the element's frame before the action. `''` for the main frame. */
  readonly frameUrl: string;
}

/** Observations after an element received its input. */
export interface DoneToElement {
  readonly ready: ReadyElement;
  /** Empty if the document was replaced. */
  readonly reports: readonly SettleReport[];
  /** Other observations. */
  readonly notes: readonly EffectNote[];
}

/** An actionable element, with the point and the session for its input. */
export interface ReadyElement {
  readonly target: ActionTarget;
  readonly frame: FrameNode;
  readonly world: World;
  /** The turn of the page lock that the action holds. Its token identifies the action's guards in the page. */
  readonly turn: Turn;
  readonly element: ElementDescription;
  readonly textEntry: 'keys' | 'set' | 'none';
  /** For a click: true if the page is known to listen for mousedown or pointerdown. */
  readonly takesPress: boolean;
  /** For an edit: the text that replaces the selection. */
  readonly insertion: string | undefined;
  readonly checked: boolean | undefined;
  /** For text: true if the field declares a popup, such as a listbox. */
  readonly hasPopup: boolean;
  /** For text: true if the field is in a shadow root. */
  readonly isInShadow: boolean;
  /** For files: how many the element accepts. `none` if it is not a file input. */
  readonly takesFiles: FileCapacity;
  readonly fingerprint: Fingerprint | undefined;
  /** The document's origin, if the action has `checkDocument`. */
  readonly document: DocumentOrigin | undefined;
  /** Height of the viewport in CSS pixels. `nextChunk` and `prevChunk` scroll by this much. */
  readonly pageHeight: number;
  /** The point for input, in the viewport of the frame's local root. Input is sent through the session of `world`. */
  readonly point: Point;
  /** The same point in the page's viewport. */
  readonly pagePoint: Point;
}
