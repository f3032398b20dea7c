import type { ShownTab } from '../view/view-wire.ts';
import { element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';

/** Menu of the browser's pages. */
export class TabChoice {
  readonly element = element('select', { 'aria-label': 'Page' });
  readonly #options = new KeyedList(this.element);

  constructor(onChoose: (tab: string) => void) {
    this.element.addEventListener('change', () => onChoose(this.element.value));
  }

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

/** Falls back to the URL if the title is empty. */
export function nameOf({ title, url, isCrashed }: ShownTab): string {
  return `${title || url || 'Untitled'}${isCrashed ? ' (crashed)' : ''}`;
}
