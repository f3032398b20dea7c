import { faultOf, reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

export interface GuardedHandler<Given extends readonly unknown[]> {
  /** Name in log lines, for example `gateway`. */
  readonly name: string;
  readonly log: PlatformLog | undefined;
  /** More fields for log lines, for example the session. */
  readonly facts?: object;
  readonly end: (...given: Given) => unknown;
}

/**
 * Wraps an event handler, so that an exception or rejection ends its connection instead of the process. Logs the error
 * without received data.
 */
export function guardHandler<Given extends readonly unknown[]>(
  { name, log, facts, end }: GuardedHandler<NoInfer<Given>>,
  handle: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    const failed = (error: unknown): void => {
      log?.error(
        { handler: name, ...facts, reason: faultOf(error) },
        'ended a connection after an error in its handler',
      );
      try {
        end(...given);
      } catch (cause) {
        log?.error({ handler: name, ...facts, reason: reasonOf(cause) }, 'cannot end a connection');
      }
    };
    try {
      const handled = handle(...given);
      if (handled instanceof Promise) handled.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
