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

/** `850 ms`, `12.5 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `512 B`, `1.5 KiB`, `20.0 MiB`. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
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
