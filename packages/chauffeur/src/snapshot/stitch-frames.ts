import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { WireNode, WireProperties } from '../injected/contract.ts';
import type { FramePart } from './frame-part.ts';
import type { RefTarget } from './snapshot.ts';
import type { SnapshotNode, SnapshotState } from './snapshot-node.ts';

/** All frames of a page as one tree. */
export interface StitchedPage {
  readonly url: string;
  readonly title: string;
  readonly nodes: readonly SnapshotNode[];
  readonly refs: ReadonlyMap<string, RefTarget>;
  readonly elementCount: number;
}

/** Puts each frame's lines below the line of its frame element, and names refs across frames. */
export function stitchFrames(page: PageTarget, root: FrameNode, parts: readonly FramePart[]): StitchedPage {
  const stitcher = new Stitcher(page, parts);
  const rootPart = parts.find((part) => part.frame === root);
  return {
    url: rootPart?.snapshot.url ?? root.url,
    title: rootPart?.snapshot.title ?? '',
    nodes: stitcher.frameNodes(root.id),
    refs: stitcher.refs,
    elementCount: parts.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
  };
}

class Stitcher {
  readonly refs = new Map<string, RefTarget>();
  readonly #ordinals: Map<string, number>;
  readonly #partByFrameId: ReadonlyMap<string, FramePart>;

  constructor(page: PageTarget, parts: readonly FramePart[]) {
    this.#partByFrameId = new Map(parts.map((part) => [part.frame.id, part]));
    this.#ordinals = frameOrdinals(page);
  }

  frameNodes(frameId: string): readonly SnapshotNode[] {
    const part = this.#partByFrameId.get(frameId);
    if (!part) return [];
    const prefix = this.#refPrefix(part.frame);
    return part.snapshot.nodes.map((node) => this.#node(node, part, prefix));
  }

  #node(wire: WireNode, part: FramePart, prefix: string): SnapshotNode {
    if (typeof wire === 'string') return { role: 'text', name: wire, states: NONE, children: NONE };
    const [role, name, ref, properties, children] = wire;
    const facts = properties === 0 ? NO_PROPERTIES : properties;
    const node: Mutable<SnapshotNode> = {
      role,
      name,
      states: (facts.states ?? NONE) as readonly SnapshotState[],
      children: facts.frameId ? this.frameNodes(facts.frameId) : this.#below(children, part, prefix),
    };
    if (ref !== 0) node.ref = this.#remember({ ref, role, name, part, prefix });
    if (properties !== 0) copyFacts(node, properties);
    return node;
  }

  #below(children: readonly WireNode[] | 0, part: FramePart, prefix: string): readonly SnapshotNode[] {
    return children === 0 ? NONE : children.map((child) => this.#node(child, part, prefix));
  }

  #remember({
    ref,
    role,
    name,
    part,
    prefix,
  }: {
    ref: number;
    role: string;
    name: string;
    part: FramePart;
    prefix: string;
  }): string {
    const shortName = `${prefix}e${ref}`;
    this.refs.set(shortName, { frame: part.frame, world: part.world, ref, role, name });
    return shortName;
  }

  /** The main frame has no prefix; a child keeps its number as long as it is in the page. */
  #refPrefix(frame: FrameNode): string {
    if (frame.parent === null) return '';
    const ordinal = this.#ordinals.get(frame.id) ?? this.#ordinals.size + 1;
    this.#ordinals.set(frame.id, ordinal);
    return `f${ordinal}`;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function copyFacts(
  node: Mutable<SnapshotNode>,
  { value, placeholder, description, level, url, options }: WireProperties,
): void {
  if (value !== undefined) node.value = value;
  if (placeholder !== undefined) node.placeholder = placeholder;
  if (description !== undefined) node.description = description;
  if (level !== undefined) node.level = level;
  if (url !== undefined) node.url = url;
  if (options !== undefined) node.options = options;
}

const NONE: readonly never[] = [];
const NO_PROPERTIES: WireProperties = {};
const ordinalsByPage = new WeakMap<PageTarget, Map<string, number>>();

function frameOrdinals(page: PageTarget): Map<string, number> {
  const known = ordinalsByPage.get(page) ?? new Map<string, number>();
  ordinalsByPage.set(page, known);
  return known;
}
