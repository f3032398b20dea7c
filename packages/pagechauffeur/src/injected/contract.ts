/**
 * What the program inside the page offers and what it answers. Types only, and no DOM types: this file
 * is the one thing that the Node side knows of the page side. Everything here is plain JSON, so that a
 * call is one protocol message each way. Coordinates are CSS pixels of the frame's own viewport.
 */

/** An element, by the ref of a snapshot of this same document or by a selector (its `index`-th match, default 0; `strict`: its only one). */
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

/** What a mouse does that the page listens for at an element. */
export type ListenerUse = 'click' | 'press' | 'drop';

/** What to take a snapshot of. */
export interface FrameSnapshotOptions {
  /** Only this element and what is below it. */
  readonly scope?: ElementTarget;
  /** Every match is left out with all that is below it; selectors that belong to this frame. */
  readonly ignoreSelectors?: readonly string[];
  /** Also gives the lines as a tree, which costs as much again; default false. */
  readonly withTree?: boolean;
  /** The tree also says where each line comes from; default false. */
  readonly withPlaces?: boolean;
  /** A picture is told also where its name is that of the link around it, for its address; default false. */
  readonly keepsAddresses?: boolean;
  /** Characters that all texts of the lines may have together; default `PAGE_BOUNDS.pageText`. */
  readonly mostText?: number;
  /** How long the text may get; without it nothing is folded. The tree is whole in any case. */
  readonly fold?: FoldRequest;
}

/** How to fold what repeats when a text gets too long. */
export interface FoldRequest {
  /** Tokens, by estimate, that the text may have. */
  readonly tokens: number;
  /** Other frames share the tokens: shorter texts down to this many are given too. */
  readonly share?: number;
  /** What is to be done in the page: what has its words is not folded away. */
  readonly instruction?: string;
  /** An element that was folded away, or that holds what was: it and what follows is shown. */
  readonly expand?: number;
  /** Also folds the links and buttons around the main part, such as those of menus and footers, however short the page is. */
  readonly foldsNavigation?: boolean;
}

/**
 * A line of a snapshot as it travels: a string is text; otherwise the place of its role in `FrameTreeSnapshot.roles`, accessible
 * name, ref (0: none), further properties (0: none) and children. Tuples, because a page may have 100,000 of them; what is
 * empty at their end is left out.
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

/** The rarer facts of a line. Absent means "not so" or "does not apply". */
export interface WireProperties {
  /** Present states, in this order and spelling: see `SnapshotState` in `snapshot/snapshot-node.ts`. */
  readonly states?: readonly string[];
  /** Current value of a control; never of a password field. */
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  /** Heading level, or tree level. */
  readonly level?: number;
  /** Absolute address of a link or an image, as the document resolves it; one that starts with `/` lacks the document's origin. */
  readonly url?: string;
  /** Labels of a `select`'s options, the selected ones first marked by states of their own child lines. */
  readonly options?: readonly string[];
  /** The line is a frame element; the id that the browser gave its content frame, `''` while unknown. */
  readonly frameId?: string;
}

/** The lines of a frame's part as a tree. */
export interface FrameTreeSnapshot {
  /** The roles that lines have, each once. */
  readonly roles: readonly string[];
  readonly nodes: readonly WireNode[];
  /**
   * The absolute XPath within the frame of each line's element, each line before those below it: how many characters it
   * has in common with the one before, then the rest.
   */
  readonly places?: readonly (number | string)[];
}

/** A frame's lines as text, whole or folded. */
export interface FrameText {
  /**
   * One line per element or text. A DEL character, which no text of the page can hold, marks what the place of this frame in
   * its page decides: it stands before each ref (`e5`), before each number in `urls` (`#3`), and before the browser's id of a
   * frame (`f…`, `c…` when something lies over it) on a line of its own where that frame's lines belong.
   */
  readonly text: string;
  /** Addresses that stand in the text by their number; those that start with `/` lack the document's origin. */
  readonly urls: readonly string[];
  /** Tokens that the text has, by estimate; 0 when nothing was said of folding. */
  readonly tokens: number;
  /** Something is folded away, or a text is cut off. */
  readonly isFolded: boolean;
  /** Present when elements with refs are folded away. */
  readonly folded?: FoldedRefs;
  /** Present when things are folded away. */
  readonly runs?: readonly FoldedRun[];
}

