import { isRecord } from '../../util/is-record.ts';
import { given, type ServiceShape, textOf } from '../service-shape.ts';

const PATH = '/v1/sessions';

/** Sessions API of Browserbase. Its timeouts are in seconds. */
export const browserbase: ServiceShape = {
  name: 'Browserbase',
  baseUrl: 'https://api.browserbase.com',
  headers: (apiKey) => ({ 'x-bb-api-key': apiKey }),
  create: ({ viewport, proxy, timeout, metadata, browserSettings, ...others }) => ({
    method: 'POST',
    path: PATH,
    body: given({
      ...others,
      timeout: typeof timeout === 'number' ? Math.ceil(timeout / 1000) : undefined,
      userMetadata: metadata,
      proxies: isRecord(proxy) ? [{ type: 'external', ...proxy }] : undefined,
      browserSettings:
        viewport === undefined ? browserSettings : { ...(isRecord(browserSettings) ? browserSettings : {}), viewport },
    }),
  }),
  find: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` }),
  release: (id, { projectId }) => ({
    method: 'POST',
    path: `${PATH}/${encodeURIComponent(id)}`,
    body: given({ status: 'REQUEST_RELEASE', projectId }),
  }),
  debug: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}/debug` }),
  read: ({ id, status, connectUrl }) => ({
    id: textOf(id),
    isRunning: status === 'RUNNING' || status === 'PENDING',
    connectUrl: textOf(connectUrl),
    sessionUrl: `https://www.browserbase.com/sessions/${String(id)}`,
    debugUrl: undefined,
  }),
  readDebug: ({ debuggerFullscreenUrl, debuggerUrl }) => textOf(debuggerFullscreenUrl) ?? textOf(debuggerUrl),
};
