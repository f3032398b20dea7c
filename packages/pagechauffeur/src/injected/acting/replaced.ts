import { attributeOf, childrenOf, localNameOf, parentElementOf } from '../native.ts';
import { isVisible } from '../visibility.ts';

/** Maximum number of removed elements to keep for comparison. */
const KEPT = 200;

/** Elements that an action removed or hid. An element that takes the place of one is new content, not a popup. */
export class Replaced {
  readonly #removedByParent = new Map<Node, Element[]>();
  #count = 0;

  /** Records the elements that a mutation removed. */
  note({ target, removedNodes }: MutationRecord): void {
    for (const node of removedNodes) {
      if (!(node instanceof Element) || this.#count >= KEPT) continue;
      this.#count += 1;
      const known = this.#removedByParent.get(target);
      if (known) known.push(node);
      else this.#removedByParent.set(target, [node]);
    }
  }

  /** True if an element of the same kind was removed or hidden in the same parent. `changed` are the elements with changed attributes. */
  isReplacedBy(element: Element, changed: ReadonlySet<Element>): boolean {
    const parent = parentElementOf(element);
    if (parent === null) return false;
    const removed = this.#removedByParent.get(parent) ?? [];
    if (removed.some((other) => isSameKind(other, element))) return true;
    return childrenOf(parent).some((other) => changed.has(other) && isSameKind(other, element) && !isVisible(other));
  }
}

/** True if both elements have the same tag and share a class, or both have none. */
function isSameKind(one: Element, other: Element): boolean {
  if (localNameOf(one) !== localNameOf(other)) return false;
  const [classes, otherClasses] = [classesOf(one), classesOf(other)];
  if (classes.length === 0 || otherClasses.length === 0) return classes.length === otherClasses.length;
  return classes.some((name) => otherClasses.includes(name));
}

function classesOf(element: Element): string[] {
  return (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
}
