import { callApi, type NotSignedIn, type ShownSession } from './call-api.ts';
import { button, byId, element, fill } from './dom.ts';
import { KeyedList, type ListItem } from './keyed-list.ts';
import { pollWhileVisible } from './poll-while-visible.ts';
import { metadataText, shortId, statusBadge, timeOf } from './format.ts';

interface Listed {
  readonly sessions: readonly ShownSession[];
  readonly nextCursor?: string;
}

/** Polling interval. */
const EVERY_MS = 4000;
const HEADS = ['Session', 'State', 'Reason', 'Began', 'Ends', 'Server', 'Node', 'Project', 'Metadata'];
const STATES = [
  ['', 'All states'],
  ['RUNNING', 'Running'],
  ['ERROR', 'Failed'],
  ['TIMED_OUT', 'Timed out'],
  ['COMPLETED', 'Completed'],
  ['PENDING', 'Starting'],
] as const;
const NONE_LEFT = 'No session matches the filter.';
const NONE = 'No sessions yet. A driver with env REMOTE creates one.';

/** Shows the project's sessions, newest first, and polls for changes. */
export async function showList(main: HTMLElement, onSignedOut: (error: NotSignedIn) => void): Promise<void> {
  document.title = 'Sessions · chauffeur platform';
  const older: ShownSession[] = [];
  const body = element('tbody');
  const rows = new KeyedList(body);
  const count = element('p', { class: 'quiet', role: 'status' });
  const more = element('div', { class: 'more' });
  const filter = new SessionFilter(() => void refilter());
  let first = await list(filter.status);
  byId('sign-out').hidden = false;
  const draw = (): void => {
    const all = [...first.sessions, ...older.filter(({ id }) => !first.sessions.some((session) => session.id === id))];
    const shown = all.filter((session) => filter.takes(session));
    rows.show(shown.map(item));
    const running = shown.filter(({ status }) => status === 'RUNNING').length;
    const words = shown.length === 0 ? (filter.isSet ? NONE_LEFT : NONE) : `${shown.length} shown, ${running} running`;
    // Screen readers announce every change of the text, even to the same text.
    if (count.textContent !== words) count.textContent = words;
  };
  let cursor = first.nextCursor;
  const drawMore = (): void => {
    fill(more, cursor === undefined ? undefined : button('Show older', () => void showOlder()));
  };
  const showOlder = async (): Promise<void> => {
    const next = await list(filter.status, cursor);
    older.push(...next.sessions);
    cursor = next.nextCursor;
    draw();
    drawMore();
  };
  const refilter = async (): Promise<void> => {
    const { status } = filter;
    const found = await list(status);
    // If the filter has changed, a newer request is in flight.
    if (status !== filter.status) return;
    first = found;
    cursor = first.nextCursor;
    older.splice(0);
    draw();
    drawMore();
  };
  const heads = HEADS.map((head) => element('th', { scope: 'col' }, head));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body);
  fill(main, element('h1', {}, 'Sessions'), filter.element, count, element('div', { class: 'table' }, table), more);
  draw();
  drawMore();
  pollWhileVisible(
    EVERY_MS,
    async () => {
      const { status } = filter;
      const found = await list(status);
      if (status === filter.status) first = found;
      draw();
      return main.contains(table);
    },
    onSignedOut,
  );
}

async function list(status: string, cursor?: string): Promise<Listed> {
  const query = new URLSearchParams({
    limit: '25',
    ...(status === '' ? {} : { status }),
    ...(cursor ? { cursor } : {}),
  });
  return (await callApi('GET', `/v1/sessions?${query}`)) as Listed;
}

/** Filters sessions by status on the server, and by text in the page. */
class SessionFilter {
  readonly #states = element(
    'select',
    { 'aria-label': 'State' },
    ...STATES.map(([status, word]) => element('option', { value: status }, word)),
  );
  readonly #words = element('input', {
    type: 'search',
    'aria-label': 'Filter',
    placeholder: 'Reason, server, node …',
  });
  readonly element = element('div', { class: 'toolbar' }, this.#states, this.#words);

  constructor(onChange: () => void) {
    this.#states.addEventListener('change', onChange);
    this.#words.addEventListener('input', onChange);
  }

  /** Empty for all statuses. */
  get status(): string {
    return this.#states.value;
  }

  get isSet(): boolean {
    return this.status !== '' || this.#words.value.trim() !== '';
  }

  /** True if the session's text contains every word of the filter. */
  takes({ id, project, server, node = '', endReason = '', metadata }: ShownSession): boolean {
    const text = [id, project, server, node, endReason, metadataText(metadata)].join(' ').toLowerCase();
    const words = this.#words.value.toLowerCase().split(/\s+/);
    return words.every((word) => text.includes(word));
  }
}

function item(session: ShownSession): ListItem {
  const { id, status, server, node, expiresAt, endedAt, endReason, metadata } = session;
  const state = JSON.stringify([status, server, node, expiresAt, endedAt, endReason, metadata]);
  return { key: id, state, make: () => row(session) };
}

function row(session: ShownSession): HTMLElement {
  const { id, project, server, node, createdAt, expiresAt, endedAt, metadata, endReason } = session;
  return element(
    'tr',
    {},
    cell('Session', element('a', { href: `/sessions/${id}`, title: id }, shortId(id))),
    cell('State', statusBadge(session)),
    cell('Reason', element('span', { class: 'metadata' }, endReason ?? '–')),
    cell('Began', timeOf(createdAt)),
    cell('Ends', timeOf(endedAt ?? expiresAt)),
    cell('Server', server),
    cell('Node', node ?? '–'),
    cell('Project', project),
    cell('Metadata', element('span', { class: 'metadata' }, metadataText(metadata) || '–')),
  );
}

function cell(label: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element('td', { 'data-label': label }, ...children);
}
