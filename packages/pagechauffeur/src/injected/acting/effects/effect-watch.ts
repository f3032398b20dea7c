import type { MotionAwaited, SettleReport, WatchScope } from '../../contract.ts';
import { composedParent } from '../../tree/composed-tree.ts';
import { withReadCache } from '../../memo.ts';
import {
  attributeOf,
  contains,
  hasAttribute,
  isConnected,
  isContentEditable,
  localNameOf,
  matches,
  parentElementOf,
  scrollLeftOf,
  scrollTopOf,
  textContentOf,
} from '../../native.ts';
import { roleOf } from '../../aria/role.ts';
import { isVisible } from '../../element/visibility.ts';
import { isBackground, BackgroundLearner } from './background.ts';
import { shownText, titleOf } from '../../element/describe.ts';
import { GapObserver } from './gap-observer.ts';
import { Growth } from './growth.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { flushMutations, WatchedQuery, watchMutations } from './mutation-watch.ts';
import { MutationFilter } from './meaningful-mutations.ts';
import { NetChanges } from './net-changes.ts';
import { invalidFields, SelectionWatch } from './field-effects.ts';
import { isOverlay, overlayIn, Replaced, revealedBy } from './overlay.ts';
import { ScrollWatch } from '../point/scroll.ts';
import { checkedStateOf } from '../subject.ts';
import { focusedElement } from '../input/text-entry.ts';
import { scrollingElement } from '../../native-document.ts';

/** The part of a settle report that comes from `EffectWatch`. */
export type Effects = Pick<
  SettleReport,
  | 'mutations'
  | 'targetChanged'
  | 'checked'
  | 'opened'
  | 'announced'
  | 'focused'
  | 'focusMoved'
  | 'scrolled'
  | 'selected'
  | 'invalid'
>;

/** Matches more than popups and live regions: `isPopup` and `isLiveRegion` check each match. */
const NOTABLE = new WatchedQuery('dialog, output, [role], [popover], [aria-live], [aria-modal="true"]', [
  'role',
  'popover',
  'aria-live',
  'aria-modal',
]);
const POPUP_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip']);
const LIVE_ROLES: ReadonlySet<string> = new Set(['alert', 'status', 'log']);
/** Toasts count as live regions even without a role. */
const TOASTS = '[class*="toast" i], [class*="snackbar" i]';
const KEPT_ELEMENTS = 200;
const MAX_ANNOUNCED = 5;

interface WatchSettings {
  /** `effects` takes longer, because it searches the page before the action. */
  readonly scope: WatchScope;
  /** Set for `focus` actions: the element that had focus before the action. */
  readonly focusedBefore?: Element | null;
  /** Created before the action is prepared, because focus may already reveal elements. */
  readonly hidden?: HiddenParts | undefined;
}

/** Observes what an action changes. Create it right before the action; `effects` compares with that moment. */
export class EffectWatch {
  readonly #target: Element | null;
  readonly #targetState: string;
  readonly #expanded: Element | null;
  readonly #focused: Element | null;
  readonly #popups: ReadonlySet<Element>;
  readonly #liveTexts: ReadonlyMap<Element, string>;
  readonly #hidden: HiddenParts | undefined;
  readonly #added = new Set<Element>();
  readonly #replaced = new Replaced();
  /** Nodes that change while no action runs, such as clocks. */
  readonly #background = new Set<Node>();
  readonly #filter = new MutationFilter();
  readonly #changes = new NetChanges();
  readonly #gap: GapObserver;
  readonly #scrolling: ScrollWatch | null;
  readonly #selection: SelectionWatch | null;
  readonly #stopWatching: () => void;
  readonly #isReported: boolean;
  readonly #growth = new Growth();
  readonly #followers = new Set<ChangeTracker>();
  #lastNews = performance.now();
  #lastGrowth = this.#lastNews;
  readonly #backgroundLearner = new BackgroundLearner();
  #isPageSettled = false;
  #isStopped = false;

