import type { FrameNode } from '../cdp/frame-node.ts';
import type { Page } from '../page/page.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { PageView } from '../snapshot/page-view.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { NamedElement } from '../tools/tool-context.ts';
import type { PageTools } from '../tools/web-mcp/page-tools.ts';
import type { Progress } from '../util/progress.ts';

/** Settings for reading pages. */
interface WatchSettings {
  /** The task. Page content that shares words with it is not folded. */
  readonly instruction: string;
  readonly tokenBudget: number;
  /** True if the model reads pages as trees. */
  readonly withTree: boolean;
  /** Tools that pages declare. They are listed below the page. */
  readonly pageTools: PageTools;
}

/** Options of one read. */
export interface ReadOptions {
  /** True if no action ran since the last read. */
  readonly isUntouched?: boolean;
  /** True to fold the page to a few lines, for a model that only has to judge whether the task is done. */
  readonly isBrief?: boolean;
}

/** Maximum number of tokens of a brief read. */
const BRIEF_BUDGET = 600;

/** Tracks the snapshots of each page that the model received, so that refs in its calls can be resolved. */
export class PageWatch {
  readonly #settings: WatchSettings;
  readonly #views = new WeakMap<Page, PageView>();
  /** Snapshots of which a tool has returned a part. */
  readonly #noted = new WeakMap<Page, Snapshot>();
  #lastPage: Page | undefined;
  #expand: string | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
  }

  /** The last snapshot of the page that the model received. */
  shown(page: Page): Snapshot | undefined {
    return this.#views.get(page)?.snapshot;
  }

  /** Returns the element of a ref. `undefined` if the model never received the ref, or if its document was replaced. */
  element(page: Page, ref: string): NamedElement | undefined {
    const place = this.#views.get(page)?.target(ref) ?? this.#noted.get(page)?.refs.get(ref);
    if (!place) return undefined;
    const { frame, world, role, name } = place;
    const label = `${ref} (${role} ${JSON.stringify(name)})`;
    return { target: { frame, world, element: { ref: place.ref }, label }, role, name };
  }

  /** Accepts refs of a snapshot of which a tool has returned a part. */
  noteShown(page: Page, snapshot: Snapshot): void {
    this.#noted.set(page, snapshot);
  }

  /** Makes the next read return the whole page. */
  forget(): void {
    this.#lastPage = undefined;
  }

  /** Expands the folded part at this ref in the next read. */
  expand(ref: string): void {
    this.#expand = ref;
  }

  /** Reads a page. Returns the changes since the last read, or the whole page if the last read was of another page. */
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

  /**
   * True if the page still has all elements of the last snapshot, and the named ones still have their names. Ignores
   * new elements.
   */
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

/** Identifies the document of a page, to detect navigations. */
export function documentOf(page: Page): string {
  const main: FrameNode = page.target.frames.main;
  return `${page.targetId()} ${main.loaderId}`;
}
