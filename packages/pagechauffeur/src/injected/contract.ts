import type * as cdp from './cdp-facts.ts';

export type { AriaAttributes, DelegatedElements, ListenerUse, NotedInternals } from './cdp-facts.ts';

/**
 * Types of the methods that Node calls in a frame. Free of DOM types, because Node imports this file. A call is one
 * protocol message each way. Coordinates are CSS pixels in the viewport of the frame.
 */

/**
 * An element, by its ref in a snapshot or by a selector. `index` picks the n-th match, starting at 0; negative numbers
 * count from the last match. `strict` requires exactly one match.
 */
export type ElementTarget =
  | { readonly ref: number }
  | { readonly selector: string; readonly index?: number; readonly strict?: boolean };

declare const callId: unique symbol;
/** Lets `cancel` end a call that waits in the page. Only the transport creates one. */
export type CallId = number & { readonly [callId]: true };

/** A point in CSS pixels, usually from the top left corner of a viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in CSS pixels. `x` and `y` are its top left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

// ---------------------------------------------------------------- snapshot

export interface FrameSnapshotOptions {
  /** Limits the snapshot to this element and its descendants. */
  readonly scope?: ElementTarget;
  /** Leaves out every match of these selectors, with its descendants. */
  readonly ignoreSelectors?: readonly string[];
  /** Also returns the lines as a tree, which doubles the time. Default false. */
  readonly withTree?: boolean;
  /** Adds the XPath of each line's element to the tree. Default false. */
  readonly withXPaths?: boolean;
  /**
   * Lists the URLs of links and images, and shows their numbers in the text. The tree always has URLs. Default true.
   */
  readonly withUrls?: boolean;
  /** Keeps a line for an image named like its link, so that the URL of the image is listed. Default false. */
  readonly keepsLinkedImages?: boolean;
  /** Maximum characters of all text in the snapshot. Default `PAGE_BOUNDS.pageText`. */
  readonly mostText?: number;
  /** Folds repeated items if the text exceeds a token limit. The tree is never folded. */
  readonly fold?: FoldRequest;
}

export interface FoldRequest {
  /** Maximum estimated tokens of the text. */
  readonly tokens: number;
  /**
   * Minimum tokens that this frame keeps if other frames need the rest. The result then also has shorter versions of
   * the text.
   */
  readonly share?: number;
  /** The user's instruction. Items that match its words, quoted text or positions best are not folded. */
  readonly instruction?: string;
  /** The ref of a folded item, or of the element that contains it. The snapshot shows the items from there on. */
  readonly expand?: number;
  /**
   * Also folds links and buttons outside the main content, such as those in menus and footers, even on a short page.
   */
  readonly foldsNavigation?: boolean;
}

/**
 * A snapshot line as compact JSON, because a snapshot can have 100,000 lines. A string is text. In a tuple, `role` is
 * an index into `FrameTreeSnapshot.roles`, 0 means no ref or no properties, and empty entries at the end are omitted.
 */
export type WireNode =
  | string
  | readonly [
      role: number,
      name?: string,
      ref?: number,
      properties?: WireProperties | 0,
      children?: readonly WireNode[],
    ];

/** Properties that few lines have. An absent property is false or does not apply. */
export interface WireProperties {
  /** In the order and spelling of `SnapshotState` in `snapshot/snapshot-node.ts`. */
  readonly states?: readonly string[];
  /** The current value of a control. Never set for a password field. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  /** True if the description is guessed because there is no name. */
  readonly isHint?: true;
  /** Level of a heading or tree item, starting at 1. */
  readonly level?: number;
  /** Resolved URL of a link or image. Relative to the document's origin if it starts with `/`. */
  readonly url?: string;
  /** Labels of all options of a `select`. `value` has the selected ones. */
  readonly options?: readonly string[];
  /** For a frame element: the CDP id of its content frame, `''` while unknown. */
  readonly frameId?: string;
}

export interface FrameTreeSnapshot {
  /** Distinct roles, which lines refer to by index. */
  readonly roles: readonly string[];
  readonly nodes: readonly WireNode[];
  /**
   * The absolute XPath of each line's element, parents before children, as a pair: the number of characters shared with
   * the previous path, then the rest.
   */
  readonly xpaths?: readonly (number | string)[];
}

export interface FrameText {
  /**
   * One line per element or text node. A DEL character, which page text cannot contain, marks everything that depends
   * on the frame's position in the page: each ref (`e5`), each index into `urls` (`#3`), and each id of a child frame
   * (`f…`, or `c…` if covered). A frame id is alone on its line; the lines of that frame replace it.
   */
  readonly text: string;
  /**
   * URLs that the text refers to by index, each ending with a line feed. Relative to the document's origin if they start
   * with `/`. A leading `+` stands for the previous URL up to its last `/` or `#`.
   */
  readonly urls: string;
  /** Estimated tokens of `text`; 0 if `fold` was not requested. */
  readonly tokens: number;
  /** True if items are folded or text is truncated. */
  readonly isFolded: boolean;
  readonly folded?: FoldedRefs;
  readonly runs?: readonly FoldedRun[];
}

