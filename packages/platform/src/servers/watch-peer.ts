import { once } from 'node:events';
import { openPeerRequest } from './peer-request.ts';

const ASK_AGAIN_MS = 1000;
const ANSWER_MS = 2000;
/** A busy server may miss one. */
const MISSES = 2;

/**
 * Asks another server how it is until the returned function is called. `onSilent` is called once, when it has stopped answering: the
 * system of a server that is frozen goes on taking connections, and what is asked of it may rightly take a minute.
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

/** Whether another server answers. Any answer will do, also that it is about to end. */
export async function isResponding(address: string): Promise<boolean> {
  try {
    const request = await openPeerRequest(address, { method: 'GET', url: '/healthz', headers: {} });
    request.setTimeout(ANSWER_MS, () => request.destroy(new TypeError('no answer in time')));
    request.end();
    await once(request, 'response');
    request.destroy();
    return true;
  } catch {
    // Counted by the caller.
    return false;
  }
}
