import { type EventEmitter, once } from 'node:events';

/** Waits for the first of several events. Leaves no listeners. */
export async function firstOf(emitter: EventEmitter, ...events: readonly string[]): Promise<void> {
  const come = new AbortController();
  try {
    await Promise.race(events.map((event) => once(emitter, event, { signal: come.signal })));
  } finally {
    come.abort();
  }
}
