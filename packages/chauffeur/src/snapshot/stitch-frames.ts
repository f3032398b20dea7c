import type { WireNode, WireProperties } from '../injected/contract.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import type { SnapshotNode, SnapshotState } from './snapshot-node.ts';

/** The lines of all frames of a page as one tree: each frame's below the line of its frame element, refs named across frames. */
export function stitchFrames(parts: FrameParts): readonly SnapshotNode[] {
  return new Stitcher(parts).frameNodes(parts.root);
}

class Stitcher {
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  frameNodes(part: FramePart | undefined): readonly SnapshotNode[] {
    const tree = part?.snapshot.tree;
    return tree ? tree.nodes.map((node) => this.#node(node, part, tree.roles)) : NONE;
  }

  #node(wire: WireNode, part: FramePart, roles: readonly string[]): SnapshotNode {
    if (typeof wire === 'string') return { role: 'text', name: wire, states: NONE, children: NONE };
    const [number, name = '', ref = 0, properties = 0, children = NONE] = wire;
    const facts = properties === 0 ? NO_PROPERTIES : properties;
    const node: Mutable<SnapshotNode> = {
      role: roles[number] ?? '',
      name,
      states: (facts.states ?? NONE) as readonly SnapshotState[],
      children: facts.frameId
        ? this.frameNodes(this.#parts.byFrameId.get(facts.frameId))
        : children.map((child) => this.#node(child, part, roles)),
    };
    if (ref !== 0) node.ref = `${part.refPrefix()}e${ref}`;
    if (facts.url !== undefined) node.url = part.address(facts.url);
    copyFacts(node, facts);
    return node;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function copyFacts(
  node: Mutable<SnapshotNode>,
  { value, placeholder, description, level, options }: WireProperties,
): void {
  if (value !== undefined) node.value = value;
  if (placeholder !== undefined) node.placeholder = placeholder;
  if (description !== undefined) node.description = description;
  if (level !== undefined) node.level = level;
  if (options !== undefined) node.options = options;
}

const NONE: readonly never[] = [];
const NO_PROPERTIES: WireProperties = {};
