import { element } from './dom.ts';
import type { ShownSession } from './call-api.ts';

const STATUS_LABELS: Readonly<Record<ShownSession['status'], string>> = {
  PENDING: 'Starting',
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  TIMED_OUT: 'Timed out',
  ERROR: 'Failed',
};

export function statusBadge({ status }: ShownSession): HTMLElement {
  return element('span', { class: `badge ${status.toLowerCase().replace('_', '-')}` }, STATUS_LABELS[status]);
}

export function timeOf(time: string, style: 'whole' | 'clock' = 'whole'): HTMLElement {
  const date = new Date(time);
  const text =
    style === 'clock'
      ? date.toLocaleTimeString()
      : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return element('time', { datetime: time, title: date.toLocaleString() }, text);
}

/** `850 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min`. Rounds before it chooses the unit, so there is no `3 min 60 s`. */
export function duration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `512 B`, `1.5 KiB`, `20.0 MiB`. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const kib = (count / 1024).toFixed(1);
  return Number(kib) < 1024 ? `${kib} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

/** `name: value, name: value`. */
export function metadataText(metadata: ShownSession['metadata']): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

/** First 8 characters, as in links and titles. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
