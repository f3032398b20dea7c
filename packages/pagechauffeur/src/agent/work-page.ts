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

/** What a read of the current page returned. */
export interface WorkPageView {
  /** `undefined` if the page does not respond. */
  readonly observation: Observation | undefined;
  readonly title: string;
  /** Set in mode `hybrid` if the model accepts images. */
  readonly picture?: ModelImage;
  /** Set if the previous page has closed, or if this one does not respond. */
  readonly note: Note | undefined;
}

/** `quoted` can contain page text. */
type Note = Pick<ToolOutcome, 'text' | 'quoted'>;

/** Identifies the current page, to detect navigations. */
export interface DocumentIdentity {
  /** See {@link documentOf}. */
  readonly document: string;
  readonly address: string;
}

interface WorkPageOptions {
  readonly browser: DriverContext;
  readonly watch: PageWatch;
  settleTimeout(page: Page): number;
  /** Timeout in ms for reading a page again. After it, the page counts as unresponsive. */
  readonly readTimeout: number;
  /** Takes the screenshot that accompanies a page. */
  readonly picture?: ((progress: Progress, page: Page) => Promise<ModelImage>) | undefined;
}

/** The page that the agent works on. Switches to another open page when it closes or crashes. */
export class WorkPage {
  readonly #options: WorkPageOptions;
  readonly #settled = new WeakSet<Page>();
  #page: Page;

  constructor(page: Page, options: WorkPageOptions) {
    this.#page = page;
    this.#options = options;
  }

  get page(): Page {
    return this.#page;
  }

  use(page: Page): void {
    this.#page = page;
  }

  get documentIdentity(): DocumentIdentity {
    return { document: documentOf(this.#page), address: this.#page.url() };
  }

  /** Reads the current page. If it has closed, reads another open page. Returns `undefined` if no page is open. */
  async read(progress: Progress, options?: ReadOptions): Promise<WorkPageView | undefined> {
    let gone: string | undefined;
    for (;;) {
      if (this.#page.isClosed()) {
        const left = this.#options.browser.activePage();
        if (!left) return undefined;
        gone = `${closedPageText(this.#page)} You now work on page ${this.#options.browser.pages().indexOf(left) + 1}.`;
        this.#page = left;
      }
      const view = await this.#see(progress, this.#page, options);
      if (view) return { ...view, note: withText(gone, view.note) };
    }
  }

  /** Returns `undefined` if the page closes during the read. */
  async #see(run: Progress, page: Page, options: ReadOptions | undefined): Promise<WorkPageView | undefined> {
    const { watch } = this.#options;
    const timeout = run.childTimeout(this.#readTimeout(page));
    const obstacle = (): string | undefined => page.target.obstacle;
    using progress = new Progress({ operation: 'agent', timeout, signals: [run.signal], obstacle });
    try {
      if (!this.#settled.has(page)) await settlePage(progress, page.target, this.#options.settleTimeout(page));
      this.#settled.add(page);
      const observation = await watch.read(progress, page, options);
      const title = watch.shown(page)?.title ?? '';
      const picture = await this.#options.picture?.(progress, page);
      return { observation, title, note: undefined, ...(picture && { picture }) };
    } catch (error) {
      run.throwIfEnded();
      if (error instanceof DriverClosedError && page.isClosed()) return undefined;
      const shown = watch.shown(page);
      // The model can leave an unresponsive page, but it cannot start on one.
      if (!(error instanceof DriverTimeoutError) || !shown) throw error;
      return { observation: undefined, title: shown.title, note: unresponsivePage(error) };
    }
  }

  /** The first read can include the time in which the page loads. */
  #readTimeout(page: Page): number {
    const { readTimeout, watch } = this.#options;
    return watch.shown(page) && readTimeout > 0 ? readTimeout : VERB_TIMEOUT_MS;
  }
}

function withText(words: string | undefined, note: Note | undefined): Note | undefined {
  return words === undefined ? note : { ...note, text: [words, note?.text].filter(Boolean).join(' ') };
}

/** The error can contain the text of the dialog that blocks the page. */
function unresponsivePage({ message }: DriverTimeoutError): Note {
  return {
    text: 'The page does not respond, so its current content is unknown. Continue without it, or call done and report it.',
    quoted: message,
  };
}

function closedPageText({ target }: Page): string {
  return `The page you were working on is gone: ${reasonOf(target.gone.reason)}`;
}
