import { DriverError } from '../../src/index.ts';

/** Resolves with false if the call rejects with one of these error codes. Other errors fail the test. */
export async function succeeds(call: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof DriverError && codes.includes(error.code)) return false;
    throw error;
  }
}
