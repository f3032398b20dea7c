import { once } from 'node:events';
import { openPeerRequest } from './peer-request.ts';

const ASK_AGAIN_MS = 1000;
const ANSWER_MS = 2000;
/** A busy server may miss one ping. */
const MISSES = 2;

/**
 * Pings another server every second. Calls `onSilent` once after two pings without a response: a frozen server still
 * accepts connections, and a request to it could hang for a minute. Returns a function that stops the pings.
 */
export function watchPeer(address: string, onSilent: () => void): () => void {
  let misses = 0;
  let isStopped = false;
  let next: NodeJS.Timeout | undefined;
  const ask = async (): Promise<void> => {
    misses = (await isResponding(address)) ? 0 : misses + 1;
    if (isStopped) return;
    if (misses === MISSES) onSilent();
    else next = setTimeout(() => void ask(), ASK_AGAIN_MS).unref();
  };
  next = setTimeout(() => void ask(), ASK_AGAIN_MS).unref();
  return () => {
    isStopped = true;
    clearTimeout(next);
  };
}

/** True if the server responds in time. Any status counts, even while it shuts down. */
export async function isResponding(address: string): Promise<boolean> {
  try {
    const request = await openPeerRequest(address, { method: 'GET', url: '/healthz', headers: {} });
    request.setTimeout(ANSWER_MS, () => request.destroy(new TypeError('no response in time')));
    request.end();
    await once(request, 'response');
    request.destroy();
    return true;
  } catch {
    // The caller counts misses.
    return false;
  }
}
