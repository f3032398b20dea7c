import type { Connection } from 'pagechauffeur/internal';
import { isOfWeb } from '../gateway/command-rules.ts';
import type { ShownTab } from './view-wire.ts';

/** Excludes internal browser pages. */
const WEB_PAGE = /^(?!chrome|devtools)/;
/** Longer titles and URLs are truncated. */
const MAX_TITLE_CHARACTERS = 300;
const MAX_URL_CHARACTERS = 4096;
const MAX_TABS = 200;

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly title: string;
  readonly url: string;
  readonly openerId?: string;
}

/** The web pages of a browser, oldest first. */
export class PageList {
  readonly #tabById = new Map<string, ShownTab>();
  readonly #onChange: () => void;

  private constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Discovers the pages of the browser. Calls `onChange` whenever the list changes. */
  static async open({ browser }: Connection, onChange: () => void): Promise<PageList> {
    const list = new PageList(onChange);
    browser.on('Target.targetCreated', ({ targetInfo }) => list.#put(targetInfo));
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => list.#put(targetInfo));
    browser.on('Target.targetDestroyed', ({ targetId }) => list.#remove(targetId));
    browser.on('Target.targetCrashed', ({ targetId }) => list.#setCrashed(targetId, true));
    await browser.send('Target.setDiscoverTargets', { discover: true });
    return list;
  }

  get tabs(): readonly ShownTab[] {
    return [...this.#tabById.values()];
  }

  has(id: string): boolean {
    return this.#tabById.has(id);
  }

  /** Marks a page as no longer crashed. Returns true if it had crashed. */
  revive(id: string): boolean {
    return this.#setCrashed(id, false);
  }

  #put({ targetId: id, type, openerId, ...shown }: TargetInfo): void {
    const title = shown.title.slice(0, MAX_TITLE_CHARACTERS);
    const url = shown.url.slice(0, MAX_URL_CHARACTERS);
    // Hides a tab that has navigated to a non-web URL.
    if (!isOfWeb(url)) return this.#remove(id);
    const known = this.#tabById.get(id);
    if (type !== 'page' || !WEB_PAGE.test(url) || (known?.title === title && known.url === url)) return;
    if (!known && this.#tabById.size >= MAX_TABS) return;
    this.#tabById.set(id, { id, title, url, openerId, isCrashed: known?.isCrashed ?? false });
    this.#onChange();
  }

  /** Returns true if the state changed. */
  #setCrashed(id: string, isCrashed: boolean): boolean {
    const known = this.#tabById.get(id);
    if (!known || known.isCrashed === isCrashed) return false;
    this.#tabById.set(id, { ...known, isCrashed });
    this.#onChange();
    return true;
  }

  #remove(id: string): void {
    if (this.#tabById.delete(id)) this.#onChange();
  }
}
