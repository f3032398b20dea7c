import { DriverError } from '../errors.ts';

/** What a history or a log keeps of an error. */
export interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** An error as it can be written down. */
export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof DriverError) return { name: error.name, code: error.code, message: error.message };
  return { name: 'Error', code: 'UNKNOWN', message: reasonOf(error) };
}

/** What an error says; anything can be thrown. */
export function reasonOf(error: unknown): string {
  // Node tells several attempts to connect (IPv6, IPv4) as one error without a message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** The first line of an error's message: what went wrong, without the call log. */
export function errorSentence({ message }: ErrorFacts): string {
  return message.split('\n', 1)[0] ?? '';
}

/** The error with a sentence more at the end of what it says, before the call log. */
export function withSentence<E extends Error>(error: E, sentence: string): E {
  const { message, stack = '' } = error;
  const [said] = message.split('\nCall log:\n', 1);
  const more = `${said} ${sentence}${message.slice(said?.length)}`;
  error.stack = stack.replace(message, () => more);
  error.message = more;
  return error;
}
