import type { PlatformLog } from '../../src/platform-log.ts';

/** A log that discards its lines. */
export const silentLog: PlatformLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