  /** The target may already have focus. Only the scope `effects` searches the whole page. */
  constructor(acted: Element | null, { scope, focusedBefore, hidden }: WatchSettings) {
    const isReported = scope === 'effects';
    const target = scope === 'nothing' ? null : acted;
    this.#target = target;
    this.#isReported = isReported;
    this.#hidden = hidden;
    this.#focused = !isReported || focusedBefore !== undefined ? (focusedBefore ?? null) : elementInFocus();
    this.#targetState = target ? stateOf(target) : '';
    this.#expanded = isReported && target ? collapsedPart(target) : null;
    this.#gap = new GapObserver(isReported ? target : null);
    this.#selection = isReported ? new SelectionWatch() : null;
    // Typing scrolls a text field, which is no effect.
    this.#scrolling = isReported && target && !isTextField(target) ? new ScrollWatch(target) : null;
    this.#stopWatching =
      scope === 'nothing' ? nothing : watchMutations((records, outermost) => this.#note(records, outermost));
    const { popups, liveRegions } = isReported ? withReadCache(notableElements) : NOTHING_NOTABLE;
    this.#popups = new Set(popups);
    this.#liveTexts = new Map(liveRegions.map((element) => [element, shownText(element)]));
  }

  /**
   * Returns the changes from now on. The caller must close the result: until then, the watch stays active even if the
   * action ends.
   */
  follow(): ChangeTracker {
    const tracker = new ChangeTracker((closed) => {
      this.#followers.delete(closed);
      this.#endWhenUnused();
    });
    this.#followers.add(tracker);
    return tracker;
  }

  /**
   * Milliseconds since the last change; 0 before `rest` is called. Growing elements count only if `motion` is `all`.
   */
  quietDuration(motion: MotionAwaited = 'all'): number {
    flushMutations();
    const last = motion === 'all' ? Math.max(this.#lastNews, this.#lastGrowth) : this.#lastNews;
    return this.#isPageSettled ? performance.now() - last : 0;
  }

  /** Checks only the target and the recorded mutations, without searching the page. */
  hasSeenEffect(): boolean {
    return this.#changes.count > 0 || this.#hasTargetChanged();
  }

  /** True if a popup or overlay opened, or if text was added outside the target, such as a list of suggestions. */
  hasAddedContent(): boolean {
    flushMutations();
    const target = this.#target;
    const isElsewhere = (element: Element): boolean => target === null || !contains(target, element);
    if ([...this.#added].some((element) => isElsewhere(element) && hasReadableText(element))) return true;
    const { popups } = withReadCache(notableElements);
    return popups.some((popup) => !this.#popups.has(popup)) || this.#revealed() !== undefined;
  }

  /** True while removed content has no replacement, or while a loading indicator is visible. */
  hasGap(): boolean {
    return this.#gap.isOpen();
  }

  get hasTarget(): boolean {
    return this.#target !== null;
  }

  get loadingIndicators(): readonly Element[] {
    return this.#gap.indicators;
  }

  effects(): Effects {
    return this.#isReported ? withReadCache(() => this.#compare()) : this.#directEffects();
  }

  /** Call when the page has settled. Later changes count as background, unless `resume` is called. */
  rest(): void {
    this.#isPageSettled = true;
  }

  /** Call when the action continues after `rest`. Changes since then do not count as background. */
  resume(): void {
    this.#isPageSettled = false;
    this.#backgroundLearner.forget();
  }

  stop(): void {
    flushMutations();
    this.#isStopped = true;
    this.#backgroundLearner.learn();
    this.#isPageSettled = false;
    this.#endWhenUnused();
  }

  #endWhenUnused(): void {
    if (this.#isStopped && this.#followers.size === 0) this.#stopWatching();
  }

  #directEffects(): Effects {
    const target = this.#target;
    const checked = target && isConnected(target) ? checkedStateOf(target) : undefined;
    return {
      mutations: this.#changes.count,
      targetChanged: this.#hasTargetChanged(),
      ...(checked !== undefined && { checked }),
      announced: [],
      focusMoved: false,
    };
  }

  #compare(): Effects {
    const { popups, liveRegions } = notableElements();
    const shown = this.#hidden?.shown(this.#background) ?? [];
    const opened = this.#opened(popups, shown);
    const focused = elementInFocus();
    const direct = this.#directEffects();
    const scrolled = this.#scrolling?.percentIfMoved();
    const selected = this.#selection?.newText();
    const invalid = invalidFields();
    return {
      ...direct,
      ...(scrolled !== undefined && { scrolled }),
      ...(selected !== undefined && { selected }),
      ...(invalid && { invalid }),
      mutations: direct.mutations + shown.length + this.#closed(popups),
      ...(opened !== null && { opened }),
      announced: this.#announced(liveRegions),
      ...(focused !== null &&
        focused !== this.#focused && {
          focused: {
            title: titleOf(focused, roleOf(focused)),
            isTarget: this.#target !== null && contains(this.#target, focused),
          },
        }),
      focusMoved: focused !== null && focused !== this.#focused && this.#isElsewhere(focused),
    };
  }

  #hasTargetChanged(): boolean {
    return this.#target !== null && stateOf(this.#target) !== this.#targetState;
  }

  /** A click also focuses its button, which is no effect. Focus in a text field always is one. */
  #isElsewhere(focused: Element): boolean {
    const target = this.#target;
    if (isTextField(focused) || target === null) return true;
    return !contains(target, focused) && !contains(focused, target);
  }

