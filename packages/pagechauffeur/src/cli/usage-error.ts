import { DriverError } from '../errors.ts';

/** The command line arguments are invalid. */
export class UsageError extends DriverError {
  override readonly name: string = 'UsageError';
  override readonly code = 'USAGE';
}
