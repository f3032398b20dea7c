import type { FrameSnapshot, FrameSnapshotOptions, FrameTreeSnapshot, WireNode } from '../../src/injected/contract.ts';
import type { TestBrowser } from '../support/launch-for-test.ts';
import type { TestServer } from '../support/serve.ts';

/** A page of a test, loaded, with the snapshots that the program inside it gives. */
export class FramePage {
  readonly #browser: TestBrowser;
  readonly #server: TestServer;
  #isLoaded = false;

  constructor(browser: TestBrowser, server: TestServer) {
    this.#browser = browser;
    this.#server = server;
  }

  /** Loads a page with this body. */
  async load(body: string): Promise<void> {
    await this.#browser.goto(this.#server.page('/page', htmlOf(body)));
    this.#isLoaded = true;
  }

  async #write(html: string): Promise<void> {
    const { frames, session } = this.#browser.page;
    await session.send('Page.setDocumentContent', { frameId: frames.main.id, html });
    const world = await frames.main.worlds.main;
    await world.evaluate(
      `document.readyState === 'complete' || new Promise((done) => addEventListener('load', done, { once: true }))`,
      null,
    );
  }

  /** The main frame's part of a snapshot. */
  async snapshot(options: FrameSnapshotOptions = {}): Promise<FrameSnapshot & FrameTreeSnapshot> {
    const world = await this.#browser.page.frames.main.worlds.isolated;
    const snapshot = await world.call('snapshot', { withTree: true, ...options });
    return { nodes: [], roles: [], ...snapshot, ...snapshot.tree };
  }

  /** Shows a page with this body and gives its lines, one string each; rewrites the current page, which is cheaper than a navigation. */
  async lines(body: string): Promise<string[]> {
    await (this.#isLoaded ? this.#write(htmlOf(body)) : this.load(body));
    return this.currentLines();
  }

  /** The lines of the page as it is now. */
  async currentLines(): Promise<string[]> {
    return linesOf(await this.snapshot());
  }

  /** Runs a function body in the page's own world. */
  async run(source: string): Promise<void> {
    const world = await this.#browser.page.frames.main.worlds.main;
    await world.evaluate(`(() => { ${source} })()`, null);
  }
}

function htmlOf(body: string): string {
  return `<!doctype html><html lang="en"><title>Page</title><body>${body}</body></html>`;
}

/** The lines of a frame's part as text: `* button Save (disabled)`; the star says that it has a ref. */
function linesOf({ nodes, roles, url }: FrameSnapshot & FrameTreeSnapshot): string[] {
  const { origin } = new URL(url);
  return nodes.flatMap((node) => written(node, { roles, origin }, ''));
}

function written(node: WireNode, page: { roles: readonly string[]; origin: string }, indent: string): string[] {
  if (typeof node === 'string') return [`${indent}"${node}"`];
  const [role, name = '', ref = 0, properties = 0, children = []] = node;
  const facts = Object.entries(properties === 0 ? {} : properties).map(([key, value]) => {
    if (key === 'states') return String(value);
    return `${key}=${key === 'url' && String(value).startsWith('/') ? page.origin : ''}${String(value)}`;
  });
  const head = `${ref === 0 ? '' : '* '}${page.roles[role]}${name === '' ? '' : ` ${name}`}${facts.length === 0 ? '' : ` (${facts.join(' ')})`}`;
  return [indent + head, ...children.flatMap((child) => written(child, page, `${indent}  `))];
}
