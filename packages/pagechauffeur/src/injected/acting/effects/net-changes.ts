import { attributeOf, isConnected } from '../../native.ts';

/** With more mutations than this, a comparison would be slow, and some change very probably remains. */
const COMPARED_NODES = 500;

/**
 * Counts the changes that last. An attribute that was set back, or a node that was added and removed again, does not
 * count.
 */
export class NetChanges {
  readonly #attributes = new Map<Element, Map<string, string | null>>();
  readonly #texts = new Map<Text, string | null>();
  readonly #added = new Set<Node>();
  readonly #removed = new Set<Node>();
  #notes = 0;

  note({ type, target, attributeName, oldValue, addedNodes, removedNodes }: MutationRecord): void {
    this.#notes += 1;
    if (this.#notes > COMPARED_NODES) return;
    if (type === 'attributes' && target instanceof Element && attributeName !== null)
      noteFirst(attributesIn(this.#attributes, target), attributeName, oldValue);
    else if (type === 'characterData' && target instanceof Text) noteFirst(this.#texts, target, oldValue);
    else if (!isSame(addedNodes, removedNodes)) this.#noteNodes(addedNodes, removedNodes);
  }

  get count(): number {
    if (this.#notes > COMPARED_NODES) return this.#notes;
    let count = 0;
    for (const [element, before] of this.#attributes)
      for (const [name, value] of before) if (isConnected(element) && attributeOf(element, name) !== value) count += 1;
    for (const [text, before] of this.#texts) if (isConnected(text) && text.data !== before) count += 1;
    for (const node of this.#added) if (isConnected(node)) count += 1;
    return count + this.#removed.size;
  }

  /** Yields each element with the attribute values from before. */
  *changedAttributes(): Generator<{ element: Element; before: ReadonlyMap<string, string | null> }> {
    for (const [element, before] of this.#attributes) if (isConnected(element)) yield { element, before };
  }

  #noteNodes(added: NodeList, removed: NodeList): void {
    for (const node of removed) if (!this.#added.delete(node)) this.#removed.add(node);
    for (const node of added) this.#added.add(node);
  }
}

function noteFirst<K>(before: Map<K, string | null>, key: K, value: string | null): void {
  if (!before.has(key)) before.set(key, value);
}

function attributesIn(all: Map<Element, Map<string, string | null>>, element: Element): Map<string, string | null> {
  let attributes = all.get(element);
  if (!attributes) all.set(element, (attributes = new Map<string, string | null>()));
  return attributes;
}

/** True if the page replaced nodes with equal ones. */
function isSame(added: NodeList, removed: NodeList): boolean {
  if (added.length !== removed.length) return false;
  return Array.from(added).every((node, index) => Node.prototype.isEqualNode.call(node, removed[index] ?? null));
}
