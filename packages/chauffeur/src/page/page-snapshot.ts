import type { Snapshot } from '../snapshot/snapshot.ts';

/** A page as text: see `docs/snapshot.md` for the lines. */
export interface PageSnapshot {
  /** One line per element or text. */
  readonly text: string;
  /** Role and accessible name of each element that can be acted on, by its ref. */
  readonly refs: Readonly<Record<string, { readonly role: string; readonly name: string }>>;
  /** Absolute addresses that stand in the text as `#0`, `#1`, … */
  readonly urls: readonly string[];
}

/** What a page's snapshot gives to users. Large pages have tens of thousands of refs, so they are listed when they are asked for. */
export function pageSnapshot(snapshot: Snapshot): PageSnapshot {
  let listed: PageSnapshot['refs'] | undefined;
  return {
    text: snapshot.text,
    urls: snapshot.urls,
    get refs() {
      listed ??= Object.fromEntries([...snapshot.refs].map(([ref, { role, name }]) => [ref, { role, name }]));
      return listed;
    },
  };
}
