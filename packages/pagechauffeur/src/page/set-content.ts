import type { NetworkRequest } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { Progress } from '../util/progress.ts';
import { waitForLoadState } from './navigation.ts';
import type { LoadState } from './navigation-watch.ts';
import { forgetQuiet } from './network-quiet.ts';

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
  // `Page.setDocumentContent` causes no lifecycle events, so the document's ready state is read instead.
  await progress.race(world.evaluate(whenReady.toString(), [waitUntil === 'load' ? 'complete' : 'interactive']));
  if (waitUntil === 'load') await progress.race(requests.ended());
  if (waitUntil === 'networkidle') await waitForLoadState(progress, page, waitUntil);
}

/** Types of requests that delay the `load` event. */
const KINDS_OF_LOAD = new Set(['Document', 'Stylesheet', 'Image', 'Script', 'Font']);

/** Collects the requests that would delay the `load` event of a document that is written now. */
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

  /** Resolves when all collected requests have ended, including those that started meanwhile. */
  async ended(): Promise<void> {
    for (const request of this.#started) await this.#page.network.whenEnded(request);
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** Runs in the page. Resolves when the document has reached this ready state. */
function whenReady(state: 'interactive' | 'complete'): Promise<void> {
  const { document } = globalThis as unknown as {
    document: EventTarget & { readyState: 'loading' | 'interactive' | 'complete' };
  };
  return new Promise((done) => {
    function check(): void {
      if (document.readyState === 'loading' || (state === 'complete' && document.readyState !== 'complete')) return;
      document.removeEventListener('readystatechange', check);
      done();
    }
    document.addEventListener('readystatechange', check);
    check();
  });
}
