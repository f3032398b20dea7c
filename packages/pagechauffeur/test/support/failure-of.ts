/** What a call rejects with, watched from now on; a call that succeeds is itself the failure. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return new TypeError('the call was to fail and did not');
}
