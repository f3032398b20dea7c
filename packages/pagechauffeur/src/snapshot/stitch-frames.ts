import type { WireNode, WireProperties } from '../injected/contract.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import type { SnapshotNode, SnapshotState } from './snapshot-node.ts';

export interface StitchedFrames {
  readonly nodes: readonly SnapshotNode[];
  readonly xpaths: ReadonlyMap<SnapshotNode, string>;
}

/**
 * Builds one tree from all frames. Puts the lines of a frame below its frame element, and prefixes their refs
 * with the frame's prefix.
 */
export function stitchFrames(parts: FrameParts): StitchedFrames {
  const stitcher = new Stitcher(parts);
  return { nodes: stitcher.frameNodes(parts.root, ''), xpaths: stitcher.xpaths };
}

class Stitcher {
  readonly xpaths = new Map<SnapshotNode, string>();
  readonly #parts: FrameParts;

  constructor(parts: FrameParts) {
    this.#parts = parts;
  }

  frameNodes(part: FramePart | undefined, owner: string): readonly SnapshotNode[] {
    const tree = part?.snapshot.tree;
    if (!tree) return NONE;
    const stitching = { part, roles: tree.roles, paths: tree.xpaths && new PathReader(tree.xpaths, owner) };
    return tree.nodes.map((node) => this.#node(node, stitching));
  }

  #inFrame({ frameId = '', states }: WireProperties, path: string | undefined): readonly SnapshotNode[] {
    const nodes = this.frameNodes(this.#parts.byFrameId.get(frameId), path ?? '');
    return states?.includes('covered') ? nodes.flatMap(actionableIn) : nodes;
  }

  #node(wire: WireNode, stitching: Stitching): SnapshotNode {
    const { part, roles, paths } = stitching;
    const path = paths?.next();
    const placed = <T extends SnapshotNode>(node: T): T => {
      if (path !== undefined) this.xpaths.set(node, path);
      return node;
    };
    if (typeof wire === 'string') return placed({ role: 'text', name: wire, states: NONE, children: NONE });
    const [number, name = '', ref = 0, properties = 0, children = NONE] = wire;
    const facts = properties === 0 ? NO_PROPERTIES : properties;
    const node: Mutable<SnapshotNode> = {
      role: roles[number] ?? '',
      name,
      states: (facts.states ?? NONE) as readonly SnapshotState[],
      children: facts.frameId ? this.#inFrame(facts, path) : children.map((child) => this.#node(child, stitching)),
    };
    if (ref !== 0) node.ref = `${part.refPrefix()}e${ref}`;
    if (facts.url !== undefined) node.url = part.address(facts.url);
    copyFacts(node, facts);
    return placed(node);
  }
}

interface Stitching {
  readonly part: FramePart;
  readonly roles: readonly string[];
  readonly paths: PathReader | undefined;
}

/** Decodes `FrameTreeSnapshot.xpaths`. Puts the XPath of the frame element in front of each. */
class PathReader {
  readonly #owner: string;
  readonly #written: readonly (number | string)[];
  #position = 0;
  #last = '';

  constructor(written: readonly (number | string)[], owner: string) {
    this.#written = written;
    this.#owner = owner;
  }

  next(): string {
    const [shared, rest] = [Number(this.#written[this.#position]), String(this.#written[this.#position + 1])];
    this.#position += 2;
    this.#last = this.#last.slice(0, shared) + rest;
    return this.#owner + this.#last;
  }
}

/** In a covered frame, only the actionable elements are kept. */
function actionableIn(node: SnapshotNode): readonly SnapshotNode[] {
  const children = node.children.flatMap(actionableIn);
  return node.ref === undefined ? children : [{ ...node, children }];
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
