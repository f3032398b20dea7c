/**
 * The interface of the injected program and the types of its results. It has no DOM types, because the Node side
 * imports it. Arguments and results are plain JSON, so a call costs one protocol message each way. Coordinates are in
 * CSS pixels of the frame's own viewport.
 */

/**
 * Identifies an element by its ref in a snapshot of this document, or by a selector. `index` picks the n-th match
 * (default 0); `strict` requires a single match.
 */
export type ElementTarget =
  | { readonly ref: number }
  | { readonly selector: string; readonly index?: number; readonly strict?: boolean };

declare const callId: unique symbol;
/** Identifies a call that can wait in the page, for `cancel`. Only the transport creates it. */
export type CallId = number & { readonly [callId]: true };

/** A point in CSS pixels of a viewport. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box in CSS pixels of the frame's viewport. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

// ---------------------------------------------------------------- snapshot

/** The mouse events that the page listens for on an element. */
export type ListenerUse = 'click' | 'double click' | 'press' | 'press and click' | 'drop';

/** Options of a frame snapshot. */
export interface FrameSnapshotOptions {
  /** Limits the snapshot to this element and its descendants. */
  readonly scope?: ElementTarget;
  /** Selectors in this frame. The snapshot leaves out every match and its descendants. */
  readonly ignoreSelectors?: readonly string[];
  /** Also returns the lines as a tree, which doubles the time. Default false. */
  readonly withTree?: boolean;
  /** Adds the XPath of each line's element to the tree. Default false. */
  readonly withPlaces?: boolean;
  /**
   * Lists the URLs of links and images, and shows their numbers in the text. The tree has them anyway. Default true.
   */
  readonly withUrls?: boolean;
  /**
   * Keeps a separate line for an image with the same name as its link, so that the URL of the image is listed. Default
   * false.
   */
  readonly keepsAddresses?: boolean;
  /** Maximum total characters of all texts in the snapshot. Default `PAGE_BOUNDS.pageText`. */
  readonly mostText?: number;
  /** Token limit of the text. Without it, no items are folded. The tree is never folded. */
  readonly fold?: FoldRequest;
}

/** How to fold repeated items when the text exceeds its token limit. */
export interface FoldRequest {
  /** Maximum tokens of the text, estimated. */
  readonly tokens: number;
  /**
   * Minimum tokens for this frame when other frames need some of `tokens`. The result then also has shorter texts, down
   * to this size.
   */
  readonly share?: number;
  /** The user's instruction. Items that contain its words are not folded. */
  readonly instruction?: string;
  /**
   * The ref of a folded element, or of the element that contains folded items. The snapshot shows the items from there
   * on.
   */
  readonly expand?: number;
  /**
   * Also folds links and buttons outside the main content, such as those of menus and footers, even on a short page.
   */
  readonly foldsNavigation?: boolean;
}

/**
 * A snapshot line in wire format. A string is text. A tuple has the index of the role in `FrameTreeSnapshot.roles`,
 * accessible name, ref (0: none), other properties (0: none) and children; empty entries at its end are omitted. Tuples
 * keep snapshots of 100,000 lines small.
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

/** Less common properties of a line. An absent one is false or does not apply. */
export interface WireProperties {
  /** The element's states, in the order and spelling of `SnapshotState` in `snapshot/snapshot-node.ts`. */
  readonly states?: readonly string[];
  /** Current value of a control, except a password field. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  /** Heading level, or tree level. */
  readonly level?: number;
  /** Resolved URL of a link or an image. A URL that starts with `/` is relative to the document's origin. */
  readonly url?: string;
  /** Labels of the options of a `select`. `value` has the labels of the selected ones. */
  readonly options?: readonly string[];
  /** For a frame element: the browser's id of its content frame, `''` while unknown. */
  readonly frameId?: string;
}

/** The lines of one frame as a tree. */
export interface FrameTreeSnapshot {
  /** Every role of the lines, without duplicates. */
  readonly roles: readonly string[];
  readonly nodes: readonly WireNode[];
  /**
   * The absolute XPath of each line's element within the frame, parents before children. Each entry is the number of
   * characters shared with the previous path, followed by the rest of the path.
   */
  readonly places?: readonly (number | string)[];
}

