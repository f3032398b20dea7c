import { given, proxyAddress, type ServiceShape, textOf, withQuery } from '../service-shape.ts';

/** Sessions API of Browserless. It has no lookup by id, so sessions cannot be resumed. */
export const browserless: ServiceShape = {
  name: 'Browserless',
  baseUrl: 'https://production-sfo.browserless.io',
  headers: () => ({}),
  create: ({ viewport: _viewport, proxy, timeout, keepAlive: _keepAlive, ...others }, apiKey) => ({
    method: 'POST',
    path: `/session?token=${encodeURIComponent(apiKey)}`,
    body: given({ ttl: timeout ?? 300_000, externalProxyServer: proxyAddress(proxy), ...others }),
  }),
  find: () => undefined,
  release: (id, { stop }) => ({ method: 'DELETE', path: stopPath(id, textOf(stop)) }),
  read: ({ id, browserWSEndpoint, connect }, apiKey) => ({
    id: textOf(id),
    isRunning: true,
    connectUrl: withQuery(textOf(browserWSEndpoint) ?? textOf(connect), 'token', apiKey),
    sessionUrl: undefined,
    debugUrl: undefined,
  }),
};

/** Keeps only path and query of the service's `stop` URL, so that the key is never sent to another host. */
function stopPath(id: string, stop: string | undefined): string {
  const url = new URL(stop ?? `/session/${encodeURIComponent(id)}`, 'http://service');
  url.searchParams.set('force', 'true');
  return url.pathname + url.search;
}