/** Things that repeat, of which some are folded away: whether one of them changed is seen by its digest. */
export interface FoldedRun {
  /** How much higher the first ref in each thing is than that of the one before; 0 where there is none. */
  readonly steps: readonly number[];
  /** What each thing says, in six digits each. */
  readonly digests: string;
  /** Which are folded away: the first place and one past the last, pair after pair. */
  readonly folded: readonly number[];
  /** The ref of the element that holds things without refs; 0 where all have some. */
  readonly holder: number;
}

/** The refs of elements that are folded away, in document order. */
export interface FoldedRefs {
  /** The first and the last of each run of refs that follow each other, one pair after the other. */
  readonly ranges: readonly number[];
  /** The role of each ref, by its place in `roles`. */
  readonly roleNumbers: readonly number[];
  /** The name of each ref, a line each. */
  readonly names: string;
  readonly roles: readonly string[];
}

/** A selector that cannot be used, and why. */
export interface WrongSelector {
  readonly selector: string;
  readonly message: string;
  readonly isXPath?: true;
}

/** One frame's part of a snapshot. */
export interface FrameSnapshot extends FrameText {
  readonly url: string;
  readonly title: string;
  /** The same in fewer tokens, the longest first, for when other frames need some. */
  readonly shorter?: readonly FrameText[];
  readonly tree?: FrameTreeSnapshot;
  /** Elements walked. */
  readonly elementCount: number;
  /** Lines that `text` leaves out because they are outside of an open modal dialog; only where something may be folded. */
  readonly linesBehindModal?: number;
  /** Elements that may host a closed shadow root and were not looked into yet; see `takeHostCandidates`. */
  readonly hostCandidates: number;
  /** The first of `ignoreSelectors` that is no selector; nothing was read then. */
  readonly wrongIgnored?: WrongSelector;
  /** `scope` matched nothing, is malformed, or goes on in a child frame. */
  readonly scopeResolution?: Exclude<Resolution, { kind: 'element' }>;
}

// ---------------------------------------------------------------- resolving

/** What is missing where a selector goes on in a frame: the element that holds it, or a document in that element. */
export type LackingFrame = 'frame' | 'document';

/** What a target led to. Outcomes are values; nothing here is thrown. */
export type Resolution =
  | { readonly kind: 'element'; readonly ref: number; readonly count: number }
  /** The selector goes on in a frame: resolve `rest` there (`''`: the frame element itself was meant and `ref` is it). */
  | { readonly kind: 'frame'; readonly ref: number; readonly frameId: string; readonly rest: string }
  /**
   * No element; `matched` is the longest leading part of the selector that did match. `isPastTheEnd`: the selector asks for the nth of
   * matches of which there are some, but fewer.
   */
  | { readonly kind: 'none'; readonly matched: string; readonly lacks?: LackingFrame; readonly isPastTheEnd?: true }
  /** The ref belongs to an element that has left the document, or to none. */
  | { readonly kind: 'stale' }
  /** The path goes on in a shadow root that the element does not have. */
  | { readonly kind: 'no-shadow-root'; readonly matched: string }
  /** The selector goes on in the document of an element that holds none; the element's tag. */
  | { readonly kind: 'no-frame'; readonly tag: string }
  /** Several elements match a strict selector; the first of them. */
  | { readonly kind: 'ambiguous'; readonly count: number; readonly candidates: readonly ElementDescription[] }
  /** The selector cannot be parsed or honoured; a sentence says why. `isXPath`: the part that is wrong is an XPath. */
  | { readonly kind: 'invalid'; readonly message: string; readonly isXPath?: true };

/**
 * Nothing or perhaps not all was found: there are elements that may host closed shadow roots. Open those that
 * `takeHostCandidates` gives, then ask again. A wait answers so at once.
 */
export interface Unexplored {
  readonly kind: 'unexplored';
}

/** What is known about one element, for results, messages and finding it again. */
export interface ElementDescription {
  readonly ref: number;
  readonly role: string;
  readonly name: string;
  /** The first words of a part of the page that has no name. */
  readonly words?: string;
  /** Absolute XPath within this frame as `xpathOf` writes it, an index on each step, `//` for a shadow hop; no `xpath=` prefix. */
  readonly xpath: string;
  /** Short tag form for messages, such as `<button#buy.primary>`. */
  readonly tag: string;
  readonly isPassword: boolean;
  /** The element is a frame, so its keys go to the document inside. */
  readonly isFrame?: true;
}

// ---------------------------------------------------------------- finding again