/** The lines of one frame as text, possibly with folded items. */
export interface FrameText {
  /**
   * One line per element or text. A DEL character, which no page text can contain, marks everything that depends on
   * this frame's position in the page: each ref (`e5`), each index into `urls` (`#3`), and the browser's id of a child
   * frame (`f…`, or `c…` if the frame is covered). A frame id has its own line, which the lines of that frame replace.
   */
  readonly text: string;
  /** The URLs that the text refers to by number. A URL that starts with `/` is relative to the document's origin. */
  readonly urls: readonly string[];
  /** Estimated tokens of the text; 0 if `fold` was not requested. */
  readonly tokens: number;
  /** True if items are folded or a text is truncated. */
  readonly isFolded: boolean;
  /** Present if elements with refs are folded. */
  readonly folded?: FoldedRefs;
  /** Present if items are folded. */
  readonly runs?: readonly FoldedRun[];
}

/** A list of repeated items, some of them folded. The digests show whether an item changed. */
export interface FoldedRun {
  /** For each item, its first ref minus the first ref of the item before it; 0 for items without refs. */
  readonly steps: readonly number[];
  /** The digests of the items' texts, six digits each. */
  readonly digests: string;
  /** Ranges of folded items, as pairs: the index of the first item and the index after the last. */
  readonly folded: readonly number[];
  /** The ref of the element that contains the items if they have no refs; 0 if every item has refs. */
  readonly holder: number;
}

/** The refs of folded elements, in document order. */
export interface FoldedRefs {
  /** Ranges of consecutive refs, as pairs of the first and the last. */
  readonly ranges: readonly number[];
  /** For each ref, its role as an index into `roles`. */
  readonly roleNumbers: readonly number[];
  /** The accessible names of the elements, one per line. */
  readonly names: string;
  readonly roles: readonly string[];
}

/** An invalid selector and the reason. */
export interface WrongSelector {
  readonly selector: string;
  readonly message: string;
  readonly isXPath?: true;
}

/** The snapshot of one frame. */
export interface FrameSnapshot extends FrameText {
  readonly url: string;
  readonly title: string;
  /** The same text with fewer tokens, longest first, for pages whose other frames need tokens. */
  readonly shorter?: readonly FrameText[];
  readonly tree?: FrameTreeSnapshot;
  /** Number of elements visited. */
  readonly elementCount: number;
  /** Number of lines outside an open modal dialog that `text` omits. Set only if folding was requested. */
  readonly linesBehindModal?: number;
  /** Number of elements that may host a closed shadow root and are not explored yet; see `takeHostCandidates`. */
  readonly hostCandidates: number;
  /** The first invalid selector in `ignoreSelectors`. If it is set, no snapshot was taken. */
  readonly wrongIgnored?: WrongSelector;
  /** Set if `scope` matched nothing, is invalid, or continues in a child frame. */
  readonly scopeResolution?: Exclude<Resolution, { kind: 'element' }>;
}

// ---------------------------------------------------------------- resolving

/** What is missing when a selector continues in a frame: the frame element, or its document. */
export type LackingFrame = 'frame' | 'document';

/** The result of resolving a target. A target that does not resolve is a value, not an exception. */
export type Resolution =
  | { readonly kind: 'element'; readonly ref: number; readonly count: number }
  /**
   * The selector continues in a frame: resolve `rest` there. If `rest` is `''`, the frame element itself is the target;
   * `ref` identifies it.
   */
  | { readonly kind: 'frame'; readonly ref: number; readonly frameId: string; readonly rest: string }
  /**
   * No element matched. `matched` is the longest prefix of the selector that did. `isPastTheEnd`: the selector requests
   * the n-th match, and there are fewer than n.
   */
  | { readonly kind: 'none'; readonly matched: string; readonly lacks?: LackingFrame; readonly isPastTheEnd?: true }
  /** The ref is unknown, or its element has left the document. */
  | { readonly kind: 'stale' }
  /** The path continues in a shadow root that the element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector continues in a frame, but the element is not a frame. `tag` is the element's tag. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  /** A strict selector matched more than one element. `candidates` lists the first ones. */
  | { readonly kind: 'ambiguous'; readonly count: number; readonly candidates: readonly ElementDescription[] }
  /** The selector is malformed or unsupported; `message` says why. `isXPath`: the invalid part is an XPath. */
  | { readonly kind: 'invalid'; readonly message: string; readonly isXPath?: true };

/**
 * The result may be incomplete, because unexplored elements may host closed shadow roots. Register the roots of the
 * elements that `takeHostCandidates` returns, then repeat the call. Waiting methods return this immediately.
 */
export interface Unexplored {
  readonly kind: 'unexplored';
}

/** Describes one element for results and error messages. */
export interface ElementDescription {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** The first characters of the text of an element without a name. */
  readonly words?: string;
  /**
   * Absolute XPath within this frame, in the format of `xpathOf`: an index on each step, `//` into a shadow root, no
   * `xpath=` prefix.
   */
  readonly xpath: string;
  /** Short tag form for messages, such as `<button#buy.primary>`. */
  readonly tag: string;
  readonly isPassword: boolean;
  /** Set for a frame element: keys go to the document inside it. */
  readonly isFrame?: true;
}

