import type { MotionAwaited, SettleReport, WatchScope } from '../contract.ts';
import { composedParent } from '../composed-tree.ts';
import { duringReading } from '../memo.ts';
import {
  attributeOf,
  contains,
  hasAttribute,
  isConnected,
  isContentEditable,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  scrollLeftOf,
  scrollTopOf,
  textContentOf,
} from '../native.ts';
import { roleOf } from '../role.ts';
import { isVisible } from '../visibility.ts';
import { isBackground, RestingTime } from './background.ts';
import { shownText, titleOf } from './element-title.ts';
import { GapObserver } from './gap-observer.ts';
import { Growth } from './growth.ts';
import type { HiddenParts } from './hidden-parts.ts';
import { flushMutations, watchedRoots, watchMutations } from './mutation-watch.ts';
import { MutationFilter } from './meaningful-mutations.ts';
import { NetChanges } from './net-changes.ts';
import { News } from './news.ts';
import { invalidFields } from './invalid-fields.ts';
import { isOverlay, overlayIn, Replaced, revealedBy } from './overlay.ts';
import { ScrollWatch } from './scroll.ts';
import { SelectionWatch } from './selected-text.ts';
import { checkedStateOf } from './subject.ts';
import { focusedElement } from './text-entry.ts';
import { scrollingElement } from '../native-document.ts';

/** The parts of a settle report that compare the page before and after the action. */
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

/** Candidates for popups and live regions; `isPopup` and `isLiveRegion` check their attributes. */
const NOTABLE = 'dialog, output, [role], [popover], [aria-live], [aria-modal="true"]';
const POPUP_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip']);
const LIVE_ROLES: ReadonlySet<string> = new Set(['alert', 'status', 'log']);
/** Elements with such a class count as live regions even without a role. */
const TOASTS = '[class*="toast" i], [class*="snackbar" i]';
/** Maximum number of added elements that a watch keeps. */
const KEPT_ELEMENTS = 200;
const TEXTS = 5;

interface WatchSettings {
  /** What to observe. A wider scope takes longer before the action. */
  readonly scope: WatchScope;
  /** The focused element before the action was prepared. */
  readonly focusedBefore?: Element | null;
  /** Parts of the page that were hidden before the action was prepared. */
  readonly hidden?: HiddenParts | undefined;
}

