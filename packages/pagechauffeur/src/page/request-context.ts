import type { NetworkMonitor } from '../cdp/network-monitor.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import type { PageSettings } from './call-limits.ts';

/** What a request and its answer are made from. */
export interface RequestContext {
  /** The page that asked; undefined when a worker that no page owns asked. */
  readonly page: PageTarget | undefined;
  readonly network: NetworkMonitor;
  readonly settings: PageSettings;
}
