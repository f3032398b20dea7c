import type { PlatformLog } from '../../src/platform-log.ts';

/** A log that keeps its lines. */
export interface KeptLog extends PlatformLog {
  readonly lines: readonly string[];
}

/** Makes a log whose lines are the facts, as JSON, and the message. */
export function keptLog(): KeptLog {
  const lines: string[] = [];
  const write = (facts: object, message: string): void => void lines.push(`${JSON.stringify(facts)} ${message}`);
  return { lines, info: write, warn: write, error: write };
}
