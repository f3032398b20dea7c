import { settlePage } from '../actions/settle-page.ts';
import { DriverClosedError, DriverTimeoutError } from '../errors.ts';
import type { DriverContext } from '../page/context.ts';
import type { ModelImage } from '../model/model-client.ts';
import type { Page } from '../page/page.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { reasonOf } from '../util/error-facts.ts';
import { Progress } from '../util/progress.ts';
import { VERB_TIMEOUT_MS } from '../verb/verb-context.ts';
import { documentOf, type ReadOptions, type PageWatch } from './page-watch.ts';

/** What was last read of the current page. */
export interface WorkPageView {
  /** `undefined` if the page does not respond. */
  readonly observation: Observation | undefined;
  readonly title: string;
  /** Screenshot of the viewport, for models that accept one. */
  readonly picture?: ModelImage;
  /** Says that the previous page has closed, or that this one does not respond. */
  readonly note: Note | undefined;
}

/** A message for the model. `quoted` can contain page text. */
type Note = Pick<ToolOutcome, 'text' | 'quoted'>;

/** The page and document that the agent is working on. */
export interface Place {
  /** Identifies the page and its document. */
  readonly document: string;
  readonly address: string;
}

interface Surroundings {
  readonly browser: DriverContext;
  readonly watch: PageWatch;
  settleTimeout(page: Page): number;
  /** Timeout in ms for reading a page that was read before. A page that takes longer counts as unresponsive. */
  readonly readTimeout: number;
  /** Takes a screenshot each time the page is read. `undefined` if the model needs none. */
  readonly picture?: ((progress: Progress, page: Page) => Promise<ModelImage>) | undefined;
}

/** The page that the agent is working on. Switches to another open page when it closes or crashes. */
export class WorkPage {
  readonly #around: Surroundings;
  readonly #settled = new WeakSet<Page>();
  #page: Page;

  constructor(page: Page, around: Surroundings) {
    this.#page = page;
    this.#around = around;
  }

  get page(): Page {
    return this.#page;
  }

  /** Switches to another page. */
  use(page: Page): void {
    this.#page = page;
  }

  get place(): Place {
    return { document: documentOf(this.#page), address: this.#page.url() };
  }

  /** Reads the page, or another open page if it was closed. Returns `undefined` if no page is open. */
  async read(progress: Progress, options?: ReadOptions): Promise<WorkPageView | undefined> {
    let gone: string | undefined;
    for (;;) {
      if (this.#page.isClosed()) {
        const left = this.#around.browser.activePage();
        if (!left) return undefined;
        gone = `${goneText(this.#page)} You now work on page ${this.#around.browser.pages().indexOf(left) + 1}.`;
        this.#page = left;
      }
      const view = await this.#see(progress, this.#page, options);
      if (view) return { ...view, note: withWords(gone, view.note) };
    }
  }

  /** Reads a page. Returns `undefined` if the page closes while it is read. */
  async #see(run: Progress, page: Page, options: ReadOptions | undefined): Promise<WorkPageView | undefined> {
    const { watch } = this.#around;
    const timeout = run.childTimeout(this.#readTimeout(page));
    const obstacle = (): string | undefined => page.target.obstacle;
    using progress = new Progress({ operation: 'agent', timeout, signals: [run.signal], obstacle });
    try {
      if (!this.#settled.has(page)) await settlePage(progress, page.target, this.#around.settleTimeout(page));
      this.#settled.add(page);
      const observation = await watch.read(progress, page, options);
      const title = watch.shown(page)?.title ?? '';
      const picture = await this.#around.picture?.(progress, page);
      return { observation, title, note: undefined, ...(picture && { picture }) };
    } catch (error) {
      run.throwIfEnded();
      if (error instanceof DriverClosedError && page.isClosed()) return undefined;
      const shown = watch.shown(page);
      // The agent cannot work on a page that it has never read. A page that it has read before is reported as
      // unresponsive, so that it can leave the page.
      if (!(error instanceof DriverTimeoutError) || !shown) throw error;
      return { observation: undefined, title: shown.title, note: unresponsivePage(error) };
    }
  }

  /** Timeout in ms for reading a page. The first time is longer, because the page may still be loading. */
  #readTimeout(page: Page): number {
    const { readTimeout, watch } = this.#around;
    return watch.shown(page) && readTimeout > 0 ? readTimeout : VERB_TIMEOUT_MS;
  }
}

function withWords(words: string | undefined, note: Note | undefined): Note | undefined {
  return words === undefined ? note : { ...note, text: [words, note?.text].filter(Boolean).join(' ') };
}

/** The error can quote the dialog that blocks the page, so it is marked as a quote. */
function unresponsivePage({ message }: DriverTimeoutError): Note {
  return {
    text: 'The page does not respond, so its current content is unknown. Continue without it, or call done and report it.',
    quoted: message,
  };
}

function goneText({ target }: Page): string {
  return `The page you were working on is gone: ${reasonOf(target.gone.reason)}`;
}
