import { DriverError } from '../errors.ts';

/** Thrown for invalid command line arguments. The process exits with code 2. */
export class UsageError extends DriverError {
  override readonly name: string = 'UsageError';
  override readonly code = 'USAGE';
}
