/**
 * The interface of the injected program and its answers. It holds only types, and no DOM types, because the Node side imports it.
 * Everything is plain JSON, so a call costs one protocol message each way. Coordinates are CSS pixels of the frame's own viewport.
 */

/**
 * An element, by its ref in a snapshot of this document or by a selector. `index` picks the n-th match (default 0); `strict` requires a
 * single match.
 */
export type ElementTarget =
  | { readonly ref: number }
  | { readonly selector: string; readonly index?: number; readonly strict?: boolean };

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

/** The mouse input that the page's listeners on an element react to. */
export type ListenerUse = 'click' | 'double click' | 'press' | 'press and click' | 'drop';

/** Options of a frame snapshot. */
export interface FrameSnapshotOptions {
  /** Limits the snapshot to this element and its descendants. */
  readonly scope?: ElementTarget;
  /** Selectors of this frame. The snapshot leaves out every match with its descendants. */
  readonly ignoreSelectors?: readonly string[];
  /** Also returns the lines as a tree, which costs the same time again. Default false. */
  readonly withTree?: boolean;
  /** Adds the XPath of each line's element to the tree. Default false. */
  readonly withPlaces?: boolean;
  /** Lists the URLs of links and images, and shows their numbers in the text. The tree has them anyway. Default true. */
  readonly withUrls?: boolean;
  /** Keeps the line of an image whose name equals that of its link, so that its URL is listed. Default false. */
  readonly keepsAddresses?: boolean;
  /** Maximum characters that all texts of the lines have together. Default `PAGE_BOUNDS.pageText`. */
  readonly mostText?: number;
  /** Token limit of the text. Without it nothing is folded. The tree is never folded. */
  readonly fold?: FoldRequest;
}

/** How to fold repeated items when the text exceeds its token limit. */
export interface FoldRequest {
  /** Maximum tokens of the text, estimated. */
  readonly tokens: number;
  /** Other frames share the tokens. The answer also has shorter texts, down to this many tokens. */
  readonly share?: number;
  /** The task in the page. Items that contain its words are not folded. */
  readonly instruction?: string;
  /** The ref of a folded element or of the element that holds a folded run. The snapshot shows the run from there on. */
  readonly expand?: number;
  /** Also folds links and buttons outside the main content, such as those of menus and footers, even on a short page. */
  readonly foldsNavigation?: boolean;
}

/**
 * A snapshot line in wire format. A string is text. A tuple has the index of the role in `FrameTreeSnapshot.roles`, accessible name, ref
 * (0: none), other properties (0: none) and children; empty entries at its end are omitted. Tuples keep 100,000 lines small.
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
  /** The element's states in this order and spelling: see `SnapshotState` in `snapshot/snapshot-node.ts`. */
  readonly states?: readonly string[];
  /** Current value of a control, except a password field. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  /** Heading level, or tree level. */
  readonly level?: number;
  /** Resolved URL of a link or an image. A URL that starts with `/` is relative to the document's origin. */
  readonly url?: string;
  /** Option labels of a `select`. `value` has the labels of the selected ones. */
  readonly options?: readonly string[];
  /** The browser's id of the content frame if the line is a frame element, `''` while it is unknown. */
  readonly frameId?: string;
}

/** The lines of one frame as a tree. */
export interface FrameTreeSnapshot {
  /** Every role of the lines, without duplicates. */
  readonly roles: readonly string[];
  readonly nodes: readonly WireNode[];
  /**
   * The absolute XPath of each line's element within the frame, parents before children. Each entry is the number of characters shared with
   * the previous path, followed by the rest of the path.
   */
  readonly places?: readonly (number | string)[];
}

/** The lines of one frame as text, with or without folded parts. */
export interface FrameText {
  /**
   * One line per element or text. A DEL character, which no page text can contain, marks everything that depends on where this frame is in
   * the page: each ref (`e5`), each index into `urls` (`#3`), and the browser's id of a child frame (`f…`, or `c…` if the frame is
   * covered). A frame id has its own line, where that frame's lines go.
   */
  readonly text: string;
  /** The URLs that the text refers to by number. A URL that starts with `/` is relative to the document's origin. */
  readonly urls: readonly string[];
  /** Estimated tokens of the text; 0 if `fold` was not requested. */
  readonly tokens: number;
  /** True if a part is folded or a text is truncated. */
  readonly isFolded: boolean;
  /** Present if elements with refs are folded. */
  readonly folded?: FoldedRefs;
  /** Present if items are folded. */
  readonly runs?: readonly FoldedRun[];
}

