import { ask, type ShownSession } from './ask.ts';
import { button, byId, element, fill } from './dom.ts';
import { EventLog } from './event-log.ts';
import { FileList } from './file-list.ts';
import { LiveScreen } from './live-screen.ts';
import { whileShown } from './while-shown.ts';
import { metadataText, shortId, statusBadge, timeOf } from './words.ts';

/** What clients do is told by them in batches of about this age. */
const EVERY_MS = 1500;

/** Shows one session: its browser as it is now, what happened in it, its files. */
export async function showSession(
  main: HTMLElement,
  id: string,
  { withDevTools }: { readonly withDevTools: boolean },
): Promise<void> {
  document.title = `Session ${shortId(id)} · chauffeur platform`;
  const path = `/v1/sessions/${id}`;
  let session = (await ask('GET', path)) as ShownSession;
  const mayChange = session.debugUrl !== undefined;
  byId('sign-out').hidden = !mayChange;
  const head = element('div', { class: 'session-head' });
  const end = (): void => void ask('POST', path, { status: 'REQUEST_RELEASE' }).then(update);
  const draw = (): void => fill(head, ...headOf(session, mayChange ? end : undefined));
  const log = new EventLog(id);
  const files = new FileList(id, { mayChange });
  const update = async (): Promise<void> => {
    session = (await ask('GET', path)) as ShownSession;
    draw();
    await log.update();
  };
  draw();
  const live = session.status === 'RUNNING' ? new LiveScreen(id, { withDevTools }).element : undefined;
  fill(
    main,
    head,
    element(
      'div',
      { class: live ? 'panes' : 'panes ended' },
      live,
      element(
        'div',
        { class: 'side' },
        element(
          'section',
          { class: 'log', 'aria-labelledby': 'log' },
          element('h2', { id: 'log' }, 'Log'),
          log.element,
        ),
        files.element,
      ),
    ),
  );
  await Promise.all([log.update(), files.update()]);
  whileShown(EVERY_MS, async () => {
    await update();
    return session.status === 'RUNNING' || session.status === 'PENDING';
  });
}

function headOf(session: ShownSession, end: (() => void) | undefined): readonly (Node | undefined)[] {
  const { id, createdAt, expiresAt, endedAt, endReason, region, keepAlive, metadata, status } = session;
  const facts: readonly (readonly [string, Node | string | undefined])[] = [
    ['Began', timeOf(createdAt)],
    [endedAt === undefined ? 'Ends at the latest' : 'Ended', timeOf(endedAt ?? expiresAt)],
    ['Reason', endReason],
    ['Region', region],
    ['Kept alive', keepAlive ? 'yes' : 'no'],
    ['Metadata', metadataText(metadata)],
  ];
  const isOver = status !== 'RUNNING' && status !== 'PENDING';
  return [
    element('h1', {}, 'Session ', element('span', { class: 'id', title: id }, shortId(id)), ' ', statusBadge(session)),
    element(
      'dl',
      { class: 'facts-line' },
      ...facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    end && !isOver
      ? button('End session', () => confirm('End this session and its browser?') && end(), { class: 'danger' })
      : undefined,
  ];
}
