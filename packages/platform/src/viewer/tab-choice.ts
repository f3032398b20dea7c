import type { ShownTab } from '../view/view-wire.ts';
import { element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';

/** Which page of the browser is looked at. */
export class TabChoice {
  readonly element = element('select', { 'aria-label': 'Page' });
  readonly #options = new KeyedList(this.element);

  constructor(onChoose: (tab: string) => void) {
    this.element.addEventListener('change', () => onChoose(this.element.value));
  }

  /** Shows which pages there are, and which of them is looked at. */
  show(tabs: readonly ShownTab[], shown: string | undefined): void {
    this.#options.show(
      tabs.map((tab) => {
        const name = nameOf(tab);
        return { key: tab.id, state: name, make: () => element('option', { value: tab.id }, name) };
      }),
    );
    this.element.disabled = tabs.length === 0;
    if (shown !== undefined && this.element.value !== shown) this.element.value = shown;
  }
}

/** A page as it is called. */
export function nameOf({ title, url, isCrashed }: ShownTab): string {
  return `${title || url || 'Untitled'}${isCrashed ? ' (crashed)' : ''}`;
}
