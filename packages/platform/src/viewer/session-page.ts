import { callApi, type NotSignedIn, type ShownSession } from './call-api.ts';
import { byId, element } from './dom.ts';
import { DownloadList } from './download-list.ts';
import { EventLog } from './event-log.ts';
import { FileList } from './file-list.ts';
import { LiveScreen } from './live-screen.ts';
import { SessionHead } from './session-head.ts';
import { pollWhileVisible } from './poll-while-visible.ts';
import { shortId } from './format.ts';

interface SessionView {
  readonly withDevTools: boolean;
  readonly onSignedOut: (error: NotSignedIn) => void;
}

/** Drivers send their events in batches at about this interval. */
const EVERY_MS = 1500;

/** Shows one session: its live view, events, downloads and files. */
export async function showSession(
  main: HTMLElement,
  id: string,
  { withDevTools, onSignedOut }: SessionView,
): Promise<void> {
  document.title = `Session ${shortId(id)} · chauffeur platform`;
  const path = `/v1/sessions/${id}`;
  const load = async (): Promise<ShownSession> => (await callApi('GET', path)) as ShownSession;
  const first = await load();
  const mayChange = first.debugUrl !== undefined;
  byId('sign-out').hidden = !mayChange;
  const head = new SessionHead(id, { mayEnd: mayChange, onEnd: () => update() });
  const log = new EventLog(id);
  const files = new FileList(id, { mayChange });
  const downloads = new DownloadList(id);
  const panes = element('div', { class: 'panes' }, sideOf(log, downloads, files));
  let status = first.status;
  const show = (session: ShownSession): void => {
    status = session.status;
    head.show(session);
    // A pending session gets its live view when it starts to run.
    const isShown = panes.querySelector('.live') !== null;
    if (status === 'RUNNING' && !isShown) panes.prepend(new LiveScreen(id, { withDevTools }).element);
    panes.classList.toggle('ended', panes.querySelector('.live') === null);
  };
  const updateLists = async (): Promise<unknown> =>
    Promise.all([log.update(), downloads.update(status), files.update()]);
  const update = async (): Promise<void> => {
    show(await load());
    await updateLists();
  };
  show(first);
  main.replaceChildren(head.element, panes);
  await updateLists();
  pollWhileVisible(
    EVERY_MS,
    async () => {
      await update();
      return status === 'RUNNING' || status === 'PENDING';
    },
    onSignedOut,
  );
}

function sideOf(log: EventLog, ...lists: readonly (DownloadList | FileList)[]): HTMLElement {
  const title = element('h2', { id: 'log' }, 'Log');
  const events = element('section', { class: 'log', 'aria-labelledby': 'log' }, title, log.element);
  return element('div', { class: 'side' }, events, ...lists.map((list) => list.element));
}