/** Observes the effects of an action on the page. Created right before the action and read after it. */
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
  /** Nodes that the page changes by itself. */
  readonly #background = new Set<Node>();
  readonly #filter = new MutationFilter();
  readonly #changes = new NetChanges();
  readonly #gap: GapObserver;
  readonly #scrolling: ScrollWatch | null;
  readonly #selection: SelectionWatch | null;
  readonly #stopWatching: () => void;
  readonly #isReported: boolean;
  readonly #growth = new Growth();
  readonly #followers = new Set<News>();
  #lastNews = performance.now();
  #lastGrowth = this.#lastNews;
  readonly #restingTime = new RestingTime();
  #isPageSettled = false;
  #isStopped = false;

  /** Starts to watch. The target may already have received focus. Only the scope `effects` searches the whole page. */
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
    // A text field scrolls while text is typed, which is no effect.
    this.#scrolling = isReported && target && !isTextField(target) ? new ScrollWatch(target) : null;
    this.#stopWatching =
      scope === 'nothing' ? nothing : watchMutations((records, outermost) => this.#note(records, outermost));
    const { popups, liveRegions } = isReported ? duringReading(notableElements) : NOTHING_NOTABLE;
    this.#popups = new Set(popups);
    this.#liveTexts = new Map(liveRegions.map((element) => [element, shownText(element)]));
  }

  /**
   * Collects changes for a wait, which must close the result. While the wait is open, the watch stays active after the
   * action.
   */
  follow(): News {
    const news = new News((closed) => {
      this.#followers.delete(closed);
      this.#endWhenUnused();
    });
    this.#followers.add(news);
    return news;
  }

  /**
   * Milliseconds since the last change; 0 before the page settled. Growing elements count only if `motion` is `all`.
   */
  quietDuration(motion: MotionAwaited = 'all'): number {
    flushMutations();
    const last = motion === 'all' ? Math.max(this.#lastNews, this.#lastGrowth) : this.#lastNews;
    return this.#isPageSettled ? performance.now() - last : 0;
  }

  /** True if the target or anything observed by mutations changed. Does not search the page. */
  hasSeenEffect(): boolean {
    return this.#changes.count > 0 || this.#hasTargetChanged();
  }

  /** True if a popup opened, or if an element with text was added outside the target, such as a list of suggestions. */
  hasBrought(): boolean {
    flushMutations();
    const target = this.#target;
    const isElsewhere = (element: Element): boolean => target === null || !contains(target, element);
    if ([...this.#added].some((element) => isElsewhere(element) && saysSomething(element))) return true;
    const { popups } = duringReading(notableElements);
    return popups.some((popup) => !this.#popups.has(popup)) || this.#revealed() !== undefined;
  }

  /** True if removed content has not been replaced, or if the page shows a loading indicator. */
  hasGap(): boolean {
    return this.#gap.isOpen();
  }

  /** True if the action has a target in this document. */
  get hasTarget(): boolean {
    return this.#target !== null;
  }

  /** Loading indicators that appeared since the watch began. */
  get loadingSigns(): readonly Element[] {
    return this.#gap.signs;
  }

  /** Returns the differences since the watch began. */
  effects(): Effects {
    return this.#isReported ? duringReading(() => this.#compare()) : this.#directEffects();
  }

  /** Marks the page as settled. Later changes count as the page's own, unless `goOn` is called. */
  rest(): void {
    this.#isPageSettled = true;
  }

  /** Marks the action as still in progress. Changes since `rest` do not count as the page's own. */
  goOn(): void {
    this.#isPageSettled = false;
    this.#restingTime.forget();
  }

  stop(): void {
    flushMutations();
    this.#isStopped = true;
    this.#restingTime.learn();
    this.#isPageSettled = false;
    this.#endWhenUnused();
  }

  #endWhenUnused(): void {
    if (this.#isStopped && this.#followers.size === 0) this.#stopWatching();
  }

  /** Returns the effects that can be read without searching the page. */
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

  /**
   * True if focus moved away from the target. A click also focuses its button, which is no effect; focus in a text
   * field is one.
   */
  #isElsewhere(focused: Element): boolean {
    const target = this.#target;
    if (isTextField(focused) || target === null) return true;
    return !contains(target, focused) && !contains(focused, target);
  }

  #note(records: readonly MutationRecord[], outermost: ReadonlySet<Element>): void {
    if (this.#isPageSettled) this.#restingTime.note(records);
    for (const record of records) {
      if (!this.#filter.isMeaningful(record)) continue;
      if (isBackground(record)) {
        this.#background.add(record.target);
        continue;
      }
      this.#changes.note(record);
      this.#replaced.note(record);
      this.#gap.note(record);
      this.#noteNews(this.#growth.goesOn(record));
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
    for (const news of this.#followers) news.note(isGrowth);
  }

  /** Returns the number of popovers that the browser closed, because closing one causes no mutation. */
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
    return [...texts].slice(0, TEXTS);
  }
}

/**
 * True if the element is visible with letters or digits. Excludes icons such as the "×" of a clear button. Options of a
 * `datalist` count, because the browser renders them.
 */
function saysSomething(element: Element): boolean {
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

/** Returns the popups and live regions that are visible now. */
function notableElements(): NotableElements {
  const found = [...watchedRoots()].flatMap((root) => queryAll(root, NOTABLE));
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

/** Returns the state of the element that an action may change directly. */
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

// Returns the element that a click may expand: the target or its nearest ancestor that is collapsed now.
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

/** Returns the focused element; null if the document itself has the focus. */
function elementInFocus(): Element | null {
  const focused = focusedElement();
  return focused === null || ['body', 'html'].includes(localNameOf(focused)) ? null : focused;
}

function isTextField(element: Element): boolean {
  if (element instanceof HTMLInputElement) return !UNTYPED.has(element.type);
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && isContentEditable(element));
}

/** Input types without text. */
const UNTYPED: ReadonlySet<string> = new Set(
  'button checkbox color file hidden image radio range reset submit'.split(' '),
);
