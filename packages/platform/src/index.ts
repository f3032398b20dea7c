export { PlatformError, type ErrorCode } from './errors.ts';
export type { PlatformOptions } from './options.ts';
export { type Platform, startPlatform } from './platform.ts';
