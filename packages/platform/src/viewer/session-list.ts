import { ask, type ShownSession } from './ask.ts';
import { button, byId, element, fill } from './dom.ts';
import { whileShown } from './while-shown.ts';
import { metadataText, shortId, statusBadge, timeOf } from './words.ts';

interface Listed {
  readonly sessions: readonly ShownSession[];
  readonly nextCursor?: string;
}

/** New sessions are nobody's news but the server's; this is how often it is asked. */
const EVERY_MS = 4000;

/** Shows the sessions of the project, newest first. */
export async function showList(main: HTMLElement): Promise<void> {
  document.title = 'Sessions · chauffeur platform';
  const older: ShownSession[] = [];
  const body = element('tbody');
  const count = element('p', { class: 'quiet', role: 'status' });
  const more = element('div', { class: 'more' });
  let first = await list();
  byId('sign-out').hidden = false;
  const draw = (): void => {
    const shown = [
      ...first.sessions,
      ...older.filter(({ id }) => !first.sessions.some((session) => session.id === id)),
    ];
    fill(body, ...shown.map(row));
    const running = shown.filter(({ status }) => status === 'RUNNING').length;
    count.textContent =
      shown.length === 0
        ? 'No sessions yet. A driver with env REMOTE makes one.'
        : `${shown.length} shown, ${running} running`;
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
  whileShown(EVERY_MS, async () => {
    first = await list();
    draw();
    return main.contains(table);
  });
}

async function list(cursor?: string): Promise<Listed> {
  return (await ask('GET', `/v1/sessions?limit=25${cursor === undefined ? '' : `&cursor=${cursor}`}`)) as Listed;
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
