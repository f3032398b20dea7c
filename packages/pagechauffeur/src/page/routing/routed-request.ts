import { boundedAddress } from '../../cdp/bounded-event.ts';
import type { PausedRequest } from '../../cdp/network/paused-request.ts';
import { NetworkMonitor, type NetworkRequest } from '../../cdp/network-monitor.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { PageSettings } from '../../actions/call-limits.ts';
import { Request, requestOf } from '../request.ts';

/** The page of a paused request. `undefined` for a worker without a page. */
export function askingPage({ event }: PausedRequest, pages: readonly PageTarget[]): PageTarget | undefined {
  return pages.find(({ frames }) => frames.frame(event.frameId) !== undefined);
}

/** The public object of a paused request. The same one as in page events. */
export function routedRequest(paused: PausedRequest, page: PageTarget | undefined, settings: PageSettings): Request {
  const address = boundedAddress(paused.url);
  const known = page?.network.inFlight.find(({ id, url }) => id === paused.event.networkId && url === address);
  const context = { page, network: page?.network ?? new NetworkMonitor(), settings };
  return known ? requestOf(known, context) : new Request(factsOf(paused), context);
}

function factsOf({ event, session }: PausedRequest): NetworkRequest {
  const { requestId, networkId = requestId, frameId, request, resourceType } = event;
  return {
    id: networkId,
    frameId,
    loaderId: resourceType === 'Document' ? networkId : '',
    url: request.url,
    type: resourceType,
    sent: request,
    redirectedFrom: undefined,
    session,
    lastActivity: performance.now(),
  };
}
