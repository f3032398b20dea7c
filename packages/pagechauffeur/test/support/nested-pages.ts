import type { TestServer } from './serve.ts';

/** A way in which content stands inside a page: in a shadow root of some kind, or in a frame of some kind. */
export type Nesting = 'open' | 'closed' | 'declared' | 'same' | 'other';

/** Every kind of nesting. */
export const NESTINGS: readonly Nesting[] = ['open', 'closed', 'declared', 'same', 'other'];

/** What the innermost level holds. */
const DEEP_CONTENT = `<button onclick="this.textContent = 'Clicked'">Deep</button><label>Field <input></label><p hidden>Never seen</p>`;

/** Lets a server answer `/nest?path=open.same.closed` with a page of that nesting, outermost first. */
export function serveNestedPages(server: TestServer): (path: readonly Nesting[]) => string {
  server.page('/nest', (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const path = (url.searchParams.get('path') ?? '').split('.').filter(Boolean) as Nesting[];
    const isMainHost = url.origin === server.origin;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><title>Nested</title>${MAKE_ROOT}<body>${levelHtml(path, isMainHost ? server.otherOrigin : server.origin)}</body>`,
    );
  });
  return (path) => `${server.origin}/nest?path=${path.join('.')}`;
}

function levelHtml([kind, ...rest]: readonly Nesting[], foreignOrigin: string): string {
  if (kind === undefined) return DEEP_CONTENT;
  const frame = `/nest?path=${rest.join('.')}`;
  if (kind === 'same') return `<iframe src="${frame}" width="600" height="300"></iframe>`;
  if (kind === 'other') return `<iframe src="${foreignOrigin}${frame}" width="600" height="300"></iframe>`;
  const content = levelHtml(rest, foreignOrigin);
  if (kind === 'declared') return `<section><template shadowrootmode="closed">${content}</template></section>`;
  return `<make-root mode="${kind}" content="${content.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></make-root>`;
}

/** Puts a plain `div` with a shadow root of the wanted mode in its own place, wherever it is parsed. */
const MAKE_ROOT = `<script>customElements.define('make-root', class extends HTMLElement {
  connectedCallback() {
    const host = document.createElement('div');
    host.attachShadow({ mode: this.getAttribute('mode') }).setHTMLUnsafe(this.getAttribute('content'));
    this.replaceWith(host);
  }
});</script>`;

/** Every sequence of the given kinds with this length. */
export function sequences<T>(kinds: readonly T[], length: number): T[][] {
  if (length === 0) return [[]];
  return kinds.flatMap((kind) => sequences(kinds, length - 1).map((rest) => [kind, ...rest]));
}
