/** What stands in a list: which thing it is, what is shown of it, and how. */
export interface ListItem {
  readonly key: string;
  /** As long as it is the same, what was made before stays. */
  readonly state: string;
  readonly make: () => HTMLElement;
}

/**
 * The children of an element, as they come, change and go. What did not change is not touched: whoever has the keyboard there,
 * reads or chooses is not disturbed by what is new around it.
 */
export class KeyedList {
  readonly #parent: Element;
  readonly #shownByKey = new Map<string, { state: string; element: HTMLElement }>();

  constructor(parent: Element) {
    this.#parent = parent;
  }

  /** Shows these and no others, in this order. */
  show(items: readonly ListItem[]): void {
    const keys = new Set(items.map(({ key }) => key));
    for (const [key, { element }] of this.#shownByKey) {
      if (keys.has(key)) continue;
      element.remove();
      this.#shownByKey.delete(key);
    }
    for (const [index, item] of items.entries()) {
      const element = this.#elementOf(item);
      const there = this.#parent.children[index];
      if (there !== element) this.#parent.insertBefore(element, there ?? null);
    }
  }

  #elementOf({ key, state, make }: ListItem): HTMLElement {
    const known = this.#shownByKey.get(key);
    if (known?.state === state) return known.element;
    const element = make();
    this.#shownByKey.set(key, { state, element });
    if (known) replace(known.element, element);
    return element;
  }
}

/** The keyboard stays where it was, as far as that is still there. */
function replace(old: HTMLElement, element: HTMLElement): void {
  const { activeElement } = document;
  const index = reached(old).findIndex((control) => control === activeElement);
  old.replaceWith(element);
  reached(element)[index]?.focus();
}

/** What of it the keyboard can reach. */
function reached(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('a, button')];
}