/** A run of repeated items, some of them folded. The digests show whether an item changed. */
export interface FoldedRun {
  /** The difference between the first refs of each item and the item before it; 0 for items without refs. */
  readonly steps: readonly number[];
  /** The digest of each item's text, six digits each. */
  readonly digests: string;
  /** The folded items as pairs: the first index and the index after the last. */
  readonly folded: readonly number[];
  /** The ref of the element that holds items without refs; 0 if every item has refs. */
  readonly holder: number;
}

/** The refs of folded elements, in document order. */
export interface FoldedRefs {
  /** First and last ref of each run of consecutive refs, as pairs. */
  readonly ranges: readonly number[];
  /** The role of each ref, as an index into `roles`. */
  readonly roleNumbers: readonly number[];
  /** The name of each ref, one per line. */
  readonly names: string;
  readonly roles: readonly string[];
}

/** A selector that failed, and why. */
export interface WrongSelector {
  readonly selector: string;
  readonly message: string;
  readonly isXPath?: true;
}

/** The snapshot of one frame. */
export interface FrameSnapshot extends FrameText {
  readonly url: string;
  readonly title: string;
  /** The same text with fewer tokens, longest first. Used if other frames need tokens. */
  readonly shorter?: readonly FrameText[];
  readonly tree?: FrameTreeSnapshot;
  /** Number of elements walked. */
  readonly elementCount: number;
  /** Number of lines outside an open modal dialog that `text` omits. Set only if folding was requested. */
  readonly linesBehindModal?: number;
  /** Number of elements that may host a closed shadow root and are not explored yet; see `takeHostCandidates`. */
  readonly hostCandidates: number;
  /** The first invalid selector in `ignoreSelectors`. If it is set, no snapshot was taken. */
  readonly wrongIgnored?: WrongSelector;
  /** Set if `scope` matched nothing, is malformed, or continues in a child frame. */
  readonly scopeResolution?: Exclude<Resolution, { kind: 'element' }>;
}

// ---------------------------------------------------------------- resolving

/** The missing part if a selector continues in a frame: the frame element, or its document. */
export type LackingFrame = 'frame' | 'document';

/** The result of resolving a target. Failures are values; nothing throws. */
export type Resolution =
  | { readonly kind: 'element'; readonly ref: number; readonly count: number }
  /**
   * The selector continues in a frame: resolve `rest` there. If `rest` is `''`, the frame element itself is the target and `ref` names it.
   */
  | { readonly kind: 'frame'; readonly ref: number; readonly frameId: string; readonly rest: string }
  /**
   * No element matched; `matched` is the longest prefix of the selector that did. `isPastTheEnd`: the selector asks for the n-th match, and
   * there are fewer matches than n but more than 0.
   */
  | { readonly kind: 'none'; readonly matched: string; readonly lacks?: LackingFrame; readonly isPastTheEnd?: true }
  /** The ref is unknown, or its element has left the document. */
  | { readonly kind: 'stale' }
  /** The path continues in a shadow root that the element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector continues in a frame, but the element is not one. `tag` is the element's tag. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  /** A strict selector matched more than one element. `candidates` has the first ones. */
  | { readonly kind: 'ambiguous'; readonly count: number; readonly candidates: readonly ElementDescription[] }
  /** The selector is malformed or unsupported; `message` says why. `isXPath`: the faulty part is an XPath. */
  | { readonly kind: 'invalid'; readonly message: string; readonly isXPath?: true };

/**
 * The result may be incomplete because unexplored elements may host closed shadow roots. Open those that `takeHostCandidates` returns, then
 * ask again. A wait answers this at once.
 */
export interface Unexplored {
  readonly kind: 'unexplored';
}

/** Describes one element for results and error messages. */
export interface ElementDescription {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** The first words of an element without a name. */
  readonly words?: string;
  /** Absolute XPath within this frame, as `xpathOf` writes it: an index on each step, `//` into a shadow root, no `xpath=` prefix. */
  readonly xpath: string;
  /** Short tag form for messages, such as `<button#buy.primary>`. */
  readonly tag: string;
  readonly isPassword: boolean;
  /** The element is a frame element, so keys go to the document inside it. */
  readonly isFrame?: true;
}

