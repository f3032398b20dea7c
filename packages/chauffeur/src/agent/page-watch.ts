import type { FrameNode } from '../cdp/frame-node.ts';
import type { Page } from '../page/page.ts';
import { nextObservation, type Observation } from '../snapshot/next-observation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { NamedElement } from '../tools/tool-context.ts';
import type { Progress } from '../util/progress.ts';

/** How pages are looked at. */
interface Looking {
  /** What is to be done: what has its words is not folded away. */
  readonly instruction: string;
  readonly tokenBudget: number;
  /** Whether the model reads lines as a tree. */
  readonly withTree: boolean;
}

/** When the changes told since the whole page was told take more than this share of it, the whole is told again. */
const MOST_CHANGES = 0.5;

/** What a model has been shown of the pages that it works on, and so what a ref that it names stands for. */
export class PageWatch {
  readonly #looking: Looking;
  /** As it was shown last. */
  readonly #shownByPage = new WeakMap<Page, Snapshot>();
  #lastPage: Page | undefined;
  #expanded: string | undefined;
  /** Characters of the changes told since the last whole page. */
  #changesTold = 0;

  constructor(looking: Looking) {
    this.#looking = looking;
  }

  /** The page as it was shown last. */
  shown(page: Page): Snapshot | undefined {
    return this.#shownByPage.get(page);
  }

  /** The element that a ref stands for; undefined when it was not shown, or its document is gone. */
  element(page: Page, ref: string): NamedElement | undefined {
    const place = this.shown(page)?.refs.get(ref);
    if (!place) return undefined;
    const { frame, world, role, name } = place;
    const label = `${ref} (${role} ${JSON.stringify(name)})`;
    return { target: { frame, world, element: { ref: place.ref }, label }, role, name };
  }

  /** What is folded away at this ref is shown in the next look. */
  expand(ref: string): void {
    this.#expanded = ref;
  }

  /** Looks at a page: what has changed since the last look, or all of it. */
  async look(progress: Progress, page: Page): Promise<Observation> {
    const { instruction, tokenBudget, withTree } = this.#looking;
    const earlier = this.shown(page);
    const expand = this.#expanded;
    this.#expanded = undefined;
    const now = await takeSnapshot(progress, page.target, {
      instruction,
      tokenBudget,
      withTree,
      ...(expand === undefined ? {} : { expand }),
      ...(earlier ? { earlier } : {}),
    });
    this.#shownByPage.set(page, now);
    const isOther = page !== this.#lastPage;
    this.#lastPage = page;
    if (!earlier || isOther) return this.#whole(now);
    const observation = nextObservation(earlier, now, { unfolds: expand !== undefined });
    if (observation.kind === 'page') return this.#whole(now);
    this.#changesTold += observation.text.length;
    return this.#changesTold > now.text.length * MOST_CHANGES ? this.#whole(now) : observation;
  }

  #whole({ text }: Snapshot): Observation {
    this.#changesTold = 0;
    return { kind: 'page', text };
  }
}

/** Which document a page shows, to see that it has become another one. */
export function documentOf(page: Page): string {
  const main: FrameNode = page.target.frames.main;
  return `${page.targetId()} ${main.loaderId}`;
}