/** A list of similar items, some of them folded. The digests show which items changed since an earlier snapshot. */
export interface FoldedRun {
  /** For each item, its first ref minus that of the previous item with refs; 0 for an item without refs. */
  readonly steps: readonly number[];
  /** The digests of the items, six base-36 digits each. */
  readonly digests: string;
  /** Folded ranges, as pairs: index of the first item, index after the last. */
  readonly folded: readonly number[];
  /** If an item has no refs: the ref of the element that contains the items. 0 if every item has one. */
  readonly holder: number;
}

/** The refs that expand a fold: those of folded elements in document order, then those of elements that are shown in part. */
export interface FoldedRefs {
  /** Ranges of consecutive refs, as pairs: first, last. */
  readonly ranges: readonly number[];
  /** For each ref, an index into `roles`. */
  readonly roleNumbers: readonly number[];
  /** Accessible names in the same order, one per line. */
  readonly names: string;
  readonly roles: readonly string[];
}

export interface WrongSelector {
  readonly selector: string;
  readonly message: string;
  readonly isXPath?: true;
}

export interface FrameSnapshot extends FrameText, cdp.InternalsToRead {
  readonly url: string;
  readonly title: string;
  /** The same text with fewer tokens, longest first, for pages where other frames need tokens. */
  readonly shorter?: readonly FrameText[];
  readonly tree?: FrameTreeSnapshot;
  /** Number of elements visited, with or without a line. */
  readonly elementCount: number;
  /** Number of lines outside an open modal dialog that `text` omits. Set only if folding was requested. */
  readonly linesBehindModal?: number;
  /** Unexplored elements that may host a closed shadow root; see `takeHostCandidates`. */
  readonly hostCandidates: number;
  /** The first invalid selector in `ignoreSelectors`. If set, no snapshot was taken. */
  readonly wrongIgnored?: WrongSelector;
  /** Set if `scope` matched nothing, is invalid, or continues in a child frame. */
  readonly scopeResolution?: Exclude<Resolution, { kind: 'element' }>;
}

// ---------------------------------------------------------------- resolving

/**
 * Why a selector cannot continue in a frame: `frame` if the frame element is missing, `document` if its document is.
 */
export type LackingFrame = 'frame' | 'document';

/** A target that does not resolve is a value, not an exception. */
export type Resolution =
  | { readonly kind: 'element'; readonly ref: number; readonly count: number }
  /**
   * The selector continues in a child frame: resolve `rest` there. If `rest` is `''`, the target is the frame element
   * itself.
   */
  | { readonly kind: 'frame'; readonly ref: number; readonly frameId: string; readonly rest: string }
  /**
   * `matched` is the longest prefix of the selector that matched. `isPastTheEnd`: there are fewer matches than the
   * requested index.
   */
  | { readonly kind: 'none'; readonly matched: string; readonly lacks?: LackingFrame; readonly isPastTheEnd?: true }
  /** The ref is unknown, or its element left the document. */
  | { readonly kind: 'stale' }
  /** The path enters a shadow root, but the element has none. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector enters a frame, but the element is not a frame. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  /** A strict selector matched more than one element. `candidates` lists the first few. */
  | { readonly kind: 'ambiguous'; readonly count: number; readonly candidates: readonly ElementDescription[] }
  /** The selector is malformed or unsupported. `isXPath`: the invalid part is an XPath. */
  | { readonly kind: 'invalid'; readonly message: string; readonly isXPath?: true };

/**
 * Unexplored elements may host closed shadow roots, so the result may be incomplete. Register the roots of the elements
 * that `takeHostCandidates` returns, then repeat the call. Methods with a timeout return this immediately too.
 */
export interface Unexplored {
  readonly kind: 'unexplored';
}

/** An element as shown in results and error messages. */
export interface ElementDescription {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** For an element without a name: the first characters of its text. */
  readonly words?: string;
  /** Absolute XPath within this frame, such as `/html[1]/body[1]/div[2]`. `//` enters a shadow root. */
  readonly xpath: string;
  /** Short form for messages, such as `<button#buy.primary>`. */
  readonly tag: string;
  readonly isPassword: boolean;
  /** Keys go to the document inside a frame element. */
  readonly isFrame?: true;
}

// ---------------------------------------------------------------- fingerprints

/**
 * Describes an element so that it can be found again after the page changed. Text near the element counts more than its
 * position.
 */