// ---------------------------------------------------------------- fingerprints

/**
 * Identifies an element on a page that has changed since. Texts and names near the element have more weight than its
 * position.
 */
export interface Fingerprint extends ElementSearchQuery {
  /** Absolute XPath within its frame. */
  readonly xpath: string;
  /** `expanded` or `collapsed` for an element that opens another one, else `''`. */
  readonly opening: string;
  /** True if a toggle is on. Absent for other elements. */
  readonly isOn?: boolean;
  /** True if a text field has text. Absent for other elements. */
  readonly isFilled?: boolean;
  /** True if the page listens for `mousedown` or `pointerdown` on the element or an ancestor, as far as known. */
  readonly takesPress?: true;
  /** Attributes that are likely to be stable. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Headings and names of the sections around the element, innermost first. */
  readonly sections: readonly string[];
  /** The document's only level 1 heading, with `#` in place of numbers. */
  readonly title: string;
  /** The role of the closest landmark or dialog; `''` if there is none. */
  readonly landmark: string;
  /** Other texts of the row, item or card that contains the element. */
  readonly row: readonly string[];
  /** True if the innermost entry of `sections` is the heading of that row, item or card. */
  readonly isTitled: boolean;
  /** The column header of a table cell. */
  readonly column: string;
  /** Texts of the ancestors, innermost first. A text is listed only at the innermost ancestor that contains it. */
  readonly surroundings?: readonly (readonly string[])[];
  /**
   * The element's index among the rendered elements with the same name, sections and row, and their count; 0 if not
   * counted. `own`: the number of `surroundings` that contain none of the other elements.
   */
  readonly alike: { readonly place: number; readonly count: number; readonly own?: number };
}

/**
 * `alone` uses only the element and its surroundings. `among` also compares it with similar elements, which takes a
 * walk of the document.
 */
export type Identification = 'alone' | 'among';

/** The properties that a candidate must share with the element to find. */
export interface ElementSearchQuery {
  readonly role: string;
  /** Accessible name. For an element with neither name nor role, its text. */
  readonly name: string;
  /** The source of its images, for an element without a name. */
  readonly icon?: string;
}

/** An element that may be the requested one. */
export interface Candidate extends Fingerprint {
  readonly ref: number;
}

/** The candidates in one frame. */
export interface MatchCandidates {
  /** For each query, the rendered elements with its role and name, in document order. Empty if there are too many. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Number of rendered elements of each requested role. */
  readonly population: Readonly<Record<string, number>>;
}

// ---------------------------------------------------------------- acting

/** How many files an element accepts; `none` if it is not a file input. */
export type FileCapacity = 'none' | 'one' | 'many';

/**
 * The action to prepare; it decides which checks apply. `drop` ends a drag in progress and keeps the `EffectWatch` that
 * the drag started.
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

/** How much of a page to observe during an action: all effects, only changes, or nothing. */
export type WatchScope = 'effects' | 'changes' | 'nothing';

/** An edit of the text in a field. `anchor` must occur in the text exactly once. */
export type TextPart =
  | { readonly kind: 'replace'; readonly anchor: string; readonly text: string }
  /** Inserts the text after the anchor. */
  | { readonly kind: 'insert'; readonly anchor: string; readonly text: string }
  | { readonly kind: 'append'; readonly text: string };

/**
 * Identifies an action, so that its observers and expected events are not confused with those of others. Node runs one
 * action per page at a time. `within` lists the outer actions whose handlers (for example of a dialog) run this action.
 */
export interface ActionToken {
  readonly token: number;
  readonly within: readonly number[];
}

/** The origin of a document as the browser reports it; `null` for an opaque origin. */
export interface DocumentOrigin {
  readonly origin: string;
  /** The origin of the top-level page. */
  readonly top: string;
}

