import { Connection } from 'chauffeur/internal';
import { reasonOf } from '../errors.ts';

/** The watch over one browser. */
export interface Heartbeat {
  stop(): void;
}

/** A browser on a busy machine answers within seconds; one that takes longer than this hangs. */
const ANSWER_MS = 20_000;

/**
 * Asks a browser again and again whether it lives, on a connection of its own. `onLoss` is called once when the
 * connection is gone or an answer does not come; behind a router, a dead browser leaves its sockets open.
 */
export async function startHeartbeat(url: string, every: number, onLoss: (reason: string) => void): Promise<Heartbeat> {
  const connection = await Connection.open(url, { signal: AbortSignal.timeout(ANSWER_MS) });
  let isStopped = false;
  let next: NodeJS.Timeout | undefined;
  let overdue: NodeJS.Timeout | undefined;
  const stop = (): void => {
    isStopped = true;
    clearTimeout(next);
    clearTimeout(overdue);
    connection.close();
  };
  const lose = (reason: string): void => {
    if (isStopped) return;
    stop();
    onLoss(reason);
  };
  const beat = (): void => {
    overdue = setTimeout(lose, ANSWER_MS, 'Its browser did not answer.');
    void ask();
  };
  const ask = async (): Promise<void> => {
    try {
      await connection.browser.send('Browser.getVersion');
      clearTimeout(overdue);
      if (!isStopped) next = setTimeout(beat, every);
    } catch (error) {
      lose(`Its browser was lost: ${reasonOf(error)}`);
    }
  };
  connection.browser.on('closed', () => lose('Its browser ended.'));
  beat();
  return { stop };
}
