import type { NetworkMonitor } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { PageSettings } from '../actions/call-limits.ts';

export interface RequestContext {
  /** `undefined` for a request from a worker without a page. */
  readonly page: PageTarget | undefined;
  readonly network: NetworkMonitor;
  readonly settings: PageSettings;
}
