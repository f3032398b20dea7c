import { vi } from 'vitest';
import { Session } from '../../src/cdp/session.ts';

interface DrawnHighlight {
  readonly backendNodeId: number;
  readonly highlightConfig: Readonly<Record<string, unknown>>;
}

/** Returns the highlights that the browser drew during the call, which screenshots leave out, and `hidden` for each removal. */
export async function highlightsDuring(call: () => Promise<unknown>): Promise<(DrawnHighlight | 'hidden')[]> {
  using sent = vi.spyOn(Session.prototype, 'send');
  await call();
  return sent.mock.calls.flatMap<DrawnHighlight | 'hidden'>(([method, params]) => {
    if (method === 'Overlay.hideHighlight') return ['hidden'];
    return method === 'Overlay.highlightNode' ? [params as DrawnHighlight] : [];
  });
}
