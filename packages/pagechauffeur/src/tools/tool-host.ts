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

/** Settings that all calls of one agent run, command line or MCP client share. */
interface ToolHostSettings {
  readonly browser: DriverContext;
  readonly variables: VariableTable;
  /** The user's instruction. Tools may access the files and URLs that it names. */
  readonly instruction: string;
  /** Files that tools may access in addition. */
  readonly files: readonly string[] | undefined;
  readonly ask: Handoff | undefined;
  readonly verbs: (page: Page) => VerbContext;
}

/** Creates the context for each tool call. Keeps state between calls, such as downloads. */
export class ToolHost implements Disposable {
  /** Tracks which page tools the model knows. */
  readonly pageTools: PageTools = new PageTools();
  readonly pictures: PageScreenshots = new PageScreenshots();
  readonly #settings: ToolHostSettings;
  readonly #dialogs = new DialogAnswers();
  readonly #downloads = new SeenDownloads();

  constructor(settings: ToolHostSettings) {
    this.#settings = settings;
  }

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

/** Maximum length of the longer side in pixels. Providers scale down larger images, which would shift coordinates. */
const MAX_SIDE = 1568;

/** Takes the screenshots that accompany pages in mode `hybrid`. */
class PageScreenshots {
  #scale = 1;

  /** Screenshot pixels per CSS pixel in the last screenshot. */
  get scale(): number {
    return this.#scale;
  }

  async take(progress: Progress, page: Page): Promise<ModelImage> {
    const { cssLayoutViewport: view } = await progress.race(page.target.session.send('Page.getLayoutMetrics'));
    this.#scale = Math.min(1, MAX_SIDE / Math.max(view.clientWidth, view.clientHeight));
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const data = await page.screenshot({ scale: this.#scale, ...limits });
    return { data, mediaType: 'image/png' };
  }
}