// ---------------------------------------------------------------- finding again

/** Identifies an element on a page that has changed. Texts and names around the element count more than its position. */
export interface Fingerprint extends ElementSearchQuery {
  /** Absolute XPath within its frame. */
  readonly xpath: string;
  /** `expanded` or `collapsed` for an element that opens something, else `''`. */
  readonly opening: string;
  /** True if a toggle is on. Absent for other elements. */
  readonly isOn?: boolean;
  /** True if a text field has text. Absent for other elements. */
  readonly isFilled?: boolean;
  /** True if the page is known to listen for presses on the element or around it. */
  readonly takesPress?: true;
  /** Attributes that are likely to be stable. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Headings and names of the sections around the element, innermost first. */
  readonly sections: readonly string[];
  /** The document's only level 1 heading, with `#` in place of numbers. */
  readonly title: string;
  /** The role of the closest landmark or dialog, `''` if there is none. */
  readonly landmark: string;
  /** Other texts of the row, item or card that contains the element. */
  readonly row: readonly string[];
  /** True if the innermost section is the heading of that row, item or card. */
  readonly isTitled: boolean;
  /** The column heading in a table. */
  readonly column: string;
  /** Texts of the ancestors, innermost first. Each entry has only the texts that no smaller ancestor contains. */
  readonly surroundings?: readonly (readonly string[])[];
  /**
   * Position among the rendered elements with the same name, sections and row, and how many there are; 0 if not counted. `own`: the number
   * of surroundings that contain none of the other elements.
   */
  readonly alike: { readonly place: number; readonly count: number; readonly own?: number };
}

/**
 * `alone` identifies the element by itself and its surroundings. `among` also compares it with other elements, which walks the document.
 */
export type Identification = 'alone' | 'among';

/** The properties that a candidate must share with the element to find. */
export interface ElementSearchQuery {
  readonly role: string;
  /** Accessible name. For an element with neither name nor role, its words. */
  readonly name: string;
  /** For an element without a name, the source of its images. */
  readonly icon?: string;
}

/** An element that may be the one to find. */
export interface Candidate extends Fingerprint {
  readonly ref: number;
}

/** The candidates in one frame. */
export interface MatchCandidates {
  /** For each query, the rendered elements of its role and name in document order. Empty if there are too many. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** Number of rendered elements of each requested role. */
  readonly population: Readonly<Record<string, number>>;
}

// ---------------------------------------------------------------- acting

/** How many files an element accepts; `none` if it is not a file input. */
export type FileCapacity = 'none' | 'one' | 'many';

/** The action to prepare; it decides which checks apply. `drop` ends a drag in progress and keeps the watch that the drag started. */
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

/** An edit of the text in a field. The anchor must occur in the text exactly once. */
export type TextPart =
  | { readonly kind: 'replace'; readonly anchor: string; readonly text: string }
  /** Inserts the text after the anchor. */
  | { readonly kind: 'insert'; readonly anchor: string; readonly text: string }
  | { readonly kind: 'append'; readonly text: string };

/**
 * Identifies an action, so that its watches and expected events do not mix with those of others. Node runs one action per page at a time.
 * `within` lists the outer actions that wait for a handler which runs this action.
 */
export interface ActionToken {
  readonly token: number;
  readonly within: readonly number[];
}

/** The origin of a document as the browser reports it: `null` for an opaque origin. */
export interface DocumentOrigin {
  readonly origin: string;
  /** The origin of the top-level page. */
  readonly top: string;
}

