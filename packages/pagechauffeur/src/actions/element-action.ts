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

/** What an action did, as far as the page shows: see `ActResult.effect`. */
export type ActionEffect = 'navigated' | 'changed' | 'opened' | 'none-observed';

/** The element an action is meant for. */
export interface ActionTarget {
  readonly frame: FrameNode;
  /** The document that a ref belongs to; a selector is looked up in whatever document the frame has. */
  readonly world?: World;
  readonly element: ElementTarget;
  /** How the caller named the element, for messages. */
  readonly label: string;
}

/** The frame in which a selector finds something, if its own does not have it. */
export type FindFrame = (progress: Progress, selector: string) => Promise<ActionTarget | undefined>;

/** How a pointer acts on an element, as far as its method does not say. */
export interface PointerManner {
  /** CSS pixels from the element's top left corner; default a visible point near its middle. */
  readonly position?: Point;
  /** Keys held meanwhile. */
  readonly modifiers?: readonly KeyModifier[];
  readonly clickCount?: number;
  /** Milliseconds between pressing and releasing, or between the steps of a drag. */
  readonly delay?: number;
}

/** What of a page has to be at rest before an action counts as over. */
export interface NeededRest {
  /** Frames without a change; default 2. */
  readonly frames?: number;
  /** The motion that is waited for; default all. */
  readonly motion?: MotionAwaited;
}

/** What is to be done to an element. Methods and their aliases: see `methods.ts`. */
export interface ElementAction {
  readonly method: string;
  /** Texts, keys, options or paths, with variables already replaced by their values. */
  readonly arguments: readonly string[];
  /**
   * Throws if the arguments may not go into this document. With it they are entered by the document's own program, so that they stay in
   * the document that was judged.
   */
  readonly checkDocument?: ((document: DocumentOrigin) => void) | undefined;
  /** Skips the checks for visibility, stability and cover. */
  readonly force?: boolean;
  /** Whether the caller wants to know the element and what the action did to the page; default true. */
  readonly isReported?: boolean;
  /** Milliseconds to wait for the element to become actionable. */
  readonly elementTimeout: number;
  /** Milliseconds at most until the page counts as settled; 0: do not wait for quiet. */
  readonly settleTimeout: number;
  readonly pointer?: PointerManner;
  /** Where to look for an element that the document of its frame does not have. */
  readonly findFrame?: FindFrame | undefined;
  /** The action runs only on an element that matches this fingerprint. */
  readonly expected?: Fingerprint | undefined;
  /** The action runs only on an element with this role and name. */
  readonly calledAs?: ElementCall | undefined;
  /** No input is sent before this is done; meanwhile the element is made ready. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** What of the page has to be at rest afterwards. */
  readonly rest?: NeededRest | undefined;
  /** How the outcome is to tell by what the element can be found again, if that is asked for. */
  readonly identification?: Identification | undefined;
  /** Of a drag, what to drop on, when no selector in `arguments` says it. */
  readonly dropTarget?: ActionTarget;
}

/** An action carried out. */
export interface ActionOutcome {
  readonly element: ElementDescription;
  /** Absolute XPath from the main frame on, through frames and shadow roots, without the `xpath=` prefix. */
  readonly xpath: string;
  readonly effect: ActionEffect;
  /** What else was seen: a dialog that was dismissed, a toast, a menu that opened. */
  readonly notes: readonly EffectNote[];
  /** Of options that were chosen, their values. */
  readonly values: readonly string[];
  /** By what the element can be found again, as it was before the action; when that was asked for. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Address of the frame that holds the element, as it was before the action; `''` for the page itself. */
  readonly frameUrl: string;
}

/** What the page showed after an element got its input. */
export interface DoneToElement {
  readonly ready: ReadyElement;
  /** Empty if the document went away. */
  readonly reports: readonly SettleReport[];
  /** What else was seen. */
  readonly notes: readonly EffectNote[];
}

/** An element that is ready, with where and how to act on it. */
export interface ReadyElement {
  readonly target: ActionTarget;
  readonly frame: FrameNode;
  readonly world: World;
  /** The turn in which it is acted on; the guards in the page are known by it. */
  readonly turn: Turn;
  readonly element: ElementDescription;
  readonly textEntry: 'keys' | 'set' | 'none';
  /** Of a change of a part, the text that is to come in place of what is selected. */
  readonly insertion: string | undefined;
  readonly checked: boolean | undefined;
  /** Whether it says that a list or another popup belongs to it, when text is to be entered. */
  readonly hasPopup: boolean;
  /** For text: the field is in a shadow root. */
  readonly isInShadow: boolean;
  /** When files are to be chosen: how many it takes as a file input. */
  readonly takesFiles: FileCapacity;
  readonly fingerprint: Fingerprint | undefined;
  /** Whose the document is, when that was asked for. */
  readonly document: DocumentOrigin | undefined;
  /** Height of the viewport that a chunk of scrolling means, in CSS pixels. */
  readonly pageHeight: number;
  /** Where input goes: the session of the frame's local root, and the point in that root's viewport. */
  readonly point: Point;
  /** The same point in the page's viewport. */
  readonly pagePoint: Point;
}