/** By what an element is found again on a page that has changed; texts and names around it more than its place. */
export interface Fingerprint extends ElementSearchQuery {
  /** Absolute XPath within its frame. */
  readonly xpath: string;
  /** Whether what it opens is open, `expanded` or `collapsed`; `''` for an element that opens nothing. */
  readonly opening: string;
  /** Of what is switched by each click: whether it is on. */
  readonly isOn?: boolean;
  /** Of what text is typed into: whether it holds some. */
  readonly isFilled?: boolean;
  /** Attributes that are likely to last. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Headings and names of the parts of the page around, innermost first. */
  readonly sections: readonly string[];
  /** The only heading of the first level in the document, with `#` for numbers. */
  readonly title: string;
  /** The role of the nearest landmark or dialog around, `''` when there is none. */
  readonly landmark: string;
  /** Other texts of the row, item or card that it is in. */
  readonly row: readonly string[];
  /** Whether the innermost of its sections is the heading of that row, item or card. */
  readonly isTitled: boolean;
  /** Heading of its column in a table. */
  readonly column: string;
  /** Texts of the parts of the page around, from the nearest outward: what each says that no smaller one says. */
  readonly surroundings?: readonly (readonly string[])[];
  /**
   * Among the rendered elements with the same name, sections and row: which one it is, and of how many; 0 when nobody counted. Of several,
   * how many of its surroundings have none of the others in them.
   */
  readonly alike: { readonly place: number; readonly count: number; readonly own?: number };
}

/** How an element is identified: `alone` by itself and what is around it; `among` others besides, for which the document is looked through. */
export type Identification = 'alone' | 'among';

/** What elements must have in common with the one that is sought. */
export interface ElementSearchQuery {
  readonly role: string;
  /** Accessible name; of a part of the page that has neither a name nor a role, its words. */
  readonly name: string;
  /** Of an element without a name, what its pictures are drawn with. */
  readonly icon?: string;
}

/** An element that may be the one that is sought. */
export interface Candidate extends Fingerprint {
  readonly ref: number;
}

/** What one frame answers when elements are sought again. */
export interface MatchCandidates {
  /** For each that is sought the rendered elements of its role and name, in document order; none when they are too many. */
  readonly candidates: readonly (readonly Candidate[])[];
  /** How many rendered elements there are of each role that is sought. */
  readonly population: Readonly<Record<string, number>>;
}

// ---------------------------------------------------------------- acting

/** How many files an element takes: `none` if it is no file input. */
export type FileCapacity = 'none' | 'one' | 'many';

/** What is about to be done; it decides which checks apply. `drop` is the end of a drag that has begun; the watch of that drag goes on. */
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

/** How much of what is done to a page is looked at: all that can be told of it, only what changes, or nothing. */
export type WatchScope = 'effects' | 'changes' | 'nothing';

/** A change of a part of the text that a field holds; the anchor must stand in it exactly once. */
export type TextPart =
  | { readonly kind: 'replace'; readonly anchor: string; readonly text: string }
  /** Puts the text behind the anchor. */
  | { readonly kind: 'insert'; readonly anchor: string; readonly text: string }
  | { readonly kind: 'append'; readonly text: string };

/**
 * Names an action, so that what is watched and announced for it belongs to it and to no other. Node gives one action of a page its
 * turn at a time; `within` are those that go on around it, because it is an act of a handler that they wait for.
 */
export interface ActionToken {
  readonly token: number;
  readonly within: readonly number[];
}

/** Whose a document is, as the browser tells it: `null` for one without an origin of its own. */
export interface DocumentOrigin {
  readonly origin: string;
  /** The origin of the page that the document is in. */
  readonly top: string;
}

/** How to prepare an action. */
export interface PrepareOptions {
  readonly owner: ActionToken;
  readonly action: PrepareAction;
  /** Milliseconds to wait for the element to appear and become actionable; 0 looks once. */
  readonly timeout: number;
  /** For `edit`: the change. */
  readonly part?: TextPart | undefined;
  /** For `fill`: the text that replaces what the field holds. */
  readonly text?: string | undefined;
  /** For `type`, `press` and a text that is typed: the keys that are to reach the element, and nothing else. */
  readonly strokes?: readonly KeyStroke[] | undefined;
  /** Milliseconds to wait for an element to be there at all; default `timeout`. */
  readonly absentTimeout?: number | undefined;
  /** Skips the checks, not the scrolling. */
  readonly force?: boolean;
  /** Whether what the action does to the page will be told, and to which element: finding out takes as long as all checks. */
  readonly isReported?: boolean | undefined;
  /** Offset from the element's top left corner to act at, instead of a visible point near its centre. */
  readonly position?: Point | undefined;
  /** Names this wait for `cancel`. */
  readonly waitId: number;
  /** How the documents around know this frame and each around it, the innermost first; `''` where they cannot be asked. */
  readonly nonces?: readonly string[];
  /** Whether the point is carried up to the page's viewport, with the checks on the way. */
  readonly isCarriedUp?: boolean;
  /** The way by which the selector is thought to lead to this frame; nothing is done in a frame that it does not lead to. */
  readonly framePath?: readonly FrameStep[] | undefined;
  /** The answer is to say whose the document is. */
  readonly tellsOrigin?: boolean;
  /** Nothing is done to an element that is not this one. */
  readonly expected?: Fingerprint | undefined;
  /** Nothing is done to an element of another role or name. */
  readonly calledAs?: ElementCall | undefined;
  /** The answer is to say by what the element can be found again. */
  readonly identification?: Identification | undefined;
}