/** How to prepare an action. */
export interface PrepareOptions {
  readonly owner: ActionToken;
  readonly action: PrepareAction;
  /** Milliseconds to wait for the element to appear and become actionable; 0 looks once. */
  readonly timeout: number;
  /** For `edit`: the edit to make. */
  readonly part?: TextPart | undefined;
  /** For `fill`: the new text of the field. */
  readonly text?: string | undefined;
  /** For `type`, `press` and typed text: the only keys that may reach the element. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** Milliseconds to wait for the element to exist. Default `timeout`. */
  readonly absentTimeout?: number | undefined;
  /** Skips the actionability checks, but still scrolls. */
  readonly force?: boolean;
  /** True if the caller needs to know which element the action hits and what it changes. This takes as long as all checks. */
  readonly isReported?: boolean | undefined;
  /** Offset from the element's top left corner. Default is a visible point near its center. */
  readonly position?: Point | undefined;
  /** Identifies this wait for `cancel`. */
  readonly waitId: number;
  /** The nonces by which the ancestor documents know this frame and its ancestors, innermost first; `''` for one that cannot be asked. */
  readonly nonces?: readonly string[];
  /** Maps the point to the page's viewport and runs the checks of each frame on the way. */
  readonly isCarriedUp?: boolean;
  /** The frame path that the selector should take to this frame. If it leads elsewhere, `prepare` does nothing. */
  readonly framePath?: readonly FrameStep[] | undefined;
  /** Includes the document's origin in the answer. */
  readonly tellsOrigin?: boolean;
  /** If the element does not match this fingerprint, `prepare` does nothing. */
  readonly expected?: Fingerprint | undefined;
  /** If the element has another role or name, `prepare` does nothing. */
  readonly calledAs?: ElementCall | undefined;
  /** Includes the element's fingerprint in the answer. */
  readonly identification?: Identification | undefined;
}

/** An element's role and name. */
export type ElementCall = Pick<ElementDescription, 'role' | 'name'>;

/** One step of a frame path: from a document into a child frame. */
export interface FrameStep {
  /** The selector in the parent document. */
  readonly selector: string;
  readonly strict?: boolean;
  /** The rest of the selector, which continues in the frame. */
  readonly rest: string;
}

/** A question that a frame asks its parent document, which may be in another process. */
export type OwnerQuestion = {
  /** The nonces of the frames further up. */
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
 * The answer of `prepare`. `ready` also means: the element is scrolled into view, it is focused and its content selected if the action
 * types, changes are recorded for `settle`, and the next trusted pointer event is checked against this element. An event that would hit
 * another element is stopped before the page sees it.
 */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly element: ElementDescription;
      /** The point to act at in this frame's viewport, then in those of the ancestor frames that were asked. */
      readonly trail: readonly Point[];
      /** How to enter text: key events, or `beginChange` for selects and controls such as date, color, range and number. */
      readonly textEntry: 'keys' | 'set' | 'none';
      /** For `edit`: the text that replaces the selection. */
      readonly insertion?: string;
      /** For `scroll`: height in CSS pixels of the nearest scroller or the viewport. */
      readonly pageHeight?: number;
      /** For `upload`: how many files the file input accepts. */
      readonly takesFiles?: FileCapacity;
      /** For text: true if the field declares a list or another popup. */
      readonly hasPopup?: boolean;
      /** For text: true if the field is in a shadow root. */
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
  /** The text to edit is not unambiguous; `reason` completes a sentence. Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly element: ElementDescription }
  /** The selector does not lead to this frame by the given `framePath`. */
  | { readonly kind: 'elsewhere' }
  /** The selector resolved to an element other than the expected one. */
  | { readonly kind: 'other'; readonly element: ElementDescription }
  | Exclude<Resolution, { kind: 'element' }>;

/** How to wait until an action can be prepared. */
export interface AwaitOptions extends Omit<
  PrepareOptions,
  'owner' | 'identification' | 'isReported' | 'isCarriedUp' | 'tellsOrigin'
> {
  /** `prepare` just failed for a reason that shows only after scrolling or focusing, so the page must change before the next attempt. */
  readonly mustChange: boolean;
}

/** `maybe-ready`: every check that needs no scrolling or focusing passes. Otherwise the answer of `prepare`. */
export type Readiness = { readonly kind: 'maybe-ready' } | Exclude<Prepared, { kind: 'ready' }>;

/** A point mapped from a child frame into this one and into the ancestor frames that were asked: see `Prepared`. */
export type OwnerPoint =
  | { readonly kind: 'ready'; readonly trail: readonly Point[] }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string }
  | { readonly kind: 'none' };

/** How to map a point to the ancestor frames: see `PrepareOptions`. */
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
  /** Changes nothing if the document has another origin. */
  readonly origin?: string;
}

/** The result of setting a value. */
export type ValueSet =
  | { readonly kind: 'set'; readonly values: readonly string[] }
  /** The control rejects the value; `message` says why and what it accepts. Nothing was changed. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stale' };

/** The keyboard layout of key shortcuts: macOS, other systems, or no keyboard at all. */
export type Keyboard = 'mac' | 'other' | 'none';

