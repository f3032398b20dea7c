import type { SettleReport } from '../contract.ts';
import { composedParent } from '../composed-tree.ts';
import { isFocusable } from '../focusable.ts';
import { duringReading } from '../memo.ts';
import { nameOf } from '../name.ts';
import {
  attributeOf,
  hasAttribute,
  isConnected,
  isContentEditable,
  localNameOf,
  matches,
  parentElementOf,
  queryAll,
  renderedTextOf,
  scrollLeftOf,
  scrollTopOf,
  textContentOf,
} from '../native.ts';
import { roleOf } from '../role.ts';
import { isVisible } from '../visibility.ts';
import { watchedRoots, watchMutations } from './mutation-watch.ts';
import { MutationFilter } from './meaningful-mutations.ts';
import { focusedElement } from './text-entry.ts';
import { scrollingElement } from '../native-document.ts';

/** The facts of a settle report that come from comparing before and after. */
export type Effects = Pick<SettleReport, 'mutations' | 'targetChanged' | 'opened' | 'announced' | 'focusMoved'>;

/** Everything that may be a popup or a live region; what it is then, is told by attributes. */
const NOTABLE = 'dialog, output, [role], [popover], [aria-live], [aria-modal="true"]';
const POPUP_ROLES: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip']);
const LIVE_ROLES: ReadonlySet<string> = new Set(['alert', 'status', 'log']);
/** What is added under such a class says something, also without a role. */
const TOASTS = '[class*="toast" i], [class*="snackbar" i]';
/** Elements that a watch keeps to look at when it ends. */
const KEPT_ELEMENTS = 200;
const TEXT_LENGTH = 200;
const TEXTS = 5;

/** Sees what an action does to the page: made right before it, asked after it. */
export class EffectWatch {
  readonly #target: Element | null;
  readonly #targetState: string;
  readonly #expanded: Element | null;
  readonly #focused: Element | null = focusedElement();
  readonly #popups: ReadonlySet<Element>;
  readonly #liveTexts: ReadonlyMap<Element, string>;
  readonly #added = new Set<Element>();
  readonly #filter = new MutationFilter();
  readonly #stopWatching: () => void;
  readonly #isReported: boolean;
  #mutations = 0;
  #hasNews = false;

  constructor(target: Element | null, isReported: boolean) {
    this.#target = target;
    this.#isReported = isReported;
    this.#targetState = target ? stateOf(target) : '';
    this.#expanded = target && collapsedPart(target);
    this.#stopWatching = watchMutations((records) => this.#note(records));
    const { popups, liveRegions } = isReported ? duringReading(notableElements) : NOTHING_NOTABLE;
    this.#popups = new Set(popups);
    this.#liveTexts = new Map(liveRegions.map((element) => [element, shownText(element)]));
  }

  /** Whether a meaningful mutation came since this was asked last. */
  takeNews(): boolean {
    const hadNews = this.#hasNews;
    this.#hasNews = false;
    return hadNews;
  }

  /** Whether anything is different from when the watch began, as far as that shows without looking at the whole page. */
  hasSeenEffect(): boolean {
    return this.#mutations > 0 || this.#hasTargetChanged();
  }

  /** What is different from when the watch began. */
  effects(): Effects {
    return this.#isReported ? duringReading(() => this.#compare()) : this.#changes();
  }

  stop(): void {
    this.#stopWatching();
  }

  /** What shows without looking at the page. */
  #changes(): Effects {
    return { mutations: this.#mutations, targetChanged: this.#hasTargetChanged(), announced: [], focusMoved: false };
  }

  #compare(): Effects {
    const { popups, liveRegions } = notableElements();
    const opened = this.#opened(popups);
    const focused = focusedElement();
    return {
      ...this.#changes(),
      ...(opened !== null && { opened }),
      announced: this.#announced(liveRegions),
      focusMoved: focused !== this.#focused && focused !== this.#target,
    };
  }

  #hasTargetChanged(): boolean {
    return this.#target !== null && stateOf(this.#target) !== this.#targetState;
  }

  #note(records: readonly MutationRecord[]): void {
    for (const record of records) {
      if (!this.#filter.isMeaningful(record)) continue;
      this.#mutations += 1;
      this.#hasNews = true;
      for (const node of record.addedNodes)
        if (node instanceof Element && this.#added.size < KEPT_ELEMENTS) this.#added.add(node);
    }
  }

  #opened(popups: readonly Element[]): string | null {
    const popup = popups.findLast((element) => !this.#popups.has(element));
    if (popup) return titleOf(popup, roleOf(popup) === 'generic' ? 'popup' : roleOf(popup));
    const floating = [...this.#added].find(isFloating);
    if (floating) return titleOf(floating, 'popup');
    const expanded = this.#expanded;
    return expanded && isConnected(expanded) && isExpanded(expanded) ? titleOf(expanded, roleOf(expanded)) : null;
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

interface NotableElements {
  readonly popups: readonly Element[];
  readonly liveRegions: readonly Element[];
}

const NOTHING_NOTABLE: NotableElements = { popups: [], liveRegions: [] };

/** The popups and live regions that can be seen now. */
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

/** Everything about an element that an action may change directly. */
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

// What a click may expand: the element itself or the nearest one around it that is collapsed now.
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

function isFloating(element: Element): boolean {
  if (!isConnected(element) || !isVisible(element)) return false;
  const { position } = getComputedStyle(element);
  return (position === 'fixed' || position === 'absolute') && [element, ...queryAll(element, '*')].some(isFocusable);
}

function titleOf(element: Element, role: string): string {
  const name = nameOf(element) || shownText(queryAll(element, 'h1, h2, h3, h4, legend')[0] ?? element).slice(0, 60);
  return name === '' ? role : `${role} "${name}"`;
}

function shownText(element: Element): string {
  return renderedTextOf(element).replace(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH);
}
