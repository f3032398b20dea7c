import type { WireNode, WireProperties } from '../injected/contract.ts';
import { addressIn, type FramePart, type FrameParts } from './frame-part.ts';
import type { RefTarget } from './snapshot.ts';
import type { SnapshotNode, SnapshotState } from './snapshot-node.ts';

/** The lines of all frames of a page as one tree. */
export interface StitchedFrames {
  readonly nodes: readonly SnapshotNode[];
  readonly refs: ReadonlyMap<string, RefTarget>;
}

/** Puts each frame's lines below the line of its frame element, and names refs across frames. */
export function stitchFrames(parts: FrameParts): StitchedFrames {
  const stitcher = new Stitcher(parts);
  return { nodes: stitcher.frameNodes(parts.root), refs: stitcher.refs };
}

class Stitcher {
  readonly refs = new Map<string, RefTarget>();
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  frameNodes(part: FramePart | undefined): readonly SnapshotNode[] {
    return part === undefined ? NONE : part.snapshot.nodes.map((node) => this.#node(node, part));
  }

  #node(wire: WireNode, part: FramePart): SnapshotNode {
    if (typeof wire === 'string') return { role: 'text', name: wire, states: NONE, children: NONE };
    const [number, name = '', ref = 0, properties = 0, children = NONE] = wire;
    const role = part.snapshot.roles[number] ?? '';
    const facts = properties === 0 ? NO_PROPERTIES : properties;
    const node: Mutable<SnapshotNode> = {
      role,
      name,
      states: (facts.states ?? NONE) as readonly SnapshotState[],
      children: facts.frameId
        ? this.frameNodes(this.#parts.byFrameId.get(facts.frameId))
        : children.map((child) => this.#node(child, part)),
    };
    if (ref !== 0) {
      node.ref = `${part.refPrefix()}e${ref}`;
      this.refs.set(node.ref, { frame: part.frame, world: part.world, ref, role, name });
    }
    copyFacts(node, { ...facts, url: addressIn(part, facts) });
    return node;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function copyFacts(
  node: Mutable<SnapshotNode>,
  { value, placeholder, description, level, url, options }: WithUrl<WireProperties>,
): void {
  if (value !== undefined) node.value = value;
  if (placeholder !== undefined) node.placeholder = placeholder;
  if (description !== undefined) node.description = description;
  if (level !== undefined) node.level = level;
  if (url !== undefined) node.url = url;
  if (options !== undefined) node.options = options;
}

type WithUrl<T> = Omit<T, 'url'> & { readonly url: string | undefined };

const NONE: readonly never[] = [];
const NO_PROPERTIES: WireProperties = {};
