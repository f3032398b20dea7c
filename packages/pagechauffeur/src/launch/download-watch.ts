import { DriverInitError } from '../errors.ts';
import { deferred } from '../util/deferred.ts';

const LOG_STEP_PERCENT = 10;
/** Without a known total size, progress is logged every 25 MB. */
const LOG_STEP_BYTES = 25e6;
const TIMEOUT_MS = 60_000;

/** Watches a download. */
interface DownloadWatch extends Disposable {
  readonly onBytes: (done: number, total: number) => void;
  /** Rejects if no data arrives for a while. */
  readonly stalled: Promise<never>;
}

/** Logs the progress of a download and detects when it stalls. */
export function downloadWatch(log: (line: string) => void, timeout: number = TIMEOUT_MS): DownloadWatch {
  const stalled = deferred<never>();
  const giveUp = (): void => stalled.reject(new DriverInitError(`no data arrived for ${Math.round(timeout / 1000)} s`));
  const timer = setTimeout(giveUp, timeout);
  let next = 0;
  const onBytes = (done: number, total: number): void => {
    timer.refresh();
    const step = total > 0 ? (total * LOG_STEP_PERCENT) / 100 : LOG_STEP_BYTES;
    if (done < next) return;
    next = (Math.floor(done / step) + 1) * step;
    log(total > 0 ? `${Math.floor((100 * done) / total)} % of ${megabytes(total)}` : megabytes(done));
  };
  return { onBytes, stalled: stalled.promise, [Symbol.dispose]: () => clearTimeout(timer) };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
