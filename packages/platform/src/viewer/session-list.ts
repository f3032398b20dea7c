import { ask, type NotSignedIn, type ShownSession } from './ask.ts';
import { button, byId, element, fill } from './dom.ts';
import { KeyedList, type ListItem } from './keyed-list.ts';
import { whileShown } from './while-shown.ts';
import { metadataText, shortId, statusBadge, timeOf } from './words.ts';

interface Listed {
  readonly sessions: readonly ShownSession[];
  readonly nextCursor?: string;
}

/** New sessions are nobody's news but the server's; this is how often it is asked. */
const EVERY_MS = 4000;
const NONE = 'No sessions yet. A driver with env REMOTE makes one.';

/** Shows the sessions of the project, newest first. */
export async function showList(main: HTMLElement, onSignedOut: (error: NotSignedIn) => void): Promise<void> {
  document.title = 'Sessions · chauffeur platform';
  const older: ShownSession[] = [];
  const body = element('tbody');
  const rows = new KeyedList(body);
  const count = element('p', { class: 'quiet', role: 'status' });
  const more = element('div', { class: 'more' });
  let first = await list();
  byId('sign-out').hidden = false;
  const draw = (): void => {
    const shown = [
      ...first.sessions,
      ...older.filter(({ id }) => !first.sessions.some((session) => session.id === id)),
    ];
    rows.show(shown.map(item));
    const running = shown.filter(({ status }) => status === 'RUNNING').length;
    const words = shown.length === 0 ? NONE : `${shown.length} shown, ${running} running`;
    // What is said again is read out again.
    if (count.textContent !== words) count.textContent = words;
  };
  let cursor = first.nextCursor;
  const drawMore = (): void => {
    fill(more, cursor === undefined ? undefined : button('Show older', () => void showOlder()));
  };
  const showOlder = async (): Promise<void> => {
    const next = await list(cursor);
    older.push(...next.sessions);
    cursor = next.nextCursor;
    draw();
    drawMore();
  };
  const heads = ['Session', 'State', 'Began', 'Ends', 'Metadata'].map((head) => element('th', { scope: 'col' }, head));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), body);
  fill(main, element('h1', {}, 'Sessions'), count, element('div', { class: 'table' }, table), more);
  draw();
  drawMore();
  whileShown(
    EVERY_MS,
    async () => {
      first = await list();
      draw();
      return main.contains(table);
    },
    onSignedOut,
  );
}

async function list(cursor?: string): Promise<Listed> {
  return (await ask('GET', `/v1/sessions?limit=25${cursor === undefined ? '' : `&cursor=${cursor}`}`)) as Listed;
}

function item(session: ShownSession): ListItem {
  const { id, status, expiresAt, endedAt, endReason, metadata } = session;
  const state = JSON.stringify([status, expiresAt, endedAt, endReason, metadata]);
  return { key: id, state, make: () => row(session) };
}

function row(session: ShownSession): HTMLElement {
  const { id, createdAt, expiresAt, endedAt, metadata, endReason } = session;
  return element(
    'tr',
    {},
    cell('Session', element('a', { href: `/sessions/${id}`, title: id }, shortId(id))),
    cell('State', element('span', endReason === undefined ? {} : { title: endReason }, statusBadge(session))),
    cell('Began', timeOf(createdAt)),
    cell('Ends', timeOf(endedAt ?? expiresAt)),
    cell('Metadata', element('span', { class: 'metadata' }, metadataText(metadata) || '–')),
  );
}

function cell(label: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element('td', { 'data-label': label }, ...children);
}
