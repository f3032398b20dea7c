import type { PlatformLog } from '../../src/platform-log.ts';

/** A log that nobody reads. */
export const silentLog: PlatformLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
