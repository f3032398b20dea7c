import {
  DriverAbortError,
  DriverEnvironmentError,
  DriverError,
  DriverInitError,
  DriverUnsupportedFeatureError,
  MissingEnvironmentVariableError,
  RemoteApiError,
  RemoteSessionNotFoundError,
} from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';

/** Returns errors that `init()` may throw. Wraps all others in a `DriverInitError`. */
export function asInitError(error: unknown): DriverError {
  const kept = [
    DriverInitError,
    DriverAbortError,
    DriverEnvironmentError,
    DriverUnsupportedFeatureError,
    MissingEnvironmentVariableError,
    RemoteApiError,
    RemoteSessionNotFoundError,
  ];
  if (error instanceof DriverError && kept.some((kind) => error instanceof kind)) return error;
  return new DriverInitError(`Cannot use the browser: ${reasonOf(error)}`, {
    cause: error,
  });
}