/** What an element is called. */
export type ElementCall = Pick<ElementDescription, 'role' | 'name'>;

/** A part of a selector's way: from a document into a frame that it holds. */
export interface FrameStep {
  /** The selector in the document. */
  readonly selector: string;
  readonly strict?: boolean;
  /** What of it goes on in the frame. */
  readonly rest: string;
}

/** What a frame asks the document around it, which may be in another process. */
export type OwnerQuestion = {
  /** How the documents further up know the frames between. */
  readonly nonces: readonly string[];
} & (
  | { readonly kind: 'carry'; readonly point: Point; readonly mustReceive: boolean }
  | { readonly kind: 'lead'; readonly steps: readonly FrameStep[] }
);

/** Why an element was not actionable when the time was up. */
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
 * The answer of `prepare`. `ready` also means: scrolled into view, focused and its content selected when
 * the action types, changes watched from now on for `settle`, and the next trusted pointer event checked
 * against this element (one that would land elsewhere is stopped before the page sees it).
 */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly element: ElementDescription;
      /** Where to act: a point in this frame's viewport, then the same in those of the frames around it, as far as they were asked. */
      readonly trail: readonly Point[];
      /** How text gets in: key events as typed, or `beginChange` (date, color, range, number … controls and selects). */
      readonly textEntry: 'keys' | 'set' | 'none';
      /** For `edit`: the text that is to come in place of what is selected. */
      readonly insertion?: string;
      /** For `scroll`: height in CSS pixels of what scrolls the element, its nearest scroller or the viewport. */
      readonly pageHeight?: number;
      /** For `upload`: how many files the element takes as a file input. */
      readonly takesFiles?: FileCapacity;
      /** For text: whether the field says that a list or another popup belongs to it. */
      readonly hasPopup?: boolean;
      /** For text: whether the field is in a shadow root. */
      readonly isInShadow?: boolean;
      /** For `check`: the state before. For others undefined. */
      readonly checked?: boolean;
      /** When it was asked for. */
      readonly fingerprint?: Fingerprint;
      /** When it was asked for. */
      readonly document?: DocumentOrigin;
    }
  | {
      readonly kind: 'blocked';
      readonly reason: BlockedReason;
      readonly cover?: string;
      readonly element: ElementDescription;
    }
  /** The part that is to change cannot be told; why, as the end of a sentence. Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly element: ElementDescription }
  /** The selector does not lead to this frame by the way that was thought. */
  | { readonly kind: 'elsewhere' }
  /** The selector leads to another element than the one that was expected. */
  | { readonly kind: 'other'; readonly element: ElementDescription }
  | Exclude<Resolution, { kind: 'element' }>;

/** How to wait until an action can be prepared. */
export interface AwaitOptions extends Omit<
  PrepareOptions,
  'owner' | 'identification' | 'isReported' | 'isCarriedUp' | 'tellsOrigin'
> {
  /** `prepare` has just failed for a reason that cannot be seen without scrolling or focusing: something has to change first. */
  readonly mustChange: boolean;
}

/** `maybe-ready`: nothing speaks against it that can be seen without scrolling or focusing. Otherwise the answer of `prepare`. */
export type Readiness = { readonly kind: 'maybe-ready' } | Exclude<Prepared, { kind: 'ready' }>;

/** A point carried from a child frame into this one, and up as far as the frames around were asked: see `Prepared`. */
export type OwnerPoint =
  | { readonly kind: 'ready'; readonly trail: readonly Point[] }
  | { readonly kind: 'blocked'; readonly reason: BlockedReason; readonly cover?: string }
  | { readonly kind: 'none' };

