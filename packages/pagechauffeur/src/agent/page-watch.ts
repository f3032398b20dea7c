import type { FrameNode } from '../cdp/frame-node.ts';
import type { Page } from '../page/page.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { PageView } from '../snapshot/page-view.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { NamedElement } from '../tools/tool-context.ts';
import type { PageTools } from '../tools/web-mcp/page-tools.ts';
import type { Progress } from '../util/progress.ts';

interface WatchSettings {
  /** The task. Page content that shares words with it is not folded. */
  readonly instruction: string;
  readonly tokenBudget: number;
  /** True if the model reads {@link ModelPageView.nodes}. */
  readonly withTree: boolean;
  /** Tools that the pages declare, listed below the page text. */
  readonly pageTools: PageTools;
}

export interface ReadOptions {
  /** True if no action ran since the last read. A quiet page without child frames is then not read again. */
  readonly isWithoutActions?: boolean;
  /** True to fold the page to 600 tokens, which is enough to judge whether the task is done. */
  readonly isBrief?: boolean;
}

const BRIEF_BUDGET = 600;

/** Remembers the last snapshot of each page that the model has received, to resolve the refs in its calls. */
export class PageWatch {
  readonly #settings: WatchSettings;
  readonly #views = new WeakMap<Page, PageView>();
  /** Snapshots from which a tool has quoted lines. */
  readonly #noted = new WeakMap<Page, Snapshot>();
  #lastPage: Page | undefined;
  #expand: string | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
  }

  /** Returns the last snapshot of the page that the model received. */
  shown(page: Page): Snapshot | undefined {
    return this.#views.get(page)?.snapshot;
  }

  /** Resolves a ref. Returns `undefined` if it is in neither the last snapshot nor the last quoted one. */
  element(page: Page, ref: string): NamedElement | undefined {
    const place = this.#views.get(page)?.target(ref) ?? this.#noted.get(page)?.refs.get(ref);
    if (!place) return undefined;
    const { frame, world, role, name } = place;
    const label = `${ref} (${role} ${JSON.stringify(name)})`;
    return { target: { frame, world, element: { ref: place.ref }, label }, role, name };
  }

  /** Makes the refs of a snapshot valid after a tool has quoted lines from it. */
  noteShown(page: Page, snapshot: Snapshot): void {
    this.#noted.set(page, snapshot);
  }

  /** Makes the next read return the whole page. */
  forget(): void {
    this.#lastPage = undefined;
  }

  /** Makes the next read expand a fold from this ref on. */
  expand(ref: string): void {
    this.#expand = ref;
  }

  /** Reads a page. Returns the changes since the last read, or the whole page if this was of another page. */
  async read(
    progress: Progress,
    page: Page,
    { isWithoutActions = false, isBrief = false }: ReadOptions = {},
  ): Promise<Observation> {
    const expand = this.#expand;
    this.#expand = undefined;
    const isWhole = isBrief || page !== this.#lastPage;
    this.#lastPage = page;
    const { pageTools, ...rest } = this.#settings;
    const settings = isBrief ? { ...rest, tokenBudget: Math.min(BRIEF_BUDGET, rest.tokenBudget) } : rest;
    const folding = { foldsNavigation: true, ...(expand !== undefined && { expand }) };
    const options = { ...settings, ...folding, isWhole, isWithoutActions };
    pageTools.watch(page);
    const seen = await this.#view(page).next(progress, options);
    const toolChanges = await pageTools.changes(progress, page, seen.kind === 'page');
    return toolChanges === '' ? seen : withToolChanges(seen, toolChanges);
  }

  /**
   * True if every element of the last snapshot is still on the page. Only the elements in `named` must also have kept
   * their names.
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

function withToolChanges({ kind, text }: Observation, toolChanges: string): Observation {
  return { kind: kind === 'same' ? 'changes' : kind, text: [text, toolChanges].filter(Boolean).join('\n') };
}

/** Returns a key for the current document. A navigation to another document changes it. */
export function documentOf(page: Page): string {
  const main: FrameNode = page.target.frames.main;
  return `${page.targetId()} ${main.loaderId}`;
}
