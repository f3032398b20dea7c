import type { WireNode } from '../../contract.ts';
import { flatParent } from '../../tree/composed-tree.ts';
import type { Level } from '../level.ts';
import { InlineLinks, LineList } from '../lines/line-list.ts';
import { childrenOf } from '../lines/wire-line.ts';

/** Collects lines outside an open modal dialog. They cannot be used until the dialog closes. */
export class BehindModal {
  readonly #modal: Element;
  readonly #around = new Set<Element>();
  readonly #list = new LineList(false, new InlineLinks());

  constructor(modal: Element) {
    this.#modal = modal;
    for (let node = flatParent(modal); node; node = flatParent(node)) this.#around.add(node);
  }

  /** Returns the list for an outermost element outside the dialog; `null` for other elements. */
  listFor(element: Element): LineList | null {
    if (element === this.#modal || this.#around.has(element)) return null;
    const parent = flatParent(element);
    return parent !== null && this.#around.has(parent) ? this.#list : null;
  }

  /** Returns where to add text in an ancestor of the dialog; `null` for other elements. */
  textPlace({ visit, inside }: Level): Pick<Level, 'list' | 'visit' | 'inside'> | null {
    return this.#around.has(visit.element) ? { list: this.#list, visit, inside } : null;
  }

  get lineCount(): number {
    this.#list.breakText();
    let count = 0;
    const waiting: (readonly WireNode[])[] = [this.#list.lines];
    for (let lines = waiting.pop(); lines; lines = waiting.pop()) {
      count += lines.length;
      for (const line of lines) if (typeof line !== 'string') waiting.push(childrenOf(line));
    }
    return count;
  }
}