/** How a point is carried up, and whom to ask: see `PrepareOptions`. */
export interface CarryingWay {
  /** Whether each frame must receive what happens at the point. */
  readonly mustReceive: boolean;
  readonly nonces: readonly string[];
}

/** A control, and the values that an action gives it. */
export interface ControlChange {
  readonly token: number;
  readonly ref: number;
  readonly values: readonly (string | OptionChoice)[];
  readonly keyboard: Keyboard;
  /** Nothing is changed in a document of another origin. */
  readonly origin?: string;
}

/** How a value got in. */
export type ValueSet =
  | { readonly kind: 'set'; readonly values: readonly string[] }
  /** The control refuses the value; a sentence says why and what it takes. Nothing was changed. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stale' };

/** Whose keys can be pressed: those of a browser on macOS, of one elsewhere, or none. */
export type Keyboard = 'mac' | 'other' | 'none';

/** What leads a control to a value: text that replaces what is there, which the program puts in itself, then keys. */
export interface KeySequenceKind {
  readonly text: string;
  readonly keys: readonly string[];
}

/** By which of several selectors an element is found: the selector's place among them, the element's among all that are found by it, and how many those are. */
export interface Finding {
  readonly index: number;
  readonly place: number;
  readonly count: number;
}

/** How a change of a control began: with keys to be pressed now, then `endChange` is to be called; or it is done. */
export type ChangeBegun = ({ readonly kind: 'keys'; readonly values: readonly string[] } & KeySequenceKind) | ValueSet;

// ---------------------------------------------------------------- settling

/**
 * Which motion is waited for: all of it; what hides or shows something that the page says, for who reads it as text; or what comes
 * into sight, for who does something else next, and so waits for the element of that.
 */
export type MotionAwaited = 'all' | 'text' | 'arrival';

/** When to stop waiting. */
export interface SettleOptions {
  /** The action that is waited for. Without one the page is only read: no action's guard is touched. */
  readonly owner?: ActionToken | undefined;
  /** Milliseconds at most. */
  readonly timeout: number;
  /** Milliseconds to wait for the input event that was announced by `prepare` before giving up on it; 0: none was announced. */
  readonly eventTimeout: number;
  /** Whether the effect may show late although no input event was announced. */
  readonly isLate?: boolean;
  /** Milliseconds that a late effect may take; default 150. */
  readonly lateTime?: number;
  /** Frames in a row that must be quiet, default 2; 0 only waits for the input event. */
  readonly frames?: number;
  /** Whether the report is to tell also without quiet frames what the event's listeners did. */
  readonly awaitsListeners?: boolean;
  /** Default `all`. */
  readonly motion?: MotionAwaited;
  /** Goes on watching, so that the report of the next `settle` counts from `prepare` too; ends by itself after some seconds. */
  readonly keepsWatching?: boolean;
  /** Text that was sent to the field which `prepare` made ready. */
  readonly entry?: SentEntry;
  readonly waitId: number;
}

/** One step of typing: a key as its `keydown` names it, or a text that no key types, which the program puts in itself. */
export type KeyStroke = { readonly key: string } | { readonly text: string };

/** How far a key sequence has come. */
export interface KeysLeft {
  /** How many keys have not arrived yet. */
  readonly count: number;
  /** True if the element lost the focus since the sequence began. */
  readonly hasLostFocus: boolean;
  /** What the page has made of the element since the sequence began, so that it takes no text. */
  readonly lock?: FieldLock;
}

/** Why a field takes no text. */
export type FieldLock = Extract<BlockedReason, 'disabled' | 'read-only'>;

/** Text that is to replace what a field holds. */
export interface SentEntry {
  readonly text: string;
  /** Nothing of it is still to come. */
  readonly isOver?: boolean;
}

/**
 * What became of text that a field does not hold, in no form: the field is empty, holds what it held before, or something
 * else; it could not keep the focus, so nothing was put in; or the page put another field in its place, or made it read-only or
 * disabled it, before all of it was in.
 */
export type InputResult = 'emptied' | 'unchanged' | 'different' | 'unfocused' | 'replaced' | 'locked';

/** How long to wait for what the text of an action brings. */
export interface SuggestionWait extends Pick<SettleOptions, 'timeout' | 'waitId'> {
  /** The action that typed the text. */
  readonly owner: ActionToken;
}

/** Whether what was typed has brought something, such as a list; `coming`: the page has just changed, and is to settle. */
export type SuggestionState = 'there' | 'coming' | 'none';

