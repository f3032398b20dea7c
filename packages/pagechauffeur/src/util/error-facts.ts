import { DriverError } from '../errors.ts';

/** The parts of an error that the history and logs store. */
export interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Returns the facts of an error for the history and logs. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof DriverError) return { name: error.name, code: error.code, message: error.message };
  return { name: 'Error', code: 'UNKNOWN', message: reasonOf(error) };
}

/** Returns the message of a thrown value. */
export function reasonOf(error: unknown): string {
  // Node reports failed connection attempts (IPv6, IPv4) as one AggregateError without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** The first line of an error's message, without the call log. */
export function errorSentence({ message }: ErrorFacts): string {
  return message.split('\n', 1)[0] ?? '';
}

/** Appends a sentence to an error's message, before the call log. Returns the same error. */
export function withSentence<E extends Error>(error: E, sentence: string): E {
  const { message, stack = '' } = error;
  const [said] = message.split('\nCall log:\n', 1);
  const more = `${said} ${sentence}${message.slice(said?.length)}`;
  error.stack = stack.replace(message, () => more);
  error.message = more;
  return error;
}
