import type { NetworkMonitor } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { PageSettings } from '../actions/call-limits.ts';

/** Context of a request and its response. */
export interface RequestContext {
  /** The page that sent the request. `undefined` for a worker without a page. */
  readonly page: PageTarget | undefined;
  readonly network: NetworkMonitor;
  readonly settings: PageSettings;
}
