import { DriverError } from '../errors.ts';

/** A command was called in a way that it does not know. */
export class UsageError extends DriverError {
  override readonly name: string = 'UsageError';
  override readonly code = 'USAGE';
}
