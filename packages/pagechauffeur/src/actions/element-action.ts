import type { FrameNode } from '../cdp/frame-node.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { World } from '../cdp/world.ts';
import type {
  DocumentOrigin,
  RoleAndName,
  ElementDescription,
  ElementTarget,
  FileCapacity,
  Fingerprint,
  Identification,
  Point,
  SettleOptions,
  SettleReport,
} from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { KeyModifier } from './input/modifier-names.ts';
import type { EffectNote } from './effect-note.ts';

/** See `ActResult.effect`. */
export type ActionEffect = 'navigated' | 'changed' | 'opened' | 'none-observed';

export interface ActionTarget {
  readonly frame: FrameNode;
  /**
   * The document that assigned the ref. `undefined` for a selector, which is resolved in the frame's current document.
   */
  readonly world?: World;
  readonly element: ElementTarget;
  /** The caller's selector or ref, for messages. */
  readonly label: string;
}

/** Searches all frames for a selector without a match in its own frame. Returns `undefined` if no frame has one. */
export type FindFrame = (progress: Progress, selector: string) => Promise<ActionTarget | undefined>;

/** Pointer options of the caller. The method's own settings, such as the button of `rightClick`, take precedence. */
export interface PointerOptions {
  /** In CSS pixels from the element's top left corner. Default: a visible point near the center. */
  readonly position?: Point;
  readonly modifiers?: readonly KeyModifier[];
  readonly clickCount?: number;
  /** Time in ms between press and release, or between the moves of a drag. */
  readonly delay?: number;
}

/** When a page counts as settled. */
export type RequiredSettle = Pick<SettleOptions, 'frames' | 'motion'>;

/** One action on one element. `methods.ts` lists the methods and their aliases. */
export interface ElementAction {
  readonly method: string;
  /** Text, keys, options or paths, with the values of variables already inserted. */
  readonly arguments: readonly string[];
  /**
   * Throws if the arguments must not be entered into this document. If set, the injected script enters the arguments or
   * filters their keys, so that they cannot end up in another document.
   */
  readonly checkDocument?: ((document: DocumentOrigin) => void) | undefined;
  /** Skips the checks that the element is visible, enabled, stable and receives the event. */
  readonly force?: boolean;
  /**
   * False if the caller ignores the outcome's element and effect, so that the page need not collect them. Default true.
   */
  readonly isReported?: boolean;
  /** Time in ms for the element to become actionable. */
  readonly elementTimeout: number;
  /** Maximum time in ms for the page to settle. With 0, the action does not wait for quiet frames. */
  readonly settleTimeout: number;
  readonly pointer?: PointerOptions;
  /** Called if the element's own frame has no match. */
  readonly findFrame?: FindFrame | undefined;
  /** The action fails unless the element matches this fingerprint. */
  readonly expected?: Fingerprint | undefined;
  /** The action fails unless the element has this role and name. */
  readonly requiredRoleAndName?: RoleAndName | undefined;
  /** Delays the input until this promise resolves. The search for the element starts immediately. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** Overrides when the page counts as settled afterwards. */
  readonly requiredSettle?: RequiredSettle | undefined;
  readonly identification?: Identification | undefined;
  /** Drop target of `dragAndDrop`. Default: the selector in `arguments`. */
  readonly dropTarget?: ActionTarget;
}

export interface ActionOutcome {
  readonly element: ElementDescription;
  /** Absolute XPath from the main frame, through frames and shadow roots, without the `xpath=` prefix. */
  readonly xpath: string;
  readonly effect: ActionEffect;
  /** Further observations, such as a dismissed dialog, a toast or an opened menu. */
  readonly notes: readonly EffectNote[];
  /**
   * For `select`: the values of the selected options. For `fill` on a control that is not typed into, such as a date
   * field: its new value. Otherwise empty.
   */
  readonly values: readonly string[];
  /** Taken before the input. `undefined` unless `identification` was set. */
  readonly fingerprint?: Fingerprint | undefined;
  /** URL of the element's frame when the outcome is created. `''` for the main frame. */
  readonly frameUrl: string;
}

export interface DoneToElement {
  readonly ready: ReadyElement;
  /** Empty if the document sent no report, for example because it was replaced. */
  readonly reports: readonly SettleReport[];
  readonly notes: readonly EffectNote[];
}

/** An actionable element with its guards installed. Valid while the action holds the page lock. */
export interface ReadyElement {
  readonly target: ActionTarget;
  readonly frame: FrameNode;
  readonly world: World;
  /** Its token identifies the action's guards in the page. */
  readonly turn: Turn;
  readonly element: ElementDescription;
  readonly textEntry: 'keys' | 'set' | 'none';
  /** Set if the element is the hidden field of an editor or terminal that renders its own text. */
  readonly editor: 'text' | 'terminal' | undefined;
  /** For a click: true if the page listens for `mousedown` or `pointerdown` on the element or an ancestor. */
  readonly takesPress: boolean;
  readonly insertion: string | undefined;
  readonly checked: boolean | undefined;
  /** For text: true if the field declares a popup, for example with `aria-haspopup` or `list`. */
  readonly hasPopup: boolean;
  readonly isInShadow: boolean;
  /** For files: how many the file input accepts. `none` for other elements. */
  readonly takesFiles: FileCapacity;
  readonly fingerprint: Fingerprint | undefined;
  readonly document: DocumentOrigin | undefined;
  /** For `scroll`: height of the nearest scroll container or of the viewport, in CSS pixels. Otherwise 0. */
  readonly pageHeight: number;
  /** Where to send input. `point` is in the viewport of the frame's local root, `pagePoint` in that of the page. */
  readonly point: Point;
  readonly pagePoint: Point;
}
