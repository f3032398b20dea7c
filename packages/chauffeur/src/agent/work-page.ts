import { settlePage } from '../page/action/settle-page.ts';
import { DriverClosedError } from '../errors.ts';
import type { DriverContext } from '../page/context.ts';
import type { ModelImage } from '../model/model-client.ts';
import type { Page } from '../page/page.ts';
import type { Observation } from '../snapshot/next-observation.ts';
import { reasonOf } from '../util/error-facts.ts';
import type { Progress } from '../util/progress.ts';
import { documentOf, type PageWatch } from './page-watch.ts';

/** What was seen in a look at the page that is worked on. */
export interface Sight {
  readonly observation: Observation;
  readonly title: string;
  /** What is in view, for a model that is shown it. */
  readonly picture?: ModelImage;
  /** What became of the page that was worked on before, when that is gone. */
  readonly note: string | undefined;
}

interface Surroundings {
  readonly browser: DriverContext;
  readonly watch: PageWatch;
  settleTimeout(page: Page): number;
  /** Takes the picture that goes with a look; undefined when none does. */
  readonly picture?: ((progress: Progress, page: Page) => Promise<ModelImage>) | undefined;
}

/** The page that is worked on; another one when it closes or crashes. */
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

  /** Works on another page from now on. */
  use(page: Page): void {
    this.#page = page;
  }

  /** Which page, document and address it is. */
  get place(): string {
    return `${documentOf(this.#page)} ${this.#page.url()}`;
  }

  /** Looks at it, or at the one that is left when it is gone; undefined when none is. */
  async look(progress: Progress): Promise<Sight | undefined> {
    let note: string | undefined;
    for (;;) {
      if (this.#page.isClosed()) {
        const left = this.#around.browser.activePage();
        if (!left) return undefined;
        note = `${goneText(this.#page)} You work on page ${this.#around.browser.pages().indexOf(left) + 1} now.`;
        this.#page = left;
      }
      const sight = await this.#see(progress, this.#page);
      if (sight) return { ...sight, note };
    }
  }

  /** Undefined when the page goes away meanwhile. */
  async #see(progress: Progress, page: Page): Promise<Omit<Sight, 'note'> | undefined> {
    try {
      if (!this.#settled.has(page)) await settlePage(progress, page.target, this.#around.settleTimeout(page));
      this.#settled.add(page);
      const observation = await this.#around.watch.look(progress, page);
      const title = this.#around.watch.shown(page)?.title ?? '';
      const picture = await this.#around.picture?.(progress, page);
      return { observation, title, ...(picture && { picture }) };
    } catch (error) {
      progress.throwIfEnded();
      if (error instanceof DriverClosedError && page.isClosed()) return undefined;
      throw error;
    }
  }
}

function goneText({ target }: Page): string {
  return `The page that you worked on is gone: ${reasonOf(target.gone.reason)}`;
}
