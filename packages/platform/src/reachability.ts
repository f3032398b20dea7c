import { reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

export type PartName = 'postgres' | 'redis' | 'grid' | 'peer';

/** Reachability of one dependency, for metrics and `/readyz`. */
export interface PartState {
  readonly part: PartName;
  /** URL of a Grid or of another server, to distinguish several of the same kind. Empty for others. */
  readonly name: string;
  readonly isReachable: boolean;
}

/** Tracks the reachability of one dependency. Logs changes only. */
export class Reachability implements PartState {
  readonly part: PartName;
  readonly name: string;
  readonly #log: PlatformLog;
  #isReachable = true;

  constructor(log: PlatformLog, part: PartName, name: string = '') {
    this.#log = log;
    this.part = part;
    this.name = name;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  reached(): void {
    if (this.#isReachable) return;
    this.#isReachable = true;
    this.#log.info(this.#facts, 'a dependency is reachable again');
  }

  missed(reason: unknown): void {
    if (!this.#isReachable) return;
    this.#isReachable = false;
    this.#log.error({ ...this.#facts, reason: reasonOf(reason) }, 'a dependency is unreachable');
  }

  get #facts(): object {
    return this.name === '' ? { part: this.part } : { part: this.part, name: this.name };
  }
}
