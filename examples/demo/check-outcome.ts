import { isDeepStrictEqual, styleText } from 'node:util';
import { print, StepError } from './journal.ts';

/** Something that must hold when the demo is over. */
export interface Expectation {
  readonly what: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Prints what holds, and throws when something does not. */
export function checkOutcome(expectations: readonly Expectation[]): void {
  print('\nAsked the application itself, not the page:');
  const failed = expectations.filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected));
  for (const expectation of expectations) {
    print(`  ${failed.includes(expectation) ? styleText('red', '✗') : styleText('green', '✓')} ${expectation.what}`);
  }
  if (failed.length === 0) return;
  const differences = failed.map(
    ({ what, expected, actual }) => `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
  throw new StepError(differences.join('\n'));
}
