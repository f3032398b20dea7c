import { attributeOf, localNameOf, nodeNameOf, parentElementOf, textContentOf } from '../native.ts';

/** Attributes through which a change can be seen; others are bookkeeping. */
const VISIBLE_ATTRIBUTES = new Set(
  (
    'class style hidden disabled open value checked selected src srcset href placeholder title alt type readonly contenteditable inert width height ' +
    'd transform points x y cx cy r fill stroke'
  ).split(' '),
);
/** Attributes of the page's own by which its style sheets tell states apart. */
const STATE_ATTRIBUTE =
  /^data-(?:[\w-]*-)?(?:theme|mode|scheme|state|status|open|opened|active|selected|checked|pressed|expanded|collapsed|show|shown|visible|hidden|disabled|highlighted|current|step|variant|view)$/;
const UNSEEN_TAGS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'head',
  'meta',
  'link',
  'title',
  'noscript',
  'template',
  'base',
]);
/** A node that has changed in the same way this often is a clock, a blinker or the like, and no answer to an action. */
const REPEATS_UNTIL_NOISE = 3;
/** An attribute that has changed this often, whatever the values, is an endless animation by script: 90 frames are 1.5 s. */
const CHANGES_UNTIL_NOISE = 90;

/** Tells mutations that may be an answer to an action from those that are not; it learns which nodes only tick. */
export class MutationFilter {
  readonly #countByNode = new WeakMap<Node, Map<string, number>>();

  /** Whether a person may see this mutation and it is not one of an endless row. */
  isMeaningful(record: MutationRecord): boolean {
    if (!isVisible(record)) return false;
    const { type, target, attributeName, addedNodes, removedNodes } = record;
    // What only adds or only takes away goes somewhere: a list that fills is not a clock.
    if (type === 'childList' && (addedNodes.length === 0 || removedNodes.length === 0)) return true;
    const repeats = this.#count(target, shapeOf(record));
    if (attributeName === null) return repeats <= REPEATS_UNTIL_NOISE;
    return repeats <= REPEATS_UNTIL_NOISE && this.#count(target, `@${attributeName}`) <= CHANGES_UNTIL_NOISE;
  }

  #count(node: Node, shape: string): number {
    let counts = this.#countByNode.get(node);
    if (!counts) this.#countByNode.set(node, (counts = new Map<string, number>()));
    const count = (counts.get(shape) ?? 0) + 1;
    counts.set(shape, count);
    return count;
  }
}

function isVisible({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): boolean {
  const parent = parentElementOf(target);
  if (isUnseen(target) || (parent !== null && isUnseen(parent))) return false;
  if (type === 'attributes')
    return (
      attributeName !== null &&
      (VISIBLE_ATTRIBUTES.has(attributeName) ||
        attributeName.startsWith('aria-') ||
        STATE_ATTRIBUTE.test(attributeName))
    );
  if (type === 'characterData') return target instanceof Text;
  return [...addedNodes, ...removedNodes].some((node) => !isUnseen(node) && !(node instanceof Comment));
}

function isUnseen(node: Node): boolean {
  return node instanceof Element && UNSEEN_TAGS.has(localNameOf(node));
}

/** What a change looks like once its numbers are left out: `12:01:07` and `12:01:08` are the same. */
function shapeOf({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): string {
  if (type === 'attributes') return `@${attributeName}=${attributeOf(target as Element, attributeName ?? '')}`;
  if (type === 'characterData') return withoutNumbers((target as Text).data);
  return `+${shapesOf(addedNodes)}-${shapesOf(removedNodes)}`;
}

function shapesOf(nodes: NodeList): string {
  return Array.from(nodes, (node) => `${nodeNameOf(node)} ${withoutNumbers(textContentOf(node) ?? '')}`).join();
}

function withoutNumbers(text: string): string {
  return text.slice(0, 80).replace(/\d+/g, '0');
}
