import type { NetworkControl } from '../../cdp/network/network-control.ts';
import { reasonOf } from '../../util/error-facts.ts';
import type { Log } from '../../util/log.ts';

/** Logs requests that the browser refused to send as a handler changed them. */
export function logRequestFaults(control: NetworkControl, log: Log): void {
  control.events.on('requestFault', ({ url, error }) => {
    log.write('page', 0, `The request of ${url} failed: the browser does not send it so: ${reasonOf(error)}`);
  });
}
