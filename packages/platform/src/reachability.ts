import { reasonOf } from './errors.ts';
import type { PlatformLog } from './platform-log.ts';

/** A part that a server needs beside itself. */
export type PartName = 'postgres' | 'redis' | 'grid' | 'peer';

/** Whether a part can be reached. */
export interface PartState {
  readonly part: PartName;
  /** Which one, where there may be several: the address of a Grid or of another server. */
  readonly name: string;
  readonly isReachable: boolean;
}

/** Whether one part can be reached, as whoever asks it last has seen it. The log has a line for each change and none in between. */
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

  /** The part has answered. */
  reached(): void {
    if (this.#isReachable) return;
    this.#isReachable = true;
    this.#log.info(this.#facts, 'a part is reached again');
  }

  /** The part has not answered, for this reason. */
  missed(reason: unknown): void {
    if (!this.#isReachable) return;
    this.#isReachable = false;
    this.#log.error({ ...this.#facts, reason: reasonOf(reason) }, 'a part cannot be reached');
  }

  get #facts(): object {
    return this.name === '' ? { part: this.part } : { part: this.part, name: this.name };
  }
}