/** What was seen between `prepare` and quiet. */
export interface SettleReport {
  /** The announced input event reached its element; `misdirected` names the element it would have hit instead. */
  readonly delivered: boolean;
  readonly misdirected?: string;
  /** Nothing of the pointer came to the document, though its element would have received it. */
  readonly lost?: true;
  /** Two frames without a mutation that matters and no finite animation running; false when time ran out first. */
  readonly quiet: boolean;
  /** Mutations that matter (character data, child lists, attributes that change what a person sees), and parts that a style sheet alone shows. */
  readonly mutations: number;
  /** The target's value, checkedness, selection, expandedness, pressedness or scroll position changed. */
  readonly targetChanged: boolean;
  /** Whether the target is on; absent if it cannot be checked or has left the document. */
  readonly checked?: boolean;
  /** Role and name of a dialog, menu, listbox, popup or expanded region that appeared: `dialog "Delete file?"`. */
  readonly opened?: string;
  /** How far down what holds the target is scrolled now, in per cent, if that changed: 0 is the top, 100 the end. */
  readonly scrolled?: number;
  /** The text that is selected now, if it is another than before; of a password never. */
  readonly selected?: string;
  /** Fields because of which the browser did not submit their form. */
  readonly invalid?: InvalidFields;
  /** Texts of live regions, alerts and toasts that appeared. */
  readonly announced: readonly string[];
  /** Role and name of the element that has the focus, when it had it not before. */
  readonly focused?: string;
  /** The focus is on another element than before, and not just on the target, unless that is a field for text. */
  readonly focusMoved: boolean;
  /** Absent when nothing was sent, or the field holds it. */
  readonly entry?: InputResult;
  /** The page took no notice of inserted text, whose last key was kept from it: what the field holds is selected again, and it waits for keys. */
  readonly awaitsKeys?: true;
  readonly readyState: 'loading' | 'interactive' | 'complete';
}

/** Fields that are not valid, by role and name: `textbox "Email"`. */
export interface InvalidFields {
  /** The one that has the focus. */
  readonly field: string;
  /** The browser's validation message: `Please fill out this field.` */
  readonly reason: string;
  /** Up to five other fields of the form. */
  readonly others: readonly string[];
  /** How many more there are. */
  readonly unnamed: number;
}

/** What was seen in a document while something was done in another one. */
export type OtherFrameReport = Pick<SettleReport, 'mutations' | 'announced' | 'opened'>;

// ---------------------------------------------------------------- reading

/** One fact about an element, for locators. */
export type ElementFact =
  | 'textContent'
  | 'innerText'
  | 'innerHTML'
  | 'inputValue'
  | 'isVisible'
  | 'isChecked'
  | 'isEnabled'
  | 'isEditable'
  /** The element's ref, and the same only for what has a box to show. */
  | 'ref'
  | 'shownRef'
  | `attribute:${string}`;

/** What sockets a document may open that cannot be cut off from them as it is left, as sources of a content security policy. */
export interface SocketBounds {
  /** Undefined when such sources cannot say it. */
  readonly sources?: string;
}

/** A fact that was read; an element that is not of a kind to have it is `unfit`. */
export type FactRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'unfit'; readonly fact: 'inputValue' | 'isChecked'; readonly element: ElementDescription };

/** States that `waitFor` waits for. */
export type WaitState = 'attached' | 'detached' | 'visible' | 'hidden';

/** How long a question may wait inside the page, and the name by which to end the wait early. */
export interface WaitLimit {
  /** Milliseconds; 0 looks once. */
  readonly timeout: number;
  readonly waitId: number;
}

/** An option of a `select`, by all that is named of it. */
export interface OptionChoice {
  readonly label?: string;
  readonly value?: string;
  readonly index?: number;
}

/** A file for a file input; its bytes were sent before by `receiveBytes`. */
export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytesId: number;
}

/** How long to wait until a file input has other files. */
export interface FilesWait extends Pick<SettleOptions, 'timeout' | 'waitId'> {
  readonly ref: number;
}

/** What a script, not a person, does to an element. */
export type ElementDeed = { readonly kind: 'blur' } | { readonly kind: 'click'; readonly event: ClickEventOptions };

/** The properties of a click event that is made by script. */
export interface ClickEventOptions {
  readonly bubbles?: boolean;
  readonly cancelable?: boolean;
  readonly composed?: boolean;
  readonly detail?: number;
}

// ---------------------------------------------------------------- pictures

/** How a document is to look in a picture. */
export interface ScreenshotChanges {
  /** Rules that hold in the document and its shadow roots. */
  readonly style: string;
  readonly hidesCaret: boolean;
  /** Animations and transitions that end are at their end, others at their beginning. */
  readonly stopsAnimations: boolean;
  /** What is only rendered when it is near the viewport is rendered. */
  readonly rendersAll: boolean;
  /** Texts that must not be legible. */
  readonly secrets: readonly string[];
}

