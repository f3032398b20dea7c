import { given, proxyAddress, type ServiceShape, textOf, withQuery } from '../service-shape.ts';

const PATH = '/v1/sessions';

/**
 * Sessions API of Steel, hosted or self-hosted. Timeouts are in ms. `keepAlive` is dropped: a session ends by its
 * timeout or when it is released.
 */
export const steel: ServiceShape = {
  name: 'Steel',
  baseUrl: 'https://api.steel.dev',
  headers: (apiKey) => ({ 'steel-api-key': apiKey }),
  create: ({ viewport, proxy, keepAlive: _keepAlive, ...others }) => ({
    method: 'POST',
    path: PATH,
    body: given({ ...others, dimensions: viewport, proxyUrl: proxyAddress(proxy) }),
  }),
  find: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` }),
  release: (id) => ({ method: 'POST', path: `${PATH}/${encodeURIComponent(id)}/release`, body: {} }),
  read: ({ id, status, websocketUrl, sessionViewerUrl, debugUrl }, apiKey) => ({
    id: textOf(id),
    isRunning: status === 'live' || status === 'idle',
    connectUrl: withQuery(textOf(websocketUrl), 'apiKey', apiKey),
    sessionUrl: textOf(sessionViewerUrl),
    debugUrl: textOf(debugUrl),
  }),
};