/** How to bring a control to a value: the program inserts the text, then the caller presses the keys. */
export interface KeySequenceKind {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Which of several selectors finds an element (`index`), the element's position among its matches (`place`), and the number of matches. */
export interface Finding {
  readonly index: number;
  readonly place: number;
  readonly count: number;
}

/** How a change of a control starts: the caller presses the keys and then calls `endChange`, or the value is already set. */
export type ChangeBegun = ({ readonly kind: 'keys'; readonly values: readonly string[] } & KeySequenceKind) | ValueSet;

// ---------------------------------------------------------------- settling

/**
 * The motion to wait for: `all`; `text`, which shows or hides text that a snapshot reads; or `arrival`, which brings elements into view.
 * `arrival` suits a caller that waits for the element of its next step.
 */
export type MotionAwaited = 'all' | 'text' | 'arrival';

/** When `settle` ends. */
export interface SettleOptions {
  /** The action to wait for. Without one, `settle` only reads the page and leaves every action's guard alone. */
  readonly owner?: ActionToken | undefined;
  /** Maximum wait in milliseconds. */
  readonly timeout: number;
  /** Milliseconds to wait for the input event that `prepare` expects; 0 if it expects none. */
  readonly eventTimeout: number;
  /** Waits for a late effect even if no input event is expected. */
  readonly isLate?: boolean;
  /** Milliseconds to wait for the first late effect. Default 150. */
  readonly lateTime?: number;
  /** Number of consecutive quiet frames, default 2. 0 only waits for the input event. */
  readonly frames?: number;
  /** Includes the effects of the event's listeners in the report even if no quiet frames were requested. */
  readonly awaitsListeners?: boolean;
  /** Default `all`. */
  readonly motion?: MotionAwaited;
  /** Keeps watching, so that the next `settle` also reports from `prepare` on. The watch ends by itself after a few seconds. */
  readonly keepsWatching?: boolean;
  /** Text that was sent to the prepared field. */
  readonly entry?: SentEntry;
  readonly waitId: number;
}

/** One step of typing: a key as its `keydown` names it, or text that no key produces, which the program inserts. */
export type KeyStroke = { readonly key: string } | { readonly text: string };

/** The state of a key sequence. */
export interface KeysLeft {
  /** Number of keys that have not arrived yet. */
  readonly count: number;
  /** True if the element lost focus since the sequence began. */
  readonly hasLostFocus: boolean;
  /**
   * The popup of another control that the browser shows: the list of a select, or a calendar or palette. A popup takes keys before any element
   * does.
   */
  readonly popup?: 'list' | 'picker';
  /** Set if the page made the element unable to take text since the sequence began. */
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
 * Why a field does not hold the text in any form: it is empty, unchanged, or has another text; it lost focus and nothing was inserted; the
 * page replaced the field, or made it read-only or disabled, before all text was in; or the time was over before the text came.
 */
export type InputResult = 'emptied' | 'unchanged' | 'different' | 'unfocused' | 'replaced' | 'locked' | 'late';

/** How long to wait for suggestions after text was typed. */
export interface SuggestionWait extends Pick<SettleOptions, 'timeout' | 'waitId'> {
  /** The action that typed the text. */
  readonly owner: ActionToken;
}

/** `there` if typing brought up suggestions such as a list; `coming` if the page just changed and has not settled yet. */
export type SuggestionState = 'there' | 'coming' | 'none';

/** Everything observed from `prepare` until the page is quiet. */
export interface SettleReport {
  /** The expected input event reached its element. `misdirected` names the element that it would have hit instead. */
  readonly delivered: boolean;
  readonly misdirected?: string;
  /** The document received no pointer event, although its element would have. */
  readonly lost?: true;
  /** Two frames without a relevant mutation or a running finite animation. False if the timeout came first. */
  readonly quiet: boolean;
  /**
   * Number of relevant mutations (character data, child lists, attributes that change what a person sees) and of elements shown by a style
   * sheet alone.
   */
  readonly mutations: number;
  /** True if the target's value, checkedness, selection, expandedness, pressedness or scroll position changed. */
  readonly targetChanged: boolean;
  /** True if the target is checked. Absent if it is not checkable or has left the document. */
  readonly checked?: boolean;
  /** Role and name of a dialog, menu, listbox, popup or expanded region that opened: `dialog "Delete file?"`. */
  readonly opened?: string;
  /** The scroll position of the target's scroller in percent, if it changed: 0 is the top, 100 the end. */
  readonly scrolled?: number;
  /** The selected text, if it changed. Never that of a password field. */
  readonly selected?: string;
  /** The fields whose validation kept the browser from submitting the form. */
  readonly invalid?: InvalidFields;
  /** Texts of live regions, alerts and toasts that appeared. */
  readonly announced: readonly string[];
  /** The focused element, if it was not focused before: its role and name, and whether it is the target or in it. */
  readonly focused?: { readonly title: string; readonly isTarget: boolean };
  /** True if focus moved to another element. Focus on the target counts only if it is a text field. */
  readonly focusMoved: boolean;
  /** Absent if no text was sent or the field holds it. */
  readonly entry?: InputResult;
  /** The page ignored the inserted text, whose last key was withheld. The field's content is selected again and ready for keys. */
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

/** The changes in a document during an action in another one. */
export type OtherFrameReport = Pick<SettleReport, 'mutations' | 'announced' | 'opened'>;

// ---------------------------------------------------------------- reading

/** A property of an element that a locator reads. */
export type ElementFact =
  | 'textContent'
  | 'innerText'
  | 'innerHTML'
  | 'inputValue'
  | 'isVisible'
  | 'isChecked'
  | 'isEnabled'
  | 'isEditable'
  /** The element's ref. `shownRef`: only if the element has a rendered box. */
  | 'ref'
  | 'shownRef'
  | `attribute:${string}`;

/**
 * The sockets that a document may open while it stays, as Content Security Policy sources, for documents whose sockets cannot be cut at
 * unload.
 */
export interface SocketBounds {
  /** Undefined if CSP sources cannot express the limit. */
  readonly sources?: string;
}

/** The value that was read. `unfit`: the element does not have this property. */
export type FactRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unfit'; readonly fact: 'inputValue' | 'isChecked'; readonly element: ElementDescription };

/** States that `waitFor` accepts. */
export type WaitState = 'attached' | 'detached' | 'visible' | 'hidden';

/** How long a call may wait inside the page, and the id that cancels the wait. */
export interface WaitLimit {
  /** Milliseconds; 0 looks once. */
  readonly timeout: number;
  readonly waitId: number;
}

/** An option of a `select`. It must match every given property. */
export interface OptionChoice {
  readonly label?: string;
  readonly value?: string;
  readonly index?: number;
}

/** A file for a file input. `receiveBytes` sent its bytes before. */
export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytesId: number;
}

/** How long to wait until the files of a file input change. */
export interface FilesWait extends Pick<SettleOptions, 'timeout' | 'waitId'> {
  readonly ref: number;
}

/** An operation that a script runs on an element, without user input. */
export type ElementDeed = { readonly kind: 'blur' } | { readonly kind: 'click'; readonly event: ClickEventOptions };

/** The properties of a synthetic click event. */
export interface ClickEventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
  readonly detail?: number;
}

// ---------------------------------------------------------------- pictures

/** Changes to a document for a screenshot. */
export interface ScreenshotChanges {
  /** CSS rules for the document and its shadow roots. */
  readonly style: string;
  readonly hidesCaret: boolean;
  /** Finite animations and transitions jump to their end, infinite ones to their start. */
  readonly stopsAnimations: boolean;
  /** Renders lazy content that normally renders only near the viewport. */
  readonly rendersAll: boolean;
  /** Texts to hide. */
  readonly secrets: readonly string[];
}

/** Facts about a document that is captured. */
export interface PictureFacts {
  readonly devicePixelRatio: number;
  /** Refs of elements that show a secret. */
  readonly secretRefs: readonly number[];
}

/** An encoded image. */
export interface EncodedPicture {
  readonly base64: string;
  readonly type: 'png' | 'jpeg';
  /** 0 to 100, for `jpeg`. */
  readonly quality?: number;
}

// ---------------------------------------------------------------- the table

/** Elements with delegated listeners, by their index in document order. They are only valid while the document has as many elements. */
export interface DelegatedElements {
  readonly elementCount: number;
  readonly indexes: readonly number[];
}

/** The state of a document under a drag. */
export interface UnderDrag {
  /** True if anything scrolled. */
  readonly hasScrolled: boolean;
  /** True if the last `dragover` was at most 3 px from the drop point. */
  readonly isReached: boolean;
}

/**
 * The methods of the injected program. Node calls them by name in a frame's isolated world. Elements arrive as object handles, typed
 * `object` here; everything else is JSON.
 */
export interface InjectedProgram {
  snapshot(options: FrameSnapshotOptions): FrameSnapshot;
  /**
   * Stores elements that the page listens to, with the kind of listener, for the document's lifetime. Returns true if the next snapshot
   * changes.
   */
  noteListeners(uses: readonly ListenerUse[], delegated: DelegatedElements, ...elements: object[]): boolean;
  /**
   * Stores which frame (the browser's id) a frame element holds. Returns whether the frame's program may ask this document questions under
   * the nonce without the page seeing them.
   */
  adoptFrame(frameElement: object, frameId: string, nonce: string): boolean;
  /**
   * Returns and clears the list of unexplored elements that look like hosts of a closed shadow root. Also returns all other possible hosts
   * if there are at most `most`.
   */
  takeHostCandidates(most: number): object[];
  /** Registers a closed shadow root that the browser found. */
  adoptShadowRoot(root: object): void;
  resolve(target: ElementTarget): Resolution | Unexplored;
  /** The browser's ids of this document's frames, in document order. */
  heldFrames(): readonly string[];
  /** Returns which selector matches only this element, else the first that matches it among others; `null` if none matches it. */
  firstFinding(ref: number, selectors: readonly string[]): Finding | null;
  /** Returns a handle to the element; `null` if the target does not resolve. */
  element(target: ElementTarget): object | null;
  describe(target: ElementTarget): ElementDescription | null;
  /** Returns candidates for the given elements on a page that may have changed. */
  findAgain(sought: readonly ElementSearchQuery[]): MatchCandidates;
  /** Returns the fingerprint of each element; `null` if it has left the document. */
  fingerprints(refs: readonly number[], identification: Identification): readonly (Fingerprint | null)[];
  /** Returns the XPath of each ref's element, as in its description; `null` if it has left the document. */
  xpaths(refs: readonly number[]): readonly (string | null)[];
  /** Describes the frame element that holds this frame; `null` if it is not in the document. */
  describeOwner(frameId: string): ElementDescription | null;
  /** Returns the innermost element at a point, inside shadow roots too. `frameId` and `framePoint` are set for a frame element. */
  describePoint(point: Point): { element: ElementDescription; frameId?: string; framePoint?: Point } | null;
  prepare(target: ElementTarget, options: PrepareOptions): Promise<Prepared | Unexplored>;
  /** Waits until `prepare` is worth trying. It neither scrolls nor focuses nor changes the page. */
  awaitReady(target: ElementTarget, options: AwaitOptions): Promise<Readiness | Unexplored>;
  /** Ends an action: stops its watch and lets all events pass. */
  disarm(token: number): void;
  mapToParent(frameId: string, point: Point, mustReceive?: boolean): OwnerPoint;
  /** `mapToParent` for the program of a same-origin child frame, which passes the frame element itself. Does not scroll. */
  throughFrame(frameElement: object, point: Point, mustReceive?: boolean): OwnerPoint;
  /** For a child's program: maps a point on to ancestor documents that it cannot reach. Returns `null` if they cannot be asked. */
  mapToAncestors(point: Point, way: CarryingWay): Promise<OwnerPoint | null>;
  /** For a child's program: true if the selectors lead into its frame. */
  leadsInto(frameElement: object, steps: readonly FrameStep[], nonces: readonly string[]): Promise<boolean>;
  /** For a child's program before it acts: watches this document too and stops pointer events that miss the child's frame. */
  watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void;
  /**
   * Sets a control's value, or selects options by label, value or `index=n`. It uses keys that the caller presses where possible, else a
   * script.
   */
  beginChange(change: ControlChange): ChangeBegun;
  /** Call after the keys: ensures that the control has the value. `isGivenUp` only ends the watch. */
  endChange(token: number, isGivenUp: boolean): ValueSet;
  /** Stores a chunk of a file's base64 bytes for `setFiles`. */
  receiveBytes(bytesId: number, base64: string): void;
  /** Sets the files of a file input and fires the events of a user's choice. */
  setFiles(ref: number, files: readonly SentFile[]): ValueSet;
  /** Waits until the files of a file input differ from those at the time of the call. */
  awaitFiles(options: FilesWait): Promise<void>;
  /** Until `endKeys`, only these keys, in this order, reach the focused element. */
  beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void;
  /** `beginKeysAtFocus` for a given element. */
  beginTyping(token: number, ref: number, strokes: readonly KeyStroke[]): void;
  /** Waits for the first `awaited` keys of the sequence, or until no more keys arrive. */
  keysLeft(token: number, awaited: number): Promise<KeysLeft>;
  endKeys(token: number): void;
  /** The action sends its keys to another document: blocks them here until `openToKeys`. */
  closeToKeys(token: number): void;
  openToKeys(token: number): void;
  /** For the program of a child frame that the page just created: the actions whose keys it must block. */
  keysUnderWay(): readonly number[];
  /** Inserts text at this document's focus. */
  insertAtFocus(text: string): void;
  settle(options: SettleOptions): Promise<SettleReport>;
  /** If typing has not brought up suggestions yet, waits until the page changes again. */
  awaitSuggestions(options: SuggestionWait): Promise<SuggestionState>;
  /** Milliseconds since the last change after an action, not counting motion that is not awaited. 0 if unknown or if something moves. */
  quietDuration(motion: MotionAwaited): number;
  /** Watches for the effects of input at a point of this document, or at the focused element. `settle` reports them. */
  armAt(owner: ActionToken, point: Point | null, isWheel: boolean): void;
  /** Watches this document during an action in another one, until `otherFrameEffects`. */
  watchOtherFrame(owner: ActionToken): void;
  /** Ends the watch and returns what changed. */
  otherFrameEffects(token: number): Promise<OtherFrameReport>;
  /** Tells the program that no action is running, so that changes from now on count as the page's own. No-op during an action. */
  restOtherFrame(): Promise<void>;
  /** Waits for an element and reads one property. */
  read(
    target: ElementTarget,
    fact: ElementFact,
    limit?: WaitLimit,
  ): Promise<FactRead | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  /** Waits for an element and runs an operation on it. */
  doTo(
    target: ElementTarget,
    deed: ElementDeed,
    limit: WaitLimit,
  ): Promise<{ kind: 'done' } | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  waitFor(
    target: ElementTarget,
    options: WaitLimit & { readonly state: WaitState },
  ): Promise<{ kind: 'met' } | { kind: 'timeout' } | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  scrollTo(
    target: ElementTarget | null,
    percent: number,
  ): { kind: 'scrolled' } | Exclude<Resolution, { kind: 'element' }> | Unexplored;
  /** Applies the screenshot changes to the document. Returns which elements show a secret. */
  dress(dressing: ScreenshotChanges): Promise<PictureFacts>;
  /** Reverts `dress`. */
  undress(): void;
  /** Paints boxes, in image pixels, over an image. Returns the image as base64. */
  paintBoxes(picture: EncodedPicture, boxes: readonly Box[], color: string): Promise<string>;
  /** Waits for the next animation frame. */
  painted(): Promise<void>;
  /** Returns the ref of an element handle. */
  refOf(element: object): number;
  /** Prevents the document from opening sockets once it starts to unload; `null` allows them again. */
  guardPageHide(bounds: SocketBounds | null): void;
  /** Installs the drag listeners, again if `document.open()` removed them. */
  watchDrags(): void;
  /** Stops pastes into the document and drags of its text, until it is called with `false`. */
  refuseTransfers(isOn: boolean): void;
  /** True if the document accepted the last `dragover`. */
  takesDrop(): boolean;
  /** True if the browser itself runs a drag that started in this document. */
  isDragging(): boolean;
  /** The state of the target document since the last call. Empty on the first call. */
  underDrag(): UnderDrag;
  /** Maps a point of this viewport into a frame in this document; `null` if the frame is not here. */
  pointInFrame(frameId: string, point: Point): Point | null;
  /** True if the mouse moves over the document within this many milliseconds. */
  pointerMoved(timeout: number): Promise<boolean>;
  /** Waits for the mouse events that follow a tap, unless the page prevents them. */
  tapped(owner: ActionToken): Promise<void>;
  /** Ends a wait before its timeout. */
  cancel(waitId: number): void;
}