/** How to prepare an action. */
export interface PrepareOptions {
  readonly owner: ActionToken;
  readonly action: PrepareAction;
  /** Milliseconds to wait for the element to appear and become actionable; 0 checks once. */
  readonly timeout: number;
  /** For `edit`: the edit to make. */
  readonly part?: TextPart | undefined;
  /** For `fill`: the new value of the field. */
  readonly text?: string | undefined;
  /** For `type`, `press` and text entry: the only keys that may reach the element. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** Milliseconds to wait for the element to exist. Default `timeout`. */
  readonly absentTimeout?: number | undefined;
  /** Skips the actionability checks, but still scrolls. */
  readonly force?: boolean;
  /**
   * True if the report must describe the element and the effects of the action. This takes as long as all other checks
   * together.
   */
  readonly isReported?: boolean | undefined;
  /** Offset from the element's top left corner. By default, a visible point near its center is used. */
  readonly position?: Point | undefined;
  /**
   * The nonces that identify this frame and its ancestors to their parent documents, innermost first; `''` for a parent
   * that cannot be reached.
   */
  readonly nonces?: readonly string[];
  /** Maps the point to the page's viewport and checks each frame element on the way. */
  readonly isCarriedUp?: boolean;
  /**
   * The frame path through which the selector must lead to this frame. If it leads to another frame, `prepare` does
   * nothing.
   */
  readonly framePath?: readonly FrameStep[] | undefined;
  /** Includes the document's origin in the result. */
  readonly tellsOrigin?: boolean;
  /** If the element does not match this fingerprint, `prepare` does nothing. */
  readonly expected?: Fingerprint | undefined;
  /** If the element has another role or name, `prepare` does nothing. */
  readonly calledAs?: ElementCall | undefined;
  /** Includes the element's fingerprint in the result. */
  readonly identification?: Identification | undefined;
}

/** An element's role and name. */
export type ElementCall = Pick<ElementDescription, 'role' | 'name'>;

/** One step of a frame path, from a document into a child frame. */
export interface FrameStep {
  /** The selector in the parent document. */
  readonly selector: string;
  readonly strict?: boolean;
  /** The rest of the selector, which is resolved in the frame. */
  readonly rest: string;
}

/** A request from a frame to its parent document, which may be in another process. */
export type OwnerQuestion = {
  /** The nonces of the frames above the parent. */
  readonly nonces: readonly string[];
} & (
  | { readonly kind: 'carry'; readonly point: Point; readonly mustReceive: boolean }
  | { readonly kind: 'lead'; readonly steps: readonly FrameStep[] }
);

/** Why an element was not actionable at the timeout. */
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
  | 'not-editable'
  | 'not-a-select'
  | 'not-checkable';

/**
 * The result of `prepare`. `ready` means that the element is in view and, if the action types, focused with its content
 * selected. Changes are recorded for `settle`. The next trusted pointer event is checked against this element: an event
 * that would hit another element is stopped before the page receives it.
 */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly element: ElementDescription;
      /**
       * The action point in this frame's viewport, followed by the same point in the viewports of the ancestor frames
       * that were mapped.
       */
      readonly trail: readonly Point[];
      /**
       * How to enter text: key events, or `beginChange` for selects and controls such as date, color, range and number.
       */
      readonly textEntry: 'keys' | 'set' | 'none';
      /** For `edit`: the text that replaces the selection. */
      readonly insertion?: string;
      /** For `scroll`: height of the nearest scroller or the viewport, in CSS pixels. */
      readonly pageHeight?: number;
      /** For `upload`: how many files the file input accepts. */
      readonly takesFiles?: FileCapacity;
      /** For text entry: true if the field declares a list or another popup. */
      readonly hasPopup?: boolean;
      /** For text entry: true if the field is in a shadow root. */
      readonly isInShadow?: boolean;
      /** For `click`: true if the page listens for the press, now or when the fingerprint was taken. */
      readonly takesPress?: true;
      /** For `check`: the state before the action. Otherwise undefined. */
      readonly checked?: boolean;
      /** Present if `identification` was given. */
      readonly fingerprint?: Fingerprint;
      /** Present if `tellsOrigin` was set. */
      readonly document?: DocumentOrigin;
    }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockedReason;
      readonly cover?: string;
      readonly element: ElementDescription;
    }
  /** The anchor of the edit does not occur exactly once; `reason` completes a sentence. Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly element: ElementDescription }
  /** The given `framePath` does not lead to this frame. */
  | { readonly kind: 'elsewhere' }
  /** The selector resolved to an element other than the expected one. */
  | { readonly kind: 'other'; readonly element: ElementDescription }
  | Exclude<Resolution, { kind: 'element' }>;

/** How to wait until an action can be prepared. */
export interface AwaitOptions extends Omit<
  PrepareOptions,
  'owner' | 'identification' | 'isReported' | 'isCarriedUp' | 'tellsOrigin'
> {
  /**
   * True if `prepare` just failed a check that requires scrolling or focusing, so another attempt is useless until the
   * page changes.
   */
  readonly mustChange: boolean;
}

/**
 * `maybe-ready`: every check that needs neither scrolling nor focusing passes. Otherwise the result that `prepare`
 * would return.
 */
export type Readiness = { readonly kind: 'maybe-ready' } | Exclude<Prepared, { kind: 'ready' }>;

