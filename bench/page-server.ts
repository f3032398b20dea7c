import { once } from 'node:events';
import { createServer } from 'node:http';
import { pagesByKind } from './kinds/all.ts';
import { repeatedPage } from './repeated.ts';
import { framed, shopTable, styledShopTable } from './pages.ts';

export interface PageServer extends AsyncDisposable {
  /** URL of a shop table with this many elements. */
  tableUrl(elementCount: number): string;
  /** URL of the same table with a style sheet. */
  styledTableUrl(elementCount: number): string;
  /** URL of a page with the same table in a frame of another site. */
  framedTableUrl(elementCount: number): string;
  /** URL of a page that repeats a fragment from `repeated.ts`, by name. */
  repeatedUrl(fragment: string, count: number): string;
  /** URL of a page from `kinds/all.ts`, by name. */
  pageUrl(kind: string): string;
}

/** Serves generated pages on a free port of 127.0.0.1. */
export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const html = pageAt(request.url ?? '/', request.headers.host ?? '');
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html ?? 'Not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  return {
    tableUrl: (elementCount) => `${base}/table/${elementCount}`,
    styledTableUrl: (elementCount) => `${base}/styled-table/${elementCount}`,
    framedTableUrl: (elementCount) => `${base}/framed-table/${elementCount}`,
    repeatedUrl: (fragment, count) => `${base}/repeated/${count}/${encodeURIComponent(fragment)}`,
    pageUrl: (kind) => `${base}/${kind}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pageAt(path: string, host: string): string | undefined {
  const [, count, fragment = ''] = /^\/repeated\/(\d+)\/(.+)$/.exec(path) ?? [];
  if (count !== undefined) return repeatedPage(decodeURIComponent(fragment), Number(count));
  const [, kind = '', elementCount] = /^\/([a-z-]+)(?:\/(\d+))?$/.exec(path) ?? [];
  if (elementCount === undefined) return pagesByKind[kind]?.();
  if (kind === 'framed-table') return framed(`http://${host.replace('127.0.0.1', 'localhost')}/table/${elementCount}`);
  return kind === 'styled-table' ? styledShopTable(Number(elementCount)) : shopTable(Number(elementCount));
}
