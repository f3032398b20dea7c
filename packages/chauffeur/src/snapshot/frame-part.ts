import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { FrameSnapshot, FrameText } from '../injected/contract.ts';

/** One frame's part of a snapshot and the world it was taken in, to which its refs belong. */
export class FramePart {
  readonly frame: FrameNode;
  readonly world: World;
  readonly snapshot: FrameSnapshot;
  readonly #origin: string;
  readonly #page: PageTarget;
  #refPrefix: string | undefined;

  constructor(page: PageTarget, { frame, world, snapshot }: Pick<FramePart, 'frame' | 'world' | 'snapshot'>) {
    this.frame = frame;
    this.world = world;
    this.snapshot = snapshot;
    this.#origin = new URL(snapshot.url).origin;
    this.#page = page;
  }

  /** The same part with another text of its frame. */
  withText({ text, urls, tokens, isFolded, folded }: FrameText): FramePart {
    const { shorter: _, folded: __, ...rest } = this.snapshot;
    const snapshot = { ...rest, text, urls, tokens, isFolded, ...(folded && { folded }) };
    return new FramePart(this.#page, { frame: this.frame, world: this.world, snapshot });
  }

  /** What its refs start with: nothing in the main frame, `f2` in the second child whose lines were written. */
  refPrefix(): string {
    this.#refPrefix ??= refPrefixOf(this.#page, this.frame);
    return this.#refPrefix;
  }

  /** The whole of an address, which travels without its document's origin. */
  address(url: string): string {
    return url.startsWith('/') ? this.#origin + url : url;
  }
}

/** The parts of a snapshot: that of the frame it starts in, and that of each frame by the browser's id. */
export interface FrameParts {
  readonly root: FramePart | undefined;
  readonly byFrameId: ReadonlyMap<string, FramePart>;
}

/** A frame keeps its number as long as it is in the page. */
function refPrefixOf(page: PageTarget, frame: FrameNode): string {
  if (frame.parent === null) return '';
  const ordinals = ordinalsByPage.get(page) ?? new Map<string, number>();
  ordinalsByPage.set(page, ordinals);
  const ordinal = ordinals.get(frame.id) ?? ordinals.size + 1;
  ordinals.set(frame.id, ordinal);
  return `f${ordinal}`;
}

/** The number of an element within a frame's document by a ref of its page; undefined when the ref belongs to another frame. */
export function numberInFrame(page: PageTarget, frame: FrameNode, ref: string): number | undefined {
  const [, prefix = '', number] = /^(f\d+)?e(\d+)$/.exec(ref) ?? [];
  const ordinal = ordinalsByPage.get(page)?.get(frame.id);
  const own = frame.parent === null ? '' : ordinal === undefined ? undefined : `f${ordinal}`;
  return prefix === own && number !== undefined ? Number(number) : undefined;
}

const ordinalsByPage = new WeakMap<PageTarget, Map<string, number>>();
