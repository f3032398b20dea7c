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
  withText({ text, urls, tokens, isFolded, folded, runs }: FrameText): FramePart {
    const { shorter: _, folded: __, runs: ___, ...rest } = this.snapshot;
    const snapshot = { ...rest, text, urls, tokens, isFolded, ...(folded && { folded }), ...(runs && { runs }) };
    return new FramePart(this.#page, { frame: this.frame, world: this.world, snapshot });
  }

  /** What its refs start with: nothing in the main frame, `f2` in the second document of a child whose lines were written. */
  refPrefix(): string {
    this.#refPrefix ??= refPrefixOf(this.#page, this);
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
  /** The ids of frames that do not answer. */
  readonly silent: ReadonlySet<string>;
}

/** A child frame has a number for each of its documents, so that what was a ref in one of them is none in the next. */
function refPrefixOf(page: PageTarget, { frame, world }: Pick<FramePart, 'frame' | 'world'>): string {
  if (frame.parent === null) return '';
  const ordinals = ordinalsByPage.get(page) ?? { last: 0, byWorld: new WeakMap<World, number>() };
  ordinalsByPage.set(page, ordinals);
  const known = ordinals.byWorld.get(world);
  if (known === undefined) ordinals.byWorld.set(world, (ordinals.last += 1));
  return `f${known ?? ordinals.last}`;
}

/** The number of an element within a frame's document by a ref of its page; undefined when the ref belongs to another one. */
export function numberInFrame(
  page: PageTarget,
  { frame, world }: Pick<FramePart, 'frame' | 'world'>,
  ref: string,
): number | undefined {
  const [, prefix = '', number] = /^(f\d+)?e(\d+)$/.exec(ref) ?? [];
  const ordinal = ordinalsByPage.get(page)?.byWorld.get(world);
  const own = frame.parent === null ? '' : ordinal === undefined ? undefined : `f${ordinal}`;
  return prefix === own && number !== undefined ? Number(number) : undefined;
}

interface Ordinals {
  last: number;
  readonly byWorld: WeakMap<World, number>;
}

const ordinalsByPage = new WeakMap<PageTarget, Ordinals>();
