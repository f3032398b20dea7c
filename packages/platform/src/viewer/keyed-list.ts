export interface ListItem {
  readonly key: string;
  /** The element is reused until this value changes. */
  readonly state: string;
  readonly make: () => HTMLElement;
}

/** Renders a changing list and keeps the elements of unchanged items, with their focus and selection. */
export class KeyedList {
  readonly #parent: Element;
  readonly #shownByKey = new Map<string, { state: string; element: HTMLElement }>();

  constructor(parent: Element) {
    this.#parent = parent;
  }

  /** Shows exactly these items in this order. */
  show(items: readonly ListItem[]): void {
    const keys = new Set(items.map(({ key }) => key));
    for (const [key, { element }] of this.#shownByKey) {
      if (keys.has(key)) continue;
      element.remove();
      this.#shownByKey.delete(key);
    }
    for (const [index, item] of items.entries()) {
      const element = this.#elementOf(item);
      const existing = this.#parent.children[index];
      if (existing !== element) this.#parent.insertBefore(element, existing ?? null);
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

/** Focuses the same control in the new element if the old one had the focus. */
function replace(old: HTMLElement, element: HTMLElement): void {
  const { activeElement } = document;
  const index = reached(old).findIndex((control) => control === activeElement);
  old.replaceWith(element);
  reached(element)[index]?.focus();
}

function reached(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('a, button')];
}
