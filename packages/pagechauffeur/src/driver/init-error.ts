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

/** Errors that say by their class what to do are kept; whatever else stopped the start becomes the cause. */
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
  return new DriverInitError(`The browser cannot be used: ${reasonOf(error)}`, {
    cause: error,
  });
}
