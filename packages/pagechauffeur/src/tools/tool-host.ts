import type { DriverContext } from '../page/context.ts';
import { namesAddress } from '../policy/named-address.ts';
import { fileIssue } from '../policy/named-files.ts';
import type { Page } from '../page/page.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { DialogAnswers } from './dialog-answers.ts';
import type { Handoff } from './handoff.ts';
import { SeenDownloads } from './seen-downloads.ts';
import type { ToolCall, ToolContext } from './tool-context.ts';
import { PageTools } from './web-mcp/page-tools.ts';
import type { ModelImage } from '../model/model-client.ts';
import type { Progress } from '../util/progress.ts';

/** What the tools of one user share: an agent run, a command line, or a client of a server. */
interface ToolHostSettings {
  readonly browser: DriverContext;
  readonly variables: VariableTable;
  /** The user's instruction, which names the files that may be read and written. */
  readonly instruction: string;
  /** Additional files that tools may read and write. */
  readonly files: readonly string[] | undefined;
  readonly ask: Handoff | undefined;
  readonly verbs: (page: Page) => VerbContext;
}

/** Keeps the state of tools between calls and creates the context of each call. */
export class ToolHost implements Disposable {
  /** Tools declared by pages that were shown. */
  readonly pageTools: PageTools = new PageTools();
  readonly pictures: PageScreenshots = new PageScreenshots();
  readonly #settings: ToolHostSettings;
  readonly #dialogs = new DialogAnswers();
  readonly #downloads = new SeenDownloads();

  constructor(settings: ToolHostSettings) {
    this.#settings = settings;
  }

  /** Context of one call. */
  context(call: ToolCall): ToolContext {
    const { browser, variables, instruction, files, ask, verbs } = this.#settings;
    this.#downloads.watch(call.page);
    return {
      ...call,
      browser,
      variables,
      ask,
      verbs: verbs(call.page),
      dialogs: this.#dialogs,
      downloads: this.#downloads,
      screenshotScale: this.pictures.scale,
      namesAddress: (address) => namesAddress(instruction, address),
      fileIssue: (path) => (this.#downloads.hasPath(path) ? null : fileIssue(path, { instruction, variables, files })),
    };
  }

  [Symbol.dispose](): void {
    this.#dialogs[Symbol.dispose]();
    this.#downloads[Symbol.dispose]();
  }
}

/** Maximum side in pixels. Providers downscale larger images, which would shift points in them. */
const MAX_SIDE = 1568;

/** Screenshots that accompany pages, in which the model names points. */
class PageScreenshots {
  #scale = 1;

  /** Pixels of the last screenshot per CSS pixel. */
  get scale(): number {
    return this.#scale;
  }

  /** Takes a screenshot of the viewport. */
  async take(progress: Progress, page: Page): Promise<ModelImage> {
    const { cssLayoutViewport: view } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
    this.#scale = Math.min(1, MAX_SIDE / Math.max(view.clientWidth, view.clientHeight));
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const data = await page.screenshot({ scale: this.#scale, ...limits });
    return { data, mediaType: 'image/png' };
  }
}
