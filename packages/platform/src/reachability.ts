import { reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

/** A dependency of a server. */
export type PartName = 'postgres' | 'redis' | 'grid' | 'peer';

/** Whether a dependency is reachable. */
export interface PartState {
  readonly part: PartName;
  /** Distinguishes several dependencies of a kind: the URL of a Grid or of another server. */
  readonly name: string;
  readonly isReachable: boolean;
}

/** Tracks the reachability of one dependency. Logs each change once. */
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

  /** Records an answer. */
  reached(): void {
    if (this.#isReachable) return;
    this.#isReachable = true;
    this.#log.info(this.#facts, 'a dependency is reachable again');
  }

  /** Records a failure and its reason. */
  missed(reason: unknown): void {
    if (!this.#isReachable) return;
    this.#isReachable = false;
    this.#log.error({ ...this.#facts, reason: reasonOf(reason) }, 'a dependency is unreachable');
  }

  get #facts(): object {
    return this.name === '' ? { part: this.part } : { part: this.part, name: this.name };
  }
}