/** A point mapped from a child frame into this viewport and those of the ancestor frames; see `Prepared.trail`. */
export type OwnerPoint =
  | { readonly kind: 'ready'; readonly trail: readonly Point[] }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string }
  | { readonly kind: 'none' };

/** How to map a point to the ancestor frames; see `PrepareOptions`. */
export interface CarryingWay {
  /** True if each frame element must receive events at the point. */
  readonly mustReceive: boolean;
  readonly nonces: readonly string[];
}

/** A control and the values to set. */
export interface ControlChange {
  readonly token: number;
  readonly ref: number;
  readonly values: readonly (string | OptionChoice)[];
  readonly keyboard: Keyboard;
  /** Changes nothing if the document has a different origin. */
  readonly origin?: string;
}

/** The result of setting a value. */
export type ValueSet =
  | { readonly kind: 'set'; readonly values: readonly string[] }
  /** The control rejects the value; `message` gives the reason and the accepted values. Nothing was changed. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stale' };

/** The keyboard layout of key shortcuts: macOS, other systems, or no keyboard at all. */
export type Keyboard = 'mac' | 'other' | 'none';

/** A way to enter a value with the keyboard: the injected program inserts `text`, then the caller presses `keys`. */
export interface KeySequenceKind {
  readonly text: string;
  readonly keys: readonly string[];
}

/**
 * The result of `firstFinding`: the index of the selector, the element's position among its matches (`place`), and the
 * number of matches.
 */
export interface Finding {
  readonly index: number;
  readonly place: number;
  readonly count: number;
}

/**
 * The first step of changing a control: either the caller presses the keys and then calls `endChange`, or the value is
 * already set.
 */
export type ChangeBegun = ({ readonly kind: 'keys'; readonly values: readonly string[] } & KeySequenceKind) | ValueSet;

// ---------------------------------------------------------------- settling

/**
 * The animations to wait for: `all`; `text`, those that show or hide text of a snapshot; or `arrival`, those that bring
 * elements into view. Callers use `arrival` if they wait for the element of the next step anyway.
 */
export type MotionAwaited = 'all' | 'text' | 'arrival';

/** When `settle` ends. */
export interface SettleOptions {
  /**
   * The action to wait for. Without one, `settle` only reads the page and leaves the guards of all actions in place.
   */
  readonly owner?: ActionToken | undefined;
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
  /** Reports the effects of the event's listeners even if no quiet frames were requested. */
  readonly awaitsListeners?: boolean;
  /** The animations to wait for. Default `all`. */
  readonly motion?: MotionAwaited;
  /**
   * Keeps the watch active, so that the next `settle` reports everything since `prepare`. The watch ends by itself
   * after a few seconds.
   */
  readonly keepsWatching?: boolean;
  /** The text that was sent to the prepared field. */
  readonly entry?: SentEntry;
}

/**
 * One step of typing: a key as named in its `keydown` event, or text that no key produces, which the program inserts.
 */
export type KeyStroke = { readonly key: string } | { readonly text: string };

/** The state of a key sequence. */
export interface KeysLeft {
  /** Number of keys that have not arrived yet. */
  readonly count: number;
  /** True if the element lost focus since the sequence began. */
  readonly hasLostFocus: boolean;
  /**
   * The open popup of another control: the list of a select, or a calendar or color picker. A popup receives keys
   * before any element does.
   */
  readonly popup?: 'list' | 'picker';
  /** Set if the page disabled the element or made it read-only since the sequence began. */
  readonly lock?: FieldLock;
}

/** Why a field does not accept text. */
export type FieldLock = Extract<BlockedReason, 'disabled' | 'read-only'>;

/** Text that replaces the content of a field. */
export interface SentEntry {
  readonly text: string;
  /** True if all of the text was sent. */
  readonly isOver?: boolean;
}

/**
 * Why a field does not contain the text in any form: it is empty, unchanged, or has another text; it could not receive
 * focus; the page replaced it, made it read-only or disabled it before all text arrived; or the timeout came first.
 */
export type InputResult = 'emptied' | 'unchanged' | 'different' | 'unfocused' | 'replaced' | 'locked' | 'late';

/** Time limit of waiting for suggestions after typing. */
export interface SuggestionWait extends Pick<SettleOptions, 'timeout'> {
  /** The action that typed the text. */
  readonly owner: ActionToken;
}

/**
 * `there` if suggestions such as a list appeared after typing; `coming` if the page just changed and has not settled
 * yet.
 */
export type SuggestionState = 'there' | 'coming' | 'none';

