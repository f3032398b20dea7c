import type { BrowserTargets } from '../../cdp/browser-targets.ts';
import { DriverClosedError } from '../../errors.ts';
import type { DomainPolicy } from '../../cdp/network/domain-policy.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import { ProtocolError } from '../../cdp/protocol-error.ts';
import type { Log } from '../../util/log.ts';

/**
 * Closes a popup as soon as it navigates to a URL that the domain policy refuses. A new policy also closes open popups
 * whose current or pending URL it refuses.
 */
export function closeRefusedPopups(targets: BrowserTargets, log: Log): void {
  const close = (page: PageTarget, url: string): void => {
    if (page.isClosing) return;
    log.write('page', 0, `Closed a page that was opened for ${url}: the domain policy refuses this URL.`);
    page.close().catch(ignoreGone);
  };
  targets.control.events.on('documentRefused', ({ frameId, url }) => {
    const page = targets.page(frameId);
    if (page && (page.isPopup || page.awaitsFirstDocument)) close(page, url);
  });
  targets.control.events.on('policySet', (policy) => {
    for (const page of targets.pages) {
      const url = page.isPopup && page.isNew ? refusedAddress(page, policy) : undefined;
      if (url !== undefined) close(page, url);
    }
  });
}

/** Returns the URL of the document or of a pending navigation, if the policy refuses it. */
function refusedAddress(
  { frames: { main }, network }: PageTarget,
  policy: DomainPolicy | undefined,
): string | undefined {
  const requests = network.inFlight.filter(({ type, frameId }) => type === 'Document' && frameId === main.id);
  return [main.url, ...requests.map(({ url }) => url)].find((url) => url !== '' && policy?.refuses(url));
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof ProtocolError || error instanceof DriverClosedError)) throw error;
}
