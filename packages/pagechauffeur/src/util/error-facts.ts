import { DriverError } from '../errors.ts';

/** The fields of an error that the history and logs keep. */
export interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Uses the code `UNKNOWN` for errors from other libraries. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof DriverError) return { name: error.name, code: error.code, message: error.message };
  return { name: 'Error', code: 'UNKNOWN', message: reasonOf(error) };
}

/** Returns the message of a thrown value, which may not be an `Error`. */
export function reasonOf(error: unknown): string {
  // Node reports failed connection attempts (IPv6, then IPv4) as one AggregateError without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

export function errorSentence({ message }: ErrorFacts): string {
  return message.split('\n', 1)[0] ?? '';
}

/** Inserts a sentence into the error's message, before the call log. Returns the same error. */
export function withSentence<E extends Error>(error: E, sentence: string): E {
  const { message, stack = '' } = error;
  const [summary] = message.split('\nCall log:\n', 1);
  const more = `${summary} ${sentence}${message.slice(summary?.length)}`;
  error.stack = stack.replace(message, () => more);
  error.message = more;
  return error;
}
