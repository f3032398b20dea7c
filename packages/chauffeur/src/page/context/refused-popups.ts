import type { BrowserTargets } from '../../cdp/browser-targets.ts';
import { DriverClosedError } from '../../errors.ts';
import { ProtocolError } from '../../cdp/protocol-error.ts';
import type { Log } from '../../util/log.ts';

/** Closes every page that was opened by another as soon as it is led to an address that the domain policy refuses. */
export function closeRefusedPopups(targets: BrowserTargets, log: Log): void {
  targets.control.events.on('documentRefused', ({ frameId, url }) => {
    const page = targets.page(frameId);
    if (!page?.isPopup) return;
    log.write('page', 0, `Closed a page that was opened for ${url}: the domain policy refuses that address.`);
    page.close().catch(ignoreGone);
  });
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof ProtocolError || error instanceof DriverClosedError)) throw error;
}