export interface Fingerprint extends ElementSearchQuery {
  readonly xpath: string;
  /** `expanded` or `collapsed`; `''` if the element opens nothing. */
  readonly opening: string;
  /** True if a toggle is on. Absent for other elements. */
  readonly isOn?: boolean;
  /** True if a text field has text. Absent for other elements. */
  readonly isFilled?: boolean;
  /** True if the page is known to listen for `mousedown` or `pointerdown` on the element or an ancestor. */
  readonly takesPress?: true;
  /** Attributes that are likely to be the same on the next visit. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Headings and names of the enclosing sections, innermost first. */
  readonly sections: readonly string[];
  /** Text of the only `h1`, with `#` in place of numbers; `''` unless there is exactly one. */
  readonly title: string;
  /** Role of the closest landmark or dialog around the element; `''` if there is none. */
  readonly landmark: string;
  /** Other text in the same row, list item or card. */
  readonly row: readonly string[];
  /** True if `sections[0]` is the heading of that row, item or card. */
  readonly isTitled: boolean;
  /** Column header, for an element in a table cell. */
  readonly column: string;
  /**
   * Text inside the ancestors, innermost first. Each string is listed only at the innermost ancestor that contains it.
   */
  readonly surroundings?: readonly (readonly string[])[];
  /**
   * Position among the rendered elements with the same name, sections and row. `count` is 0 if they were not counted.
   * `own`: how many innermost `surroundings` contain none of the others.
   */
  readonly alike: { readonly place: number; readonly count: number; readonly own?: number };
}

/**
 * `alone`: the element and its surroundings. `among`: also its position among similar elements, which takes a walk of
 * the document.
 */
export type Identification = 'alone' | 'among';

/** Properties that a candidate must share with the element to find. */
export interface ElementSearchQuery {
  readonly role: string;
  /** Accessible name, or the text of an element without one. */
  readonly name: string;
  /** For an element without a name: SVG path data or image URL of its icon. */
  readonly icon?: string;
}

export interface Candidate extends Fingerprint {
  readonly ref: number;
}

export interface MatchCandidates {
  /** For each query, the matching elements in document order. Empty if there are more than 1500. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Number of rendered elements per requested role. */
  readonly population: Readonly<Record<string, number>>;
}

// ---------------------------------------------------------------- acting

/** `none`: the element is not a file input. */
export type FileCapacity = 'none' | 'one' | 'many';

/**
 * Decides which checks `prepare` makes. `drop` ends a drag in progress and keeps the `EffectWatch` that the drag
 * started.
 */
export type PrepareAction =
  | 'click'
  | 'tap'
  | 'hover'
  | 'fill'
  | 'edit'
  | 'type'
  | 'press'
  | 'check'
  | 'select'
  | 'drag'
  | 'drop'
  | 'focus'
  | 'scroll'
  | 'upload';

/**
 * `effects`: everything in `SettleReport`; `changes`: only mutations and the state of the target; `nothing`: neither.
 */
export type WatchScope = 'effects' | 'changes' | 'nothing';

/** An edit of a field's text. `anchor` must occur in the text exactly once. */
export type TextPart =
  | { readonly kind: 'replace'; readonly anchor: string; readonly text: string }
  /** Inserts `text` after the anchor. */
  | { readonly kind: 'insert'; readonly anchor: string; readonly text: string }
  | { readonly kind: 'append'; readonly text: string };

/**
 * Identifies an action, so that its observers and expected events are separate from those of other actions. Actions on
 * a page run one at a time, except in handlers, for example for a dialog: `within` lists the outer actions.
 */
export interface ActionToken {
  readonly token: number;
  readonly within: readonly number[];
}

/** As in `location.origin`: the string `null` for an opaque origin. */
export interface DocumentOrigin {
  readonly origin: string;
  /** The origin of the top-level page. */
  readonly top: string;
}

export interface PrepareOptions {
  readonly owner: ActionToken;
  readonly action: PrepareAction;
  /** Milliseconds to wait until the element exists and is actionable; 0 checks once. */
  readonly timeout: number;
  /** The edit to make, for the action `edit`. */
  readonly part?: TextPart | undefined;
  /** The new value, for the action `fill`. With `strokes`, only an editor uses it. */
  readonly text?: string | undefined;
  /** For `type`: the key that moves the caret of an editor to the end. It comes before `strokes`. */
  readonly endStroke?: KeyStroke | undefined;
  /** For `type`, `press` and text entry: only these keys may reach the element. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** Milliseconds to wait until the element exists. Default `timeout`. */
  readonly absentTimeout?: number | undefined;
  /** Skips the actionability checks, but still scrolls. */
  readonly force?: boolean;
  /** Includes the full description of the element and the effects, which takes as long as all other checks together. */
  readonly isReported?: boolean | undefined;
  /** Offset from the element's top left corner. Default: a visible point near its center. */
  readonly position?: Point | undefined;
  /**
   * Nonces by which the parent documents recognize requests from this frame and its ancestors, innermost first. `''`
   * for a parent that cannot be reached.
   */
  readonly nonces?: readonly string[];
  /** Also maps the point to the viewport of the page, and checks each frame element on the way. */
  readonly mapsToAncestors?: boolean;
  /** Steps that must still lead to this frame. If they lead elsewhere, `prepare` does nothing. */
  readonly framePath?: readonly FrameStep[] | undefined;
  /** Adds `document` to the result. */
  readonly needsOrigin?: boolean;
  /** If the element does not match, `prepare` does nothing. */
  readonly expected?: Fingerprint | undefined;
  /** If the element's role or name differs, `prepare` does nothing. */
  readonly requiredRoleAndName?: RoleAndName | undefined;
  /** Adds `fingerprint` to the result. */
  readonly identification?: Identification | undefined;
}

