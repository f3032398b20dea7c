import type { ShownTab } from '../view/view-wire.ts';
import { element } from './dom.ts';
import { KeyedList } from './keyed-list.ts';

/** Selects the shown page of the browser. */
export class TabChoice {
  readonly element = element('select', { 'aria-label': 'Page' });
  readonly #options = new KeyedList(this.element);

  constructor(onChoose: (tab: string) => void) {
    this.element.addEventListener('change', () => onChoose(this.element.value));
  }

  /** Shows the pages and marks the selected one. */
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

/** Display name of a page. */
export function nameOf({ title, url, isCrashed }: ShownTab): string {
  return `${title || url || 'Untitled'}${isCrashed ? ' (crashed)' : ''}`;
}
