import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { waitForLoadState } from './navigation.ts';
import type { LoadState } from './navigation-watch.ts';
import { forgetQuiet } from './network-quiet.ts';

/** Replaces the document of a page at the same URL, and waits until it has loaded far enough. */
export async function setContent(
  progress: Progress,
  page: PageTarget,
  { html, waitUntil }: { html: string; waitUntil: LoadState },
): Promise<void> {
  const { main } = page.frames;
  using requests = new LoadRequests(page);
  progress.log(`writing the document and waiting for ${waitUntil}`);
  const world = await progress.race(main.worlds.isolated);
  await progress.race(page.session.send('Page.setDocumentContent', { frameId: main.id, html }));
  forgetQuiet(page);
  if (waitUntil === 'commit') return;
  // A written document has no lifecycle events. Its ready state is used instead.
  await progress.race(world.evaluate(whenReady.toString(), [waitUntil === 'load' ? 'complete' : 'interactive']));
  if (waitUntil === 'load') await progress.race(requests.ended());
  if (waitUntil === 'networkidle') await waitForLoadState(progress, page, waitUntil);
}

/** Requests that a document's `load` event waits for. */
const KINDS_OF_LOAD = new Set(['Document', 'Stylesheet', 'Image', 'Script', 'Font']);

/** Requests since a moment that a document's `load` event would wait for. */
class LoadRequests implements Disposable {
  readonly #page: PageTarget;
  readonly #started = new Set<NetworkRequest>();
  readonly #stop: () => void;

  constructor(page: PageTarget) {
    this.#page = page;
    this.#stop = page.network.events.on('started', (request) => {
      if (KINDS_OF_LOAD.has(request.type ?? '')) this.#started.add(request);
    });
  }

  /** Resolves when all have ended, including those that started meanwhile. */
  async ended(): Promise<void> {
    for (const request of this.#started) await this.#page.network.whenEnded(request);
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Runs in the page: waits until the document has this state. */
function whenReady(state: 'interactive' | 'complete'): Promise<void> {
  const { document } = globalThis as unknown as {
    document: EventTarget & { readyState: 'loading' | 'interactive' | 'complete' };
  };
  return new Promise((done) => {
    function look(): void {
      if (document.readyState === 'loading' || (state === 'complete' && document.readyState !== 'complete')) return;
      document.removeEventListener('readystatechange', look);
      done();
    }
    document.addEventListener('readystatechange', look);
    look();
  });
}