export type RoleAndName = Pick<ElementDescription, 'role' | 'name'>;

/** One step of a frame path, from a document into a child frame. */
export interface FrameStep {
  /** Selects the frame element in the parent document. */
  readonly selector: string;
  readonly strict?: boolean;
  /** The rest of the selector, to resolve inside the frame. */
  readonly rest: string;
}

/** `carry` maps a point, `lead` checks a frame path. The parent may be in another process. */
export type OwnerQuestion = {
  /** Nonces for the ancestors of the parent, innermost first. */
  readonly nonces: readonly string[];
} & (
  | { readonly kind: 'carry'; readonly point: Point; readonly mustReceive: boolean }
  | { readonly kind: 'lead'; readonly steps: readonly FrameStep[] }
);

/** Why an element did not become actionable within the timeout. */
export type BlockedReason =
  | 'hidden'
  | 'zero-size'
  | 'disabled'
  | 'inert'
  | 'read-only'
  | 'moving'
  | 'covered'
  | 'no-pointer'
  | 'off-screen'
  | 'point-outside'
  | 'unfocused'
  | 'not-focusable'
  | 'not-editable'
  | 'custom-slider'
  | 'not-a-select'
  | 'not-checkable';

/**
 * `ready`: the element has been scrolled to and, if the action needs it, focused. Changes are recorded for `settle`.
 * Without `force`, a trusted pointer event that would hit another element is stopped before the page receives it.
 */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly element: ElementDescription;
      /**
       * The action point in this frame's viewport, then in the viewport of each ancestor frame that it was mapped to.
       */
      readonly trail: readonly Point[];
      /** `keys`: key events; `set`: `beginChange`, for selects and controls such as date, color, range and number. */
      readonly textEntry: 'keys' | 'set' | 'none';
      /**
       * Set if the field is the hidden field of an editor or terminal. Keys must select its text or move its caret. A
       * `terminal` accepts text only where its cursor is.
       */
      readonly editor?: 'text' | 'terminal';
      /** For `edit`: the text that replaces the selection. */
      readonly insertion?: string;
      /** For `scroll`: height of the nearest scroll container or of the viewport, in CSS pixels. */
      readonly pageHeight?: number;
      /** For `upload`: how many files the file input accepts. */
      readonly takesFiles?: FileCapacity;
      /** For text entry: the field declares a list or another popup. */
      readonly hasPopup?: boolean;
      /** For text entry: the field is in a shadow root. */
      readonly isInShadow?: boolean;
      /** For `click`: the element or an ancestor listens for `mousedown` or `pointerdown`, or did when the step was stored. */
      readonly takesPress?: true;
      /** For `check`: the state before the action. */
      readonly checked?: boolean;
      readonly fingerprint?: Fingerprint;
      readonly document?: DocumentOrigin;
    }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockedReason;
      readonly cover?: string;
      readonly element: ElementDescription;
    }
  /**
   * The field rejects the edit, for example because the anchor does not occur exactly once. `reason` completes a
   * sentence; the field is unchanged.
   */
  | { readonly kind: 'refused'; readonly reason: string; readonly element: ElementDescription }
  /** `framePath` does not lead to this frame. */
  | { readonly kind: 'elsewhere' }
  /** The selector matched an element other than the expected one. */
  | { readonly kind: 'other'; readonly element: ElementDescription }
  | Exclude<Resolution, { kind: 'element' }>;

export interface AwaitOptions extends Omit<
  PrepareOptions,
  'owner' | 'identification' | 'isReported' | 'mapsToAncestors' | 'needsOrigin' | 'part' | 'text' | 'strokes'
> {
  /**
   * True if `prepare` just failed a check that needs scrolling or focus. Another attempt is then useless until the page
   * changes.
   */
  readonly mustChange: boolean;
}

/**
 * `maybe-ready`: all checks pass except those that need scrolling or focus. The other kinds are what `prepare` would
 * return.
 */
export type Readiness = { readonly kind: 'maybe-ready' } | Exclude<Prepared, { kind: 'ready' }>;

/** A point mapped from a child frame to this document and its ancestors; see `Prepared.trail`. */
export type OwnerPoint =
  | { readonly kind: 'ready'; readonly trail: readonly Point[] }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string }
  | { readonly kind: 'none' };

export interface AncestorMapping {
  /** True if each frame element must receive events at the point. */
  readonly mustReceive: boolean;
  readonly nonces: readonly string[];
}