  #note(records: readonly MutationRecord[], outermost: ReadonlySet<Element>): void {
    if (this.#isPageSettled) this.#backgroundLearner.note(records);
    for (const record of records) {
      if (!this.#filter.isMeaningful(record)) continue;
      if (isBackground(record)) {
        this.#background.add(record.target);
        continue;
      }
      this.#changes.note(record);
      this.#replaced.note(record);
      this.#gap.note(record);
      this.#noteNews(this.#growth.isContinued(record));
      for (const node of record.addedNodes) if (node instanceof Element) this.#noteAdded(node, outermost);
    }
  }

  #noteAdded(element: Element, outermost: ReadonlySet<Element>): void {
    if (outermost.has(element)) this.#gap.noteAdded(element);
    if (this.#added.size < KEPT_ELEMENTS) this.#added.add(element);
  }

  #noteNews(isGrowth: boolean): void {
    const now = performance.now();
    if (isGrowth) this.#lastGrowth = now;
    else this.#lastNews = now;
    for (const tracker of this.#followers) tracker.note(isGrowth);
  }

  /** Counts popovers that the browser closed, because that causes no mutation. */
  #closed(popups: readonly Element[]): number {
    return [...this.#popups].filter((popup) => hasAttribute(popup, 'popover') && !popups.includes(popup)).length;
  }

  #opened(popups: readonly Element[], shown: readonly Element[]): string | null {
    const popup = popups.findLast((element) => !this.#popups.has(element));
    if (popup) return titleOf(popup, roleOf(popup) === 'generic' ? 'popup' : roleOf(popup));
    const overlay = this.#addedOverlay() ?? this.#revealed() ?? overlayIn(shown);
    if (overlay) return titleOf(overlay, 'popup');
    const expanded = this.#expanded;
    return expanded && isConnected(expanded) && isExpanded(expanded) ? titleOf(expanded, roleOf(expanded)) : null;
  }

  #addedOverlay(): Element | undefined {
    return [...this.#added].find(
      (element) => isOverlay(element, this.#outermostAdded(element)) && !this.#isReplacement(element),
    );
  }

  #outermostAdded(element: Element): Element {
    let outermost = element;
    for (let node = composedParent(element); node; node = composedParent(node))
      if (this.#added.has(node)) outermost = node;
    return outermost;
  }

  #revealed(): Element | undefined {
    for (const { element, before } of this.#changes.changedAttributes()) {
      const revealed = revealedBy(element, before);
      if (revealed && !this.#hidden?.wasShown(revealed) && !this.#isReplacement(revealed)) return revealed;
    }
    return undefined;
  }

  #isReplacement(element: Element): boolean {
    const changed = new Set([...this.#changes.changedAttributes()].map((change) => change.element));
    return this.#replaced.isReplacedBy(element, changed);
  }

  #announced(liveRegions: readonly Element[]): string[] {
    const texts = new Set<string>();
    const toasts = [...this.#added].filter((element) => matches(element, TOASTS) && isVisible(element));
    for (const region of [...liveRegions, ...toasts]) {
      const text = shownText(region);
      if (text !== '' && text !== this.#liveTexts.get(region)) texts.add(text);
    }
    return [...texts].slice(0, MAX_ANNOUNCED);
  }
}

/**
 * An icon such as the "×" of a clear button has no readable text. The options of a `datalist` do, because the browser
 * renders them.
 */
function hasReadableText(element: Element): boolean {
  if (!isConnected(element)) return false;
  if (localNameOf(element) === 'option') return true;
  return isVisible(element) && /[\p{L}\p{N}]/u.test(shownText(element));
}

interface NotableElements {
  readonly popups: readonly Element[];
  readonly liveRegions: readonly Element[];
}

function nothing(): void {
  return undefined;
}

const NOTHING_NOTABLE: NotableElements = { popups: [], liveRegions: [] };

function notableElements(): NotableElements {
  const found = NOTABLE.elements();
  return {
    popups: found.filter((element) => isPopup(element) && isVisible(element)),
    liveRegions: found.filter((element) => isLiveRegion(element) && isVisible(element)),
  };
}

function isPopup(element: Element): boolean {
  return (
    POPUP_ROLES.has(attributeOf(element, 'role') ?? '') ||
    element instanceof HTMLDialogElement ||
    hasAttribute(element, 'popover') ||
    attributeOf(element, 'aria-modal') === 'true'
  );
}

function isLiveRegion(element: Element): boolean {
  const live = attributeOf(element, 'aria-live');
  if (live !== null) return live === 'polite' || live === 'assertive';
  return LIVE_ROLES.has(attributeOf(element, 'role') ?? '') || element instanceof HTMLOutputElement;
}

/** Returns the state of the element that an action can change, as a string to compare. */
function stateOf(element: Element): string {
  const subject = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
  const facts: unknown[] = [scrollTopOf(subject), scrollLeftOf(subject), scrolledBy()];
  if (subject instanceof HTMLInputElement)
    facts.push(subject.value, subject.checked, subject.indeterminate, subject.files?.length);
  if (subject instanceof HTMLTextAreaElement) facts.push(subject.value);
  if (subject instanceof HTMLSelectElement)
    facts.push(...Array.from(subject.selectedOptions, (option) => option.index));
  if (subject instanceof HTMLElement && isContentEditable(subject)) facts.push(textContentOf(subject));
  facts.push(detailsOf(subject)?.open);
  for (const name of [
    'aria-expanded',
    'aria-pressed',
    'aria-checked',
    'aria-selected',
    'aria-valuenow',
    'aria-current',
  ])
    facts.push(attributeOf(subject, name));
  return JSON.stringify(facts);
}

// A click may expand the target, or the nearest ancestor that is collapsed now.
function collapsedPart(target: Element): Element | null {
  for (let node: Element | null = target; node; node = composedParent(node)) {
    if (attributeOf(node, 'aria-expanded') === 'false') return node;
    if (localNameOf(node) === 'summary' && detailsOf(node)?.open === false) return node;
  }
  return null;
}

function isExpanded(element: Element): boolean {
  return attributeOf(element, 'aria-expanded') === 'true' || detailsOf(element)?.open === true;
}

function detailsOf(element: Element): HTMLDetailsElement | null {
  const parent = parentElementOf(element);
  return parent instanceof HTMLDetailsElement ? parent : null;
}

function scrolledBy(): number {
  const scroller = scrollingElement();
  return scroller ? scrollTopOf(scroller) : 0;
}

/** Returns null if focus is on the document itself. */
function elementInFocus(): Element | null {
  const focused = focusedElement();
  return focused === null || ['body', 'html'].includes(localNameOf(focused)) ? null : focused;
}

function isTextField(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !UNTYPED.has(element.type);
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && isContentEditable(element));
}

/** Input types that take no text. */
const UNTYPED: ReadonlySet<string> = new Set(
  'button checkbox color file hidden image radio range reset submit'.split(' '),
);

/** Changes that one caller of `EffectWatch.follow` has not read yet. */
export class ChangeTracker {
  readonly #close: (tracker: ChangeTracker) => void;
  #hasChanged = false;
  #hasGrown = false;

  constructor(close: (tracker: ChangeTracker) => void) {
    this.#close = close;
  }

  /** True if something changed since the last call. Growing elements count only if `motion` is `all`. */
  take(motion: MotionAwaited = 'all'): boolean {
    const hasChanged = this.#hasChanged || (motion === 'all' && this.#hasGrown);
    this.#forget();
    return hasChanged;
  }

  /** Discards all changes so far, including mutations that are not delivered yet. */
  forget(): void {
    flushMutations();
    this.#forget();
  }

  note(isGrowth: boolean): void {
    if (isGrowth) this.#hasGrown = true;
    else this.#hasChanged = true;
  }

  close(): void {
    this.#close(this);
  }

  #forget(): void {
    [this.#hasChanged, this.#hasGrown] = [false, false];
  }
}