/** What is known of a document that a picture is taken of. */
export interface PictureFacts {
  readonly devicePixelRatio: number;
  /** Elements that show a secret. */
  readonly secretRefs: readonly number[];
}

/** A picture as a file. */
export interface EncodedPicture {
  readonly base64: string;
  readonly type: 'png' | 'jpeg';
  /** 0 to 100, for `jpeg`. */
  readonly quality?: number;
}

// ---------------------------------------------------------------- the table

/** What a drag does to the document that it goes to. */
export interface UnderDrag {
  /** Whether anything has scrolled there. */
  readonly hasScrolled: boolean;
  /** Whether something was held over it last where it is to be dropped. */
  readonly isReached: boolean;
}

/**
 * The methods of the program, called by name in the isolated world of a frame. `Element` parameters come
 * as object handles; they are typed `object` here. Everything else is JSON.
 */
export interface InjectedProgram {
  snapshot(options: FrameSnapshotOptions): FrameSnapshot;
  /**
   * Notes elements that the page listens to, each with its use, and takes a snapshot with them; null when it would say the same as one without
   * them. The notes last as long as the document.
   */
  snapshotWithListeners(
    options: FrameSnapshotOptions,
    uses: readonly ListenerUse[],
    ...elements: object[]
  ): FrameSnapshot | null;
  /**
   * Remembers which frame (the browser's id) a frame element holds; whether its program may ask this document things
   * under the nonce, because the page does not hear of it.
   */
  adoptFrame(frameElement: object, frameId: string, nonce: string): boolean;
  /**
   * Elements that look as if they hosted a closed shadow root and were not asked about yet; empties the list. Also all
   * others that could, when these are not more than `most`.
   */
  takeHostCandidates(most: number): object[];
  /** Gives access to a closed shadow root that the browser named. */
  adoptShadowRoot(root: object): void;
  resolve(target: ElementTarget): Resolution | Unexplored;
  /** The browser's ids of the frames that this document holds, in document order. */
  heldFrames(): readonly string[];
  /** Which of these selectors finds an element alone, or else first among others; null when none finds it. */
  firstFinding(ref: number, selectors: readonly string[]): Finding | null;
  /** The element itself, as a handle; null when it does not resolve. */
  element(target: ElementTarget): object | null;
  describe(target: ElementTarget): ElementDescription | null;
  /** Elements that may be those that are sought, on a page that may have changed. */
  findAgain(sought: readonly ElementSearchQuery[]): MatchCandidates;
  /** By what elements can be found again; null for one that has left the document. */
  fingerprints(refs: readonly number[], identification: Identification): readonly (Fingerprint | null)[];
  /** The XPath of each ref's element, as in its description; `null` for one that has left the document. */
  xpaths(refs: readonly number[]): readonly (string | null)[];
  /** The frame element that holds this frame; null when it is not in the document. */
  describeOwner(frameId: string): ElementDescription | null;
  /** The innermost element at a point, going through shadow roots; `frame` when it is a frame element. */
  describePoint(point: Point): { element: ElementDescription; frameId?: string; framePoint?: Point } | null;
  prepare(target: ElementTarget, options: PrepareOptions): Promise<Prepared | Unexplored>;
  /** Waits until it is worth trying to prepare an action. Changes nothing: it neither scrolls nor focuses. */
  awaitReady(target: ElementTarget, options: AwaitOptions): Promise<Readiness | Unexplored>;
  /** The action is over or given up: it is watched no longer, and events pass as if it had never been prepared. */
  disarm(token: number): void;
  mapToParent(frameId: string, point: Point, mustReceive?: boolean): OwnerPoint;
  /** `mapToParent` for the program of a same-origin child, which holds the frame element itself; it does not scroll. */
  throughFrame(frameElement: object, point: Point, mustReceive?: boolean): OwnerPoint;
  /** For the program of a child: carries a point on to the documents around that it cannot reach; null when they cannot be asked. */
  mapToAncestors(point: Point, way: CarryingWay): Promise<OwnerPoint | null>;
  /** For the program of a child: whether selectors lead into it. */
  leadsInto(frameElement: object, steps: readonly FrameStep[], nonces: readonly string[]): Promise<boolean>;
  /** For the program of a child, before it acts: watch here too, and stop a pointer event that misses the child's frame. */
  watchDocument(owner: ActionToken, isPointerChecked: boolean, scope: WatchScope): void;
  /** Gives a control a value, or chooses options by label, value or `index=n`: by keys that the caller is to press, or else by script. */
  beginChange(change: ControlChange): ChangeBegun;
  /** After the keys: makes sure that the control has the value; with `isGivenUp` it only stops looking. */
  endChange(token: number, isGivenUp: boolean): ValueSet;
  /** Keeps a part of a file's bytes, as base64, until `setFiles`. */
  receiveBytes(bytesId: number, base64: string): void;
  /** Puts files into a file input with the events of a person's choice. */
  setFiles(ref: number, files: readonly SentFile[]): ValueSet;
  /** Waits until a file input has other files than when this is called. */
  awaitFiles(options: FilesWait): Promise<void>;
  /** From now on keys reach what has the focus alone, these and in this order, until `endKeys`. */
  beginKeysAtFocus(token: number, strokes: readonly KeyStroke[]): void;
  /** The same for an element. */
  beginTyping(token: number, ref: number, strokes: readonly KeyStroke[]): void;
  /** Waits for the first `awaited` keys of the sequence, or until no more arrive. */
  keysLeft(token: number, awaited: number): Promise<KeysLeft>;
  endKeys(token: number): void;
  /** The keys of an action are meant for another document: none is heard of here until `openToKeys`. */
  closeToKeys(token: number): void;
  openToKeys(token: number): void;
  /** For the program of a child that the page made just now: the actions whose keys it is not to hear of. */
  keysUnderWay(): readonly number[];
  /** Puts text in where the focus of this document is. */
  insertAtFocus(text: string): void;
  settle(options: SettleOptions): Promise<SettleReport>;
  /** Waits until the page has changed again after text was typed, when the text has not brought anything yet. */
  awaitSuggestions(options: SuggestionWait): Promise<SuggestionState>;
  /** Milliseconds for which nothing has changed since an action was over, but for motion that is not awaited; 0 when it is not known, or when something moves. */
  quietDuration(motion: MotionAwaited): number;
  /** Watches for the effects of input that is sent to a point of this document, or else to what has the focus; `settle` tells them. */
  armAt(owner: ActionToken, point: Point | null, isWheel: boolean): void;
  /** Watches what becomes of this document while something is done in another one; `otherFrameEffects` ends it. */
  watchOtherFrame(owner: ActionToken): void;
  /** What was seen since. */
  otherFrameEffects(token: number): Promise<OtherFrameReport>;
  /** Nothing is done now, unless an action is under way: what changes in this document is its own doing. */
  restOtherFrame(): Promise<void>;
  /** Reads one fact of an element that it waits for. */
  read(
    target: ElementTarget,
    fact: ElementFact,
    limit?: WaitLimit,
  ): Promise<FactRead | Exclude<Resolution, { kind: 'element' }> | Unexplored>;
  /** Does what a script does to an element that it waits for. */
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
  /** Makes the document look as a picture is to show it, and tells which elements show a secret. */
  dress(dressing: ScreenshotChanges): Promise<PictureFacts>;
  /** Takes back what `dress` did. */
  undress(): void;
  /** Paints boxes, in pixels of the picture, over a picture; answers the picture as base64 text. */
  paintBoxes(picture: EncodedPicture, boxes: readonly Box[], color: string): Promise<string>;
  /** Waits until the document was painted. */
  painted(): Promise<void>;
  /** The ref of an element that comes as a handle. */
  refOf(element: object): number;
  /** Lets the document open no sockets from the moment that it is left; null takes that back. */
  guardPageHide(bounds: SocketBounds | null): void;
  /** Sees to it that drags are noticed, also in a document that was written anew in place and lost its listeners so. */
  watchDrags(): void;
  /** Whether the document takes what was dragged over it last. */
  takesDrop(): boolean;
  /** Whether the browser itself drags something out of the document now. */
  isDragging(): boolean;
  /** What has come to the document that something is to be dropped in since this was asked last; nothing when it is asked first. */
  underDrag(): UnderDrag;
  /** A point of this viewport in that of a frame it holds; null when it does not hold the frame. */
  pointInFrame(frameId: string, point: Point): Point | null;
  /** Whether the mouse moves over the document within this many milliseconds. */
  pointerMoved(patience: number): Promise<boolean>;
  /** Waits for the mouse events that follow a finger's tap, unless the page prevents them. */
  tapped(owner: ActionToken): Promise<void>;
  /** Ends a wait early. */
  cancel(waitId: number): void;
}