export interface ControlChange {
  readonly token: number;
  readonly ref: number;
  readonly values: readonly (string | OptionChoice)[];
  readonly keyboard: Keyboard;
  /** Changes nothing if the document's origin differs. */
  readonly origin?: string;
}

export type ValueSet =
  | { readonly kind: 'set'; readonly values: readonly string[] }
  /** The control rejects the value and is unchanged. `message` has the reason and the accepted values. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stale' };

/** Decides which key shortcuts exist. `none`: values are set without keys. */
export type Keyboard = 'mac' | 'other' | 'none';

/** Enters a value with the keyboard: the caller inserts `text` over the selection, then presses `keys`. */
export interface KeySequenceKind {
  readonly text: string;
  readonly keys: readonly string[];
}

/** `nth` counts the matches of `selectors[index]` from 0. */
export interface Finding {
  readonly index: number;
  readonly nth: number;
  readonly count: number;
}

/** `keys`: the caller presses the keys, then calls `endChange`. The other kinds need no keys. */
export type ChangeBegun = ({ readonly kind: 'keys'; readonly values: readonly string[] } & KeySequenceKind) | ValueSet;

// ---------------------------------------------------------------- settling

/**
 * `all`: animations in the viewport that end within 3 s and change more than colors; `text`: those that show or hide
 * text of a snapshot; `arrival`: those that make elements visible, for callers that wait for their next element anyway.
 */
export type MotionAwaited = 'all' | 'text' | 'arrival';

export type SettleOptions = ActionSettling | PageSettling;

interface SettleWait {
  /** Maximum wait in milliseconds. */
  readonly timeout: number;
  /** Milliseconds to wait for the input event that `prepare` expects; 0 if it expects none. */
  readonly eventTimeout: number;
  /** Waits for delayed effects even if no input event is expected. */
  readonly isLate?: boolean;
  /** Milliseconds to wait for the first delayed effect. Default 150. */
  readonly lateTime?: number;
  /** Number of consecutive quiet frames, default 2. With 0, `settle` only waits for the input event. */
  readonly frames?: number;
  /** Animations to wait for. Default `all`. */
  readonly motion?: MotionAwaited;
}

export interface ActionSettling extends SettleWait {
  readonly owner: ActionToken;
  /** Reports the effects of the event's listeners even if `frames` is 0. */
  readonly awaitsListeners?: boolean;
  /**
   * Keeps watching, so that the next `settle` for this action reports everything since `prepare`. The watch ends after
   * 30 s, or when the next action is prepared.
   */
  readonly keepsWatching?: boolean;
  readonly entry?: SentEntry;
}

/** A wait without an action. Leaves the guards of all actions in place, and keeps watching the page. */
export interface PageSettling extends SettleWait {
  readonly owner?: undefined;
  readonly awaitsListeners?: never;
  readonly keepsWatching?: never;
  readonly entry?: never;
}

/** A key as named in its `keydown` event, or text that no key produces, which the program inserts. */
export type KeyStroke = { readonly key: string } | { readonly text: string };

export interface KeysLeft {
  /** Number of keys that have not arrived yet. */
  readonly count: number;
  /** True if the element has lost focus since the sequence began, or never had it. */
  readonly hasLostFocus: boolean;
  /**
   * The open popup of another control, which receives keys before any element: the `list` of a select, or the `picker`
   * of a date or color field.
   */
  readonly popup?: 'list' | 'picker';
  /** Set if the page disabled the field or made it read-only since the sequence began. */
  readonly lock?: FieldLock;
}

export type FieldLock = Extract<BlockedReason, 'disabled' | 'read-only'>;

export interface SentEntry {
  readonly text: string;
  /** True once the text has been typed key by key, so that no insertion is awaited. */
  readonly isOver?: boolean;
}

/**
 * Why a field does not contain the text. `emptied`: it is empty; `unchanged`: it has the text from before; `different`:
 * it has other text; `unfocused`: it could not be focused; `replaced`: the page replaced it; `locked`: the page
 * disabled it or made it read-only; `late`: the timeout came first.
 */
export type InputResult = 'emptied' | 'unchanged' | 'different' | 'unfocused' | 'replaced' | 'locked' | 'late';

export interface SuggestionWait extends Pick<SettleOptions, 'timeout'> {
  /** The action that typed the text. */
  readonly owner: ActionToken;
}

/** `there`: typing opened suggestions, such as a list; `coming`: the page changed and has not settled yet. */
export type SuggestionState = 'there' | 'coming' | 'none';

