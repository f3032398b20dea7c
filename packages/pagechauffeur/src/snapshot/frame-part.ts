import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { World } from '../cdp/world.ts';
import type { FrameSnapshot, FrameText } from '../injected/contract.ts';

/** The snapshot of one frame. Its refs are valid in `world`. */
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

  withText({ text, urls, tokens, isFolded, folded, runs }: FrameText): FramePart {
    const { shorter: _, folded: __, runs: ___, ...rest } = this.snapshot;
    const snapshot = { ...rest, text, urls, tokens, isFolded, ...(folded && { folded }), ...(runs && { runs }) };
    return new FramePart(this.#page, { frame: this.frame, world: this.world, snapshot });
  }

  /** Prefix of refs: empty in the main frame, for example `f2` in a child frame. */
  refPrefix(): string {
    this.#refPrefix ??= refPrefixOf(this.#page, this);
    return this.#refPrefix;
  }

  /** Decodes the URLs to which the text refers by index; see `FrameText.urls`. */
  urls(): string[] {
    let shared = '';
    const lines = this.snapshot.urls.split('\n');
    lines.pop();
    return lines.map((line) => {
      const url = line.startsWith('+') ? shared + line.slice(1) : line;
      shared = url.slice(0, Math.max(url.lastIndexOf('/'), url.lastIndexOf('#')) + 1);
      return this.address(url);
    });
  }

  /** The injected script omits the origin of the document from URLs. */
  address(url: string): string {
    return url.startsWith('/') ? this.#origin + url : url;
  }
}

export interface FrameParts {
  readonly root: FramePart | undefined;
  readonly byFrameId: ReadonlyMap<string, FramePart>;
  /** IDs of frames that do not respond. */
  readonly silent: ReadonlySet<string>;
}

/** Each document of a child frame gets a new number, so that a ref of one document is invalid in the next. */
function refPrefixOf(page: PageTarget, { frame, world }: Pick<FramePart, 'frame' | 'world'>): string {
  if (frame.parent === null) return '';
  const ordinals = ordinalsByPage.get(page) ?? { last: 0, byWorld: new WeakMap<World, number>() };
  ordinalsByPage.set(page, ordinals);
  const known = ordinals.byWorld.get(world);
  if (known === undefined) ordinals.byWorld.set(world, (ordinals.last += 1));
  return `f${known ?? ordinals.last}`;
}

/** Returns undefined if the ref is from another document. */
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
