import { faultOf, reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

/** Name of a guarded handler in logs, and how to end its connection. */
export interface GuardedHandler<Given extends readonly unknown[]> {
  /** For example `gateway`. */
  readonly name: string;
  readonly log: PlatformLog | undefined;
  /** Facts for the log, such as the session. */
  readonly facts?: object;
  /** Ends the connection that caused the error. */
  readonly end: (...given: Given) => unknown;
}

/**
 * Wraps a handler so that no exception escapes. An exception or rejection ends the connection that caused it and is
 * logged without the received data. The process and all other connections continue.
 */
export function guardHandler<Given extends readonly unknown[]>(
  { name, log, facts, end }: GuardedHandler<NoInfer<Given>>,
  handle: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    const failed = (error: unknown): void => {
      log?.error(
        { handler: name, ...facts, reason: faultOf(error) },
        'ended a connection that sent an invalid message',
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