/** Everything observed from `prepare` until the page is quiet. */
export interface SettleReport {
  /**
   * True if the expected input event reached its element, or if none was expected. `misdirected` describes the element
   * that the event would have hit instead.
   */
  readonly delivered: boolean;
  readonly misdirected?: string;
  /** The expected pointer event did not arrive in the document. */
  readonly lost?: true;
  /** True if there were enough quiet frames. False at the timeout, and after a misdirected event. */
  readonly quiet: boolean;
  /**
   * Number of changes to text, child nodes and visible attributes that were not undone, of elements that only a style
   * sheet revealed, and of popovers that closed.
   */
  readonly mutations: number;
  /** True if the target's state changed, such as its value, checked state, expanded state or scroll position. */
  readonly targetChanged: boolean;
  /** Absent if the target is not checkable or left the document. */
  readonly checked?: boolean;
  /** Role and name of an element that opened, such as a dialog, menu or popup: `dialog "Delete file?"`. */
  readonly opened?: string;
  /** The new scroll position of the target's scroll container or the page in percent: 0 is the top, 100 the bottom. */
  readonly scrolled?: number;
  /** The new selection. Never text from a password field. */
  readonly selected?: string;
  /** Invalid fields that kept the browser from submitting the form. */
  readonly invalid?: InvalidFields;
  /** Text that appeared in live regions, alerts and toasts. */
  readonly announced: readonly string[];
  /** The element that received focus during the action. `isTarget` is also true for an element inside the target. */
  readonly focused?: { readonly title: string; readonly isTarget: boolean };
  /** True if focus moved to another element. Focus on the target counts only if it is a text field. */
  readonly focusMoved: boolean;
  /** Absent if no text was sent or the field contains it. */
  readonly entry?: InputResult;
  /**
   * The page ignored the inserted text, and the keyup that ends it was stopped. The field's content is selected again,
   * for the caller to type the text over it.
   */
  readonly awaitsKeys?: true;
  /** Number of parents that the report includes: the nearest ones, up to one of another origin. Absent if none. */
  readonly includedParents?: number;
  readonly readyState: 'loading' | 'interactive' | 'complete';
}

/** Fields are given by role and name, such as `textbox "Email"`. */
export interface InvalidFields {
  /** The field that the browser focused. */
  readonly field: string;
  /** The browser's validation message, such as `Please fill out this field.` */
  readonly reason: string;
  /** Up to five other invalid fields. */
  readonly others: readonly string[];
  /** Number of invalid fields that `others` does not list. */
  readonly unnamed: number;
}

/** Changes in a document while an action runs in another. */
export type OtherFrameReport = Pick<SettleReport, 'mutations' | 'announced' | 'opened'>;

// ---------------------------------------------------------------- reading

/** What `Locator` methods read from an element. */
export type ElementFact =
  | 'textContent'
  | 'innerText'
  | 'innerHTML'
  | 'inputValue'
  | 'isVisible'
  | 'isChecked'
  /** True for a custom box that does not show whether it is on. */
  | 'hidesCheckedState'
  | 'isEnabled'
  | 'isEditable'
  /** `shownRef` is null if the element is not rendered or has `visibility: hidden`. */
  | 'ref'
  | 'shownRef'
  | `attribute:${string}`;

/** Limits the WebSocket connections of a document. */
export interface SocketBounds {
  /**
   * Content Security Policy sources, for documents in which the page may handle `pagehide` first. Undefined if they
   * cannot express the limit.
   */
  readonly sources?: string;
}

/** `unfit`: this kind of element does not have the property. */
export type FactRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unfit'; readonly fact: 'inputValue' | 'isChecked'; readonly element: ElementDescription };

/**
 * `attached`, `detached`: in the DOM or not; `visible`: rendered with a non-empty box; `hidden`: not visible, or not in
 * the DOM.
 */
export type WaitState = 'attached' | 'detached' | 'visible' | 'hidden';

/** An option of a `select`. All given properties must match. */
export interface OptionChoice {
  readonly label?: string;
  readonly value?: string;
  readonly index?: number;
}

/** A file for a file input. Its bytes were sent with `receiveBytes`. */
export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytesId: number;
}

export interface FilesWait extends Pick<SettleOptions, 'timeout'> {
  readonly ref: number;
}

/** An operation that runs by script, without user input. */
export type ElementOperation =
  | { readonly kind: 'blur' }
  | { readonly kind: 'click'; readonly event: ClickEventOptions };

export interface ClickEventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
  readonly detail?: number;
}

// ---------------------------------------------------------------- screenshots

/** Temporary changes that `prepareScreenshot` makes and `restoreAfterScreenshot` reverts. */
export interface ScreenshotChanges {
  /** CSS for the document and its shadow roots. */
  readonly style: string;
  readonly hidesCaret: boolean;
  /** Moves finite animations and transitions to their end, infinite ones to their start. */
  readonly stopsAnimations: boolean;
  /** Renders lazy content that normally renders only near the viewport. */
  readonly rendersAll: boolean;
}

/** Measured for a screenshot. In very large documents, whole elements are masked instead of lines of text. */
export interface DocumentMetrics {
  readonly devicePixelRatio: number;
  /** Number of elements, without those in shadow roots. */
  readonly elements: number;
  /** Number of characters in the document's text. */
  readonly characters: number;
}

export interface EncodedImage {
  readonly base64: string;
  readonly type: 'png' | 'jpeg';
  /** 0 to 100, for `jpeg`. */
  readonly quality?: number;
}

