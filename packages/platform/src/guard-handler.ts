import { faultOf, reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

/** Where others hand something to this server: what it is called in logs, and what is ended when that cannot be handled. */
export interface GuardedHandler<Given extends readonly unknown[]> {
  /** Such as `gateway`. */
  readonly name: string;
  readonly log: PlatformLog | undefined;
  /** Facts for the log, such as the session. */
  readonly facts?: object;
  /** Ends the one connection by which it came. */
  readonly end: (...given: Given) => unknown;
}

/**
 * The handler of a door, out of which nothing escapes. What it throws or rejects with ends the connection by which it was caused and is
 * logged, without what came; the process and all other connections go on.
 */
export function guardHandler<Given extends readonly unknown[]>(
  { name, log, facts, end }: GuardedHandler<NoInfer<Given>>,
  handle: (...given: Given) => unknown,
): (...given: Given) => void {
  return (...given) => {
    const failed = (error: unknown): void => {
      log?.error(
        { door: name, ...facts, reason: faultOf(error) },
        'a connection was ended: it sent what cannot be handled',
      );
      try {
        end(...given);
      } catch (cause) {
        log?.error({ door: name, ...facts, reason: reasonOf(cause) }, 'a connection could not be ended');
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
