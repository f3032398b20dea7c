import { element } from './dom.ts';
import type { ShownSession } from './call-api.ts';

const STATUS_WORDS: Readonly<Record<ShownSession['status'], string>> = {
  PENDING: 'Starting',
  RUNNING: 'Running',
  COMPLETED: 'Completed',
  TIMED_OUT: 'Timed out',
  ERROR: 'Failed',
};

/** Shows a session's status as a badge. */
export function statusBadge({ status }: ShownSession): HTMLElement {
  return element('span', { class: `badge ${status.toLowerCase().replace('_', '-')}` }, STATUS_WORDS[status]);
}

/** Formats a time in the user's locale. */
export function timeOf(time: string, style: 'whole' | 'clock' = 'whole'): HTMLElement {
  const date = new Date(time);
  const text =
    style === 'clock'
      ? date.toLocaleTimeString()
      : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return element('time', { datetime: time, title: date.toLocaleString() }, text);
}

/** Formats milliseconds. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a number of bytes. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 * 1024 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

/** Formats a session's metadata. */
export function metadataText(metadata: ShownSession['metadata']): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ');
}

/** Shortens a session id for display. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