// ---------------------------------------------------------------- methods

export interface UnderDrag {
  /** True if anything in the document scrolled since the last call. */
  readonly hasScrolled: boolean;
  /** True if the last `dragover` event was at most 3 px from the drop point. */
  readonly isReached: boolean;
}

/**
 * Node calls these methods by name in a frame's isolated world. `object` parameters and results are handles of elements
 * or shadow roots; everything else is JSON.
 */
export interface InjectedProgram {
  snapshot(options: FrameSnapshotOptions): FrameSnapshot;
  /**
   * Stores which elements have listeners, until the document unloads. Returns true if this changes the next snapshot.
   */
  noteListeners(uses: readonly cdp.ListenerUse[], delegated: cdp.DelegatedElements, ...elements: object[]): boolean;
  forgetListeners(...elements: object[]): void;
  /**
   * Stores the frame id of a frame element. Returns true if the child frame can send requests with this nonce without
   * the page seeing them.
   */
  adoptFrame(frameElement: object, frameId: string, nonce: string): boolean;
  /**
   * Returns and clears the unexplored elements that look like hosts of a closed shadow root. Adds all other possible
   * hosts if there are at most `most`.
   */
  takeHostCandidates(most: number): object[];
  /**
   * Returns custom elements that may set a role, name or state through `ElementInternals`. Those that `noteInternals` does
   * not get before the next call are returned again. With `isNew`, searches the document for them first.
   */
  takeCustomElements(isNew: boolean): object[];
  /** Stores what elements set through `ElementInternals`. */
  noteInternals(found: readonly cdp.ReportedInternals[], ...elements: object[]): cdp.NotedInternals;
  /** Registers a closed shadow root found through CDP. */
  adoptShadowRoot(root: object): void;
  resolve(target: ElementTarget): Resolution | Unexplored;
  /** Returns the ids of the child frames that `adoptFrame` has stored, in document order. */
  heldFrames(): readonly string[];
  /**
   * Prefers a selector that matches only this element to one that also matches others. Returns `null` if none matches
   * it.
   */
  firstFinding(ref: number, selectors: readonly string[]): Finding | null;
  /** Returns an element handle; `null` if the target does not resolve. */
  element(target: ElementTarget): object | null;
  describe(target: ElementTarget): ElementDescription | null;
  /** Returns candidates for elements on a page that may have changed. */
  findAgain(queries: readonly ElementSearchQuery[]): MatchCandidates;
  /** Returns the fingerprint of each element; `null` for one that left the document. */
  fingerprints(refs: readonly number[], identification: Identification): readonly (Fingerprint | null)[];
  /** Returns the XPath of each element; `null` for one that left the document. */
  xpaths(refs: readonly number[]): readonly (string | null)[];
  /** Describes the frame element of a child frame; `null` if it left the document. */
  describeOwner(frameId: string): ElementDescription | null;
  /**
   * Returns the innermost element at a point, also inside shadow roots. For a frame element, `framePoint` is the same
   * point inside the frame.
   */
  describePoint(point: Point): { element: ElementDescription; frameId?: string; framePoint?: Point } | null;
  prepare(target: ElementTarget, options: PrepareOptions, call?: CallId): Promise<Prepared | Unexplored>;
  /** Waits until `prepare` can succeed. Does not scroll, focus, or change the page. */
  awaitReady(target: ElementTarget, options: AwaitOptions, call?: CallId): Promise<Readiness | Unexplored>;
  /** Stops watching an action and filtering its events. */
  disarm(token: number): void;
  mapToParent(frameId: string, point: Point, mustReceive?: boolean): OwnerPoint;
  /** `mapToParent`, called by a same-origin child frame with its own frame element. Does not scroll. */
  mapThroughFrame(frameElement: object, point: Point, mustReceive?: boolean): OwnerPoint;
  /**
   * Called by a child frame: maps a point to ancestors that the child cannot access. Returns `null` if they cannot be
   * reached.
   */
  mapToAncestors(point: Point, request: AncestorMapping): Promise<OwnerPoint | null>;
  /** Called by a child frame: true if the frame path leads to it. */
  leadsInto(frameElement: object, steps: readonly FrameStep[], nonces: readonly string[]): Promise<boolean>;
  /**
   * Called by a child frame before it acts: watches this document too. With `isPointerChecked`, stops pointer events
   * that miss the child.
   */
  watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void;
  /**
   * Sets a control's value, or selects options by label, value or `index=n`. If the keyboard can set it, returns the
   * keys to press instead.
   */
  beginChange(change: ControlChange): ChangeBegun;
  /**
   * Call after pressing the keys from `beginChange`: sets the value by script if they did not. `isGivenUp` only ends
   * the watch.
   */
  endChange(token: number, isGivenUp: boolean): ValueSet;
  /** Stores a base64 chunk of a file for `setFiles`. */
  receiveBytes(bytesId: number, base64: string): void;
  /** Sets the files of a file input. Fires the same events as a user's selection. */
  setFiles(ref: number, files: readonly SentFile[]): ValueSet;
  /** Waits until the files of a file input differ from those at the start of the call. */
  awaitFiles(options: FilesWait, call?: CallId): Promise<void>;
  /** Until `endKeys`, the focused element receives only these keys, and only in this order. Returns its document. */
  beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): DocumentOrigin;
  /** Like `beginKeysAtFocus`, for the element with this ref. */
  beginTyping(token: number, ref: number, strokes: readonly KeyStroke[]): void;
  /** Waits until the first `awaited` keys have arrived, or no more keys arrive. */
  keysLeft(token: number, awaited: number): Promise<KeysLeft>;
  endKeys(token: number): void;
  /** Blocks keys in this document until `openToKeys`, because the action sends them to another document. */
  closeToKeys(token: number): void;
  openToKeys(token: number): void;
  /** Called by a child frame that was just created: returns the actions whose keys it must block. */
  pendingKeyTokens(): readonly number[];
  insertAtFocus(text: string): void;
  settle(options: SettleOptions, call?: CallId): Promise<SettleReport>;

  /** Watches a document that is not watched yet, and waits at most `timeout` ms until it is quiet. */
  watchPage(timeout: number): Promise<void>;
  /** Returns immediately if typing opened suggestions. Otherwise waits for the next change of the page. */
  awaitSuggestions(options: SuggestionWait, call?: CallId): Promise<SuggestionState>;
  /**
   * Returns the milliseconds since the last change. 0 if unknown, during an action, or while an animation runs that
   * `motion` includes.
   */
  quietDuration(motion: MotionAwaited): number;
  /** Watches for effects of input at a point, or at the focused element if `point` is null. `settle` reports them. */
  armAt(owner: ActionToken, point: Point | null, isWheel: boolean): void;
  /** Watches this document during an action in another. */
  watchOtherFrame(owner: ActionToken): void;
  /** Returns what changed since `watchOtherFrame`. Later changes count as background, like those of a clock. */
  otherFrameEffects(token: number): Promise<OtherFrameReport>;
  /** Call while no action runs, so that later changes count as background. Does nothing during an action. */
  restOtherFrame(): Promise<void>;
  /** Reads one property of an element. Waits at most `timeout` ms for the element; default 0. */
  read(
    target: ElementTarget,
    fact: ElementFact,
    timeout?: number,
    call?: CallId,
  ): Promise<FactRead | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  /** Blurs or clicks an element by script. */
  doTo(
    target: ElementTarget,
    operation: ElementOperation,
  ): { kind: 'done' } | Exclude<Resolution, { kind: 'element' }> | Unexplored;
  waitFor(
    target: ElementTarget,
    options: { readonly state: WaitState; readonly timeout: number },
    call?: CallId,
  ): Promise<{ kind: 'met' } | { kind: 'timeout' } | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  scrollTo(
    target: ElementTarget | null,
    percent: number,
  ): { kind: 'scrolled' } | Exclude<Resolution, { kind: 'element' }> | Unexplored;
  prepareScreenshot(changes: ScreenshotChanges): Promise<DocumentMetrics>;
  /** Hides an element until `restoreAfterScreenshot`. */
  conceal(element: object): Promise<void>;
  /** Returns the refs of the innermost elements whose text or value contains a secret. */
  secretHolders(secrets: readonly string[]): number[];
  /** Reverts `prepareScreenshot` and `conceal`. */
  restoreAfterScreenshot(): void;
  /** Paints filled boxes, in image pixels, over an image. Returns base64. */
  paintBoxes(image: EncodedImage, boxes: readonly Box[], color: string): Promise<string>;
  /** Waits for the next animation frame. */
  painted(): Promise<void>;
  refOf(element: object): number;
  /** Blocks new sockets once the document starts to unload. `null` ends this. */
  guardPageHide(bounds: SocketBounds | null): void;
  /** Installs the drag listeners, also after `document.open()` removed them. */
  watchDrags(): void;
  /** Until called with `false`, blocks pastes into the document and drags of its text. */
  refuseTransfers(isOn: boolean): void;
  /** True if the document accepted the last `dragover` event. */
  takesDrop(): boolean;
  /** True if the browser handles a drag that started in this document, for example of a link or selected text. */
  isDragging(): boolean;
  /** Returns what happened since the previous call. Scroll events count only from the first call on. */
  underDrag(): UnderDrag;
  /** Maps a viewport point into a child frame; `null` if this document does not contain the frame. */
  pointInFrame(frameId: string, point: Point): Point | null;
  /** Resolves to true once the mouse moves over the document, or to false after `timeout` milliseconds. */
  pointerMoved(timeout: number): Promise<boolean>;
  /** Waits for the mouse events that follow a tap, unless the page prevents them. */
  tapped(owner: ActionToken): Promise<void>;
  /** Ends a pending call before its timeout. */
  cancel(call: CallId): void;
}