/** Everything observed from `prepare` until the page is quiet. */
export interface SettleReport {
  /**
   * True if the expected input event reached its element. `misdirected` describes the element that it would have hit
   * instead.
   */
  readonly delivered: boolean;
  readonly misdirected?: string;
  /** The browser dispatched no pointer event to the document, although one would have hit the target. */
  readonly lost?: true;
  /**
   * True after two frames without a relevant mutation or a running finite animation. False if the timeout came first.
   */
  readonly quiet: boolean;
  /**
   * Number of relevant mutations (character data, child lists, attributes that change the rendering) and of elements
   * revealed by a style sheet alone.
   */
  readonly mutations: number;
  /** True if the target's value, checked state, selection, expanded state, pressed state or scroll position changed. */
  readonly targetChanged: boolean;
  /** True if the target is checked. Absent if it is not checkable or has left the document. */
  readonly checked?: boolean;
  /** Role and name of a dialog, menu, listbox, popup or expanded region that opened: `dialog "Delete file?"`. */
  readonly opened?: string;
  /** The scroll position of the target's scroller in percent, if it changed: 0 is the top, 100 the bottom. */
  readonly scrolled?: number;
  /** The selected text, if it changed. Never the text of a password field. */
  readonly selected?: string;
  /** The invalid fields that kept the browser from submitting the form. */
  readonly invalid?: InvalidFields;
  /** Texts of live regions, alerts and toasts that appeared. */
  readonly announced: readonly string[];
  /**
   * The element that received focus during the action: its role and name, and whether it is the target or inside it.
   */
  readonly focused?: { readonly title: string; readonly isTarget: boolean };
  /** True if focus moved to another element. Focus on the target counts only if it is a text field. */
  readonly focusMoved: boolean;
  /** Absent if no text was sent or the field contains it. */
  readonly entry?: InputResult;
  /**
   * The page ignored the inserted text; its last key was withheld. The field's content is selected again, so the caller
   * can type it with keys.
   */
  readonly awaitsKeys?: true;
  readonly readyState: 'loading' | 'interactive' | 'complete';
}

/** Invalid fields, by role and name: `textbox "Email"`. */
export interface InvalidFields {
  /** The focused field. */
  readonly field: string;
  /** The browser's validation message: `Please fill out this field.` */
  readonly reason: string;
  /** Up to five other fields of the form. */
  readonly others: readonly string[];
  /** The number of invalid fields that `others` does not list. */
  readonly unnamed: number;
}

/** The changes in a document during an action in another document. */
export type OtherFrameReport = Pick<SettleReport, 'mutations' | 'announced' | 'opened'>;

// ---------------------------------------------------------------- reading

/** A property of an element that `Locator` methods read. */
export type ElementFact =
  | 'textContent'
  | 'innerText'
  | 'innerHTML'
  | 'inputValue'
  | 'isVisible'
  | 'isChecked'
  | 'isEnabled'
  | 'isEditable'
  /** `ref` is the element's ref. `shownRef` is the ref if the element has a rendered box. */
  | 'ref'
  | 'shownRef'
  | `attribute:${string}`;

/**
 * The WebSocket connections that a document may open, as Content Security Policy sources. For documents whose sockets
 * cannot be blocked at unload.
 */
export interface SocketBounds {
  /** Undefined if CSP sources cannot express the limit. */
  readonly sources?: string;
}

/** The value that was read. `unfit`: this kind of element does not have the property. */
export type FactRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unfit'; readonly fact: 'inputValue' | 'isChecked'; readonly element: ElementDescription };

/** States that `waitFor` accepts. */
export type WaitState = 'attached' | 'detached' | 'visible' | 'hidden';

/** An option of a `select`. It must match every given property. */
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

/** How long to wait until the files of a file input change. */
export interface FilesWait extends Pick<SettleOptions, 'timeout'> {
  readonly ref: number;
}

/** An operation on an element that a script can do without user input. */
export type ElementDeed = { readonly kind: 'blur' } | { readonly kind: 'click'; readonly event: ClickEventOptions };

/** The properties of a synthetic click event. */
export interface ClickEventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
  readonly detail?: number;
}

// ---------------------------------------------------------------- screenshots

/** Temporary changes to a document for a screenshot. */
export interface ScreenshotChanges {
  /** CSS rules for the document and its shadow roots. */
  readonly style: string;
  readonly hidesCaret: boolean;
  /** Moves finite animations and transitions to their end, infinite ones to their start. */
  readonly stopsAnimations: boolean;
  /** Renders lazy content that normally renders only near the viewport. */
  readonly rendersAll: boolean;
}

