import type { FrameNode } from '../cdp/frame-node.ts';
import type { Page } from '../page/page.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { PageView } from '../snapshot/page-view.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { NamedElement } from '../tools/tool-context.ts';
import type { PageTools } from '../tools/web-mcp/page-tools.ts';
import type { Progress } from '../util/progress.ts';

/** How pages are looked at. */
interface WatchSettings {
  /** What is to be done: what has its words is not folded away. */
  readonly instruction: string;
  readonly tokenBudget: number;
  /** Whether the model reads lines as a tree. */
  readonly withTree: boolean;
  /** The tools that pages declare, of which is told besides. */
  readonly pageTools: PageTools;
}

/** How to look at a page. */
export interface ReadOptions {
  /** No action ran since the last look. */
  readonly isUntouched?: boolean;
  /** Folds the page to a few lines: the model only has to judge whether the task is done. */
  readonly isBrief?: boolean;
}

/** Token budget of a brief look. */
const BRIEF_BUDGET = 600;

/** What a model has been shown of the pages that it works on, and so what a ref that it names stands for. */
export class PageWatch {
  readonly #settings: WatchSettings;
  readonly #views = new WeakMap<Page, PageView>();
  /** What tools have told of a page besides. */
  readonly #noted = new WeakMap<Page, Snapshot>();
  #lastPage: Page | undefined;
  #expand: string | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
  }

  /** The page as it was shown last. */
  shown(page: Page): Snapshot | undefined {
    return this.#views.get(page)?.snapshot;
  }

  /** The element that a ref stands for; undefined when it was not shown, or its document is gone. */
  element(page: Page, ref: string): NamedElement | undefined {
    const place = this.#views.get(page)?.target(ref) ?? this.#noted.get(page)?.refs.get(ref);
    if (!place) return undefined;
    const { frame, world, role, name } = place;
    const label = `${ref} (${role} ${JSON.stringify(name)})`;
    return { target: { frame, world, element: { ref: place.ref }, label }, role, name };
  }

  /** Refs of a page of which a tool has told some lines may be used, too. */
  noteShown(page: Page, snapshot: Snapshot): void {
    this.#noted.set(page, snapshot);
  }

  /** The next look shows the whole page, whatever was shown before. */
  forget(): void {
    this.#lastPage = undefined;
  }

  /** What is folded away at this ref is shown in the next look. */
  expand(ref: string): void {
    this.#expand = ref;
  }

  /** Looks at a page: what has changed since the last look, or all of it when it was another page that was looked at last. */
  async read(
    progress: Progress,
    page: Page,
    { isUntouched = false, isBrief = false }: ReadOptions = {},
  ): Promise<Observation> {
    const expand = this.#expand;
    this.#expand = undefined;
    const isWhole = isBrief || page !== this.#lastPage;
    this.#lastPage = page;
    const { pageTools, ...rest } = this.#settings;
    const settings = isBrief ? { ...rest, tokenBudget: Math.min(BRIEF_BUDGET, rest.tokenBudget) } : rest;
    const folding = { foldsNavigation: true, ...(expand !== undefined && { expand }) };
    const options = { ...settings, ...folding, isWhole, isUntouched };
    pageTools.watch(page);
    const seen = await this.#view(page).next(progress, options);
    const news = await pageTools.news(progress, page, seen.kind === 'page');
    return news === '' ? seen : withNews(seen, news);
  }

  /** Whether the page still has all elements that it was shown with, and these as they were called. Nobody is told of what else is there. */
  async showsSame(progress: Progress, page: Page, named: readonly string[]): Promise<boolean> {
    const shown = this.shown(page);
    if (!shown) return false;
    const now = await takeSnapshot(progress, page.target, { tokenBudget: Infinity, earlier: shown });
    return [...shown.refs].every(([ref, { role, name }]) => {
      const kept = now.refs.get(ref);
      return kept?.role === role && (kept.name === name || !named.includes(ref));
    });
  }

  #view(page: Page): PageView {
    const known = this.#views.get(page);
    if (known) return known;
    const view = new PageView(page.target);
    this.#views.set(page, view);
    return view;
  }
}

function withNews({ kind, text }: Observation, news: string): Observation {
  return { kind: kind === 'same' ? 'changes' : kind, text: [text, news].filter(Boolean).join('\n') };
}

/** Which document a page shows, to see that it has become another one. */
export function documentOf(page: Page): string {
  const main: FrameNode = page.target.frames.main;
  return `${page.targetId()} ${main.loaderId}`;
}
