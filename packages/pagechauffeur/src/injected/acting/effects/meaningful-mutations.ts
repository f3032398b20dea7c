import { attributeOf, localNameOf, nodeNameOf, parentElementOf, textContentOf } from '../../native.ts';
import { type MutationFacts, mutationRule } from './mutation-rules.ts';

const UNRENDERED_TAGS: ReadonlySet<string> = new Set([
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
/** Separates possible effects of an action from noise, such as clocks. */
export class MutationFilter {
  readonly #countByNode = new WeakMap<Node, Map<string, number>>();

  /** True if the mutation changes the rendering and is not part of an endless series. */
  isMeaningful(record: MutationRecord): boolean {
    const seen = factsOf(record);
    if (mutationRule(seen)) return false;
    const { type, target, attributeName, addedNodes, removedNodes } = record;
    // Mutations that only add or only remove nodes may fill or empty a list, so they never count as repeats.
    if (type === 'childList' && (addedNodes.length === 0 || removedNodes.length === 0)) return true;
    const repeats = this.#count(target, shapeOf(record));
    if (mutationRule({ ...seen, repeats })) return false;
    return attributeName === null || !mutationRule({ ...seen, changes: this.#count(target, `@${attributeName}`) });
  }

  #count(node: Node, shape: string): number {
    let counts = this.#countByNode.get(node);
    if (!counts) this.#countByNode.set(node, (counts = new Map<string, number>()));
    const count = (counts.get(shape) ?? 0) + 1;
    counts.set(shape, count);
    return count;
  }
}

function factsOf({ type, target, attributeName, addedNodes, removedNodes }: MutationRecord): MutationFacts {
  const parent = parentElementOf(target);
  return {
    type,
    isInUnrenderedElement: isUnrendered(target) || (parent !== null && isUnrendered(parent)),
    attribute: attributeName,
    isText: target instanceof Text,
    hasSeenNode: [...addedNodes, ...removedNodes].some((node) => !isUnrendered(node) && !(node instanceof Comment)),
    repeats: 0,
    changes: 0,
  };
}

function isUnrendered(node: Node): boolean {
  return node instanceof Element && UNRENDERED_TAGS.has(localNameOf(node));
}

/** Ignores numbers, so that `12:01:07` and `12:01:08` count as the same change. */
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