/** Properties of a document that a screenshot depends on. */
export interface PictureFacts {
  readonly devicePixelRatio: number;
  /** Number of elements, without shadow trees. */
  readonly elements: number;
  /** Number of characters in the document's text. */
  readonly characters: number;
}

/** An encoded image. */
export interface EncodedPicture {
  readonly base64: string;
  readonly type: 'png' | 'jpeg';
  /** 0 to 100, for `jpeg`. */
  readonly quality?: number;
}

// ---------------------------------------------------------------- methods

/**
 * Elements with delegated listeners, as indexes in document order. Valid only while the document has `elementCount`
 * elements.
 */
export interface DelegatedElements {
  readonly elementCount: number;
  readonly indexes: readonly number[];
}

/** The state of a document under a drag since the last query. */
export interface UnderDrag {
  /** True if anything in the document scrolled. */
  readonly hasScrolled: boolean;
  /** True if the last `dragover` event was at most 3 px from the drop point. */
  readonly isReached: boolean;
}

/**
 * The methods of the injected program. Node calls them by name in a frame's isolated world. Elements are passed as
 * object handles, typed `object` here; everything else is JSON.
 */
export interface InjectedProgram {
  snapshot(options: FrameSnapshotOptions): FrameSnapshot;
  /**
   * Stores the elements that have page listeners, with the kind of listener, for the document's lifetime. Returns true
   * if the next snapshot changes.
   */
  noteListeners(uses: readonly ListenerUse[], delegated: DelegatedElements, ...elements: object[]): boolean;
  /**
   * Stores the frame id of a frame element. Returns whether the frame's program can send requests to this document
   * under the nonce without the page seeing them.
   */
  adoptFrame(frameElement: object, frameId: string, nonce: string): boolean;
  /**
   * Returns and clears the list of unexplored elements that look like hosts of a closed shadow root. Adds all other
   * possible hosts if there are at most `most`.
   */
  takeHostCandidates(most: number): object[];
  /** Registers a closed shadow root that was found through CDP. */
  adoptShadowRoot(root: object): void;
  resolve(target: ElementTarget): Resolution | Unexplored;
  /** The browser's ids of the child frames, in document order. */
  heldFrames(): readonly string[];
  /**
   * Returns the first selector that matches only this element, else the first that matches it among others; `null` if
   * none does.
   */
  firstFinding(ref: number, selectors: readonly string[]): Finding | null;
  /** Returns a handle to the element; `null` if the target does not resolve. */
  element(target: ElementTarget): object | null;
  describe(target: ElementTarget): ElementDescription | null;
  /** Returns candidates for elements on a page that may have changed since. */
  findAgain(sought: readonly ElementSearchQuery[]): MatchCandidates;
  /** Returns the fingerprint of each element; `null` for one that has left the document. */
  fingerprints(refs: readonly number[], identification: Identification): readonly (Fingerprint | null)[];
  /** Returns the XPath of each element, as in its description; `null` for one that has left the document. */
  xpaths(refs: readonly number[]): readonly (string | null)[];
  /** Describes the element of a child frame; `null` if it is not in the document. */
  describeOwner(frameId: string): ElementDescription | null;
  /**
   * Returns the innermost element at a point, including elements in shadow roots. `frameId` and `framePoint` are set
   * for a frame element.
   */
  describePoint(point: Point): { element: ElementDescription; frameId?: string; framePoint?: Point } | null;
  prepare(target: ElementTarget, options: PrepareOptions, call?: CallId): Promise<Prepared | Unexplored>;
  /** Waits until `prepare` can succeed. Does not scroll, focus, or change the page. */
  awaitReady(target: ElementTarget, options: AwaitOptions, call?: CallId): Promise<Readiness | Unexplored>;
  /** Ends an action: stops its watch and no longer blocks events. */
  disarm(token: number): void;
  mapToParent(frameId: string, point: Point, mustReceive?: boolean): OwnerPoint;
  /**
   * `mapToParent` for the program of a same-origin child frame, which passes its own frame element. Does not scroll.
   */
  throughFrame(frameElement: object, point: Point, mustReceive?: boolean): OwnerPoint;
  /**
   * Called by a child's program: maps a point to ancestor documents that it cannot access. Returns `null` if they
   * cannot be reached.
   */
  mapToAncestors(point: Point, way: CarryingWay): Promise<OwnerPoint | null>;
  /** Called by a child's program: true if the frame path leads into its frame. */
  leadsInto(frameElement: object, steps: readonly FrameStep[], nonces: readonly string[]): Promise<boolean>;
  /**
   * Called by a child's program before it acts: also watches this document, and stops pointer events that miss the
   * child's frame.
   */
  watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void;
  /**
   * Sets a control's value, or selects options by label, value or `index=n`. Returns keys for the caller to press if
   * the control can be set with the keyboard; otherwise sets it by script.
   */
  beginChange(change: ControlChange): ChangeBegun;
  /**
   * Must follow the keys of `beginChange`: ensures that the control has the value. With `isGivenUp`, only ends the
   * watch.
   */
  endChange(token: number, isGivenUp: boolean): ValueSet;
  /** Stores a chunk of a file's base64 bytes for `setFiles`. */
  receiveBytes(bytesId: number, base64: string): void;
  /** Sets the files of a file input and fires the same events as a user's selection. */
  setFiles(ref: number, files: readonly SentFile[]): ValueSet;
  /** Waits until the files of a file input differ from those at the start of the call. */
  awaitFiles(options: FilesWait, call?: CallId): Promise<void>;
  /** Until `endKeys`, only these keys reach the focused element, and only in this order. */
  beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void;
  /** Like `beginKeysAtFocus`, for a given element. */
  beginTyping(token: number, ref: number, strokes: readonly KeyStroke[]): void;
  /** Waits for the first `awaited` keys of the sequence, or until no further keys arrive. */
  keysLeft(token: number, awaited: number): Promise<KeysLeft>;
  endKeys(token: number): void;
  /** Blocks keys in this document until `openToKeys`, because the action sends them to another document. */
  closeToKeys(token: number): void;
  openToKeys(token: number): void;
  /** Called by the program of a child frame that the page just created: the actions whose keys it must block. */
  keysUnderWay(): readonly number[];
  /** Inserts text at the focus of this document. */
  insertAtFocus(text: string): void;
  settle(options: SettleOptions, call?: CallId): Promise<SettleReport>;
  /** Returns at once if typing brought up suggestions; otherwise waits for the next change of the page. */
  awaitSuggestions(options: SuggestionWait, call?: CallId): Promise<SuggestionState>;
  /**
   * Milliseconds since the last change after an action, ignoring animations that `motion` excludes. 0 if unknown or if
   * an animation runs.
   */
  quietDuration(motion: MotionAwaited): number;
  /**
   * Starts to watch for the effects of input at a point of this document or, without a point, at the focused element.
   * `settle` reports them.
   */
  armAt(owner: ActionToken, point: Point | null, isWheel: boolean): void;
  /** Watches this document during an action in another one, until `otherFrameEffects`. */
  watchOtherFrame(owner: ActionToken): void;
  /** Ends the watch and returns what changed. */
  otherFrameEffects(token: number): Promise<OtherFrameReport>;
  /** Call while no action is running: later changes count as the page's own. Does nothing during an action. */
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
    deed: ElementDeed,
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
  /** Applies the screenshot changes to the document. */
  dress(dressing: ScreenshotChanges): Promise<PictureFacts>;
  /** Makes an element invisible until `undress`. */
  conceal(element: object): Promise<void>;
  /** Returns the refs of the innermost elements whose text or value shows one of the secrets. */
  secretHolders(secrets: readonly string[]): number[];
  /** Reverts `dress` and `conceal`. */
  undress(): void;
  /** Paints filled boxes (in image pixels) over an image. Returns the image as base64. */
  paintBoxes(picture: EncodedPicture, boxes: readonly Box[], color: string): Promise<string>;
  /** Waits for the next animation frame. */
  painted(): Promise<void>;
  /** Returns the ref of the element behind a handle. */
  refOf(element: object): number;
  /** Prevents the document from opening sockets once it starts to unload; `null` allows them again. */
  guardPageHide(bounds: SocketBounds | null): void;
  /** Installs the drag listeners, also after `document.open()` removed them. */
  watchDrags(): void;
  /** Blocks pastes into the document and drags of its text until it is called with `false`. */
  refuseTransfers(isOn: boolean): void;
  /** True if the document accepted the last `dragover` event. */
  takesDrop(): boolean;
  /** True if the browser handles a drag that started in this document. */
  isDragging(): boolean;
  /**
   * Returns what happened in the target document since the previous call; both properties are false on the first call.
   */
  underDrag(): UnderDrag;
  /** Maps a viewport point into a child frame; `null` if this document does not contain the frame. */
  pointInFrame(frameId: string, point: Point): Point | null;
  /** Resolves to true if the mouse moves over the document within `timeout` milliseconds. */
  pointerMoved(timeout: number): Promise<boolean>;
  /** Waits for the mouse events that follow a tap, unless the page prevents them. */
  tapped(owner: ActionToken): Promise<void>;
  /** Ends the wait of a call before its timeout. */
  cancel(call: CallId): void;
}
