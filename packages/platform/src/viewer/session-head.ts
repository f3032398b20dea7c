import { callApi, type ShownSession } from './call-api.ts';
import { button, element } from './dom.ts';
import { KeyedList, type ListItem } from './keyed-list.ts';
import { metadataText, shortId, statusBadge, timeOf } from './format.ts';

/** Heading, properties and end button of a session. */
export class SessionHead {
  readonly element = element('div', { class: 'session-head' });
  readonly #heading = element('h1');
  readonly #facts = element('dl', { class: 'facts-line' });
  readonly #end: HTMLButtonElement;
  readonly #status = element('p', { class: 'alert', role: 'alert', hidden: true });
  readonly #headingList = new KeyedList(this.#heading);
  readonly #factList = new KeyedList(this.#facts);

  constructor(id: string, { mayEnd, onEnd }: { readonly mayEnd: boolean; readonly onEnd: () => Promise<void> }) {
    this.#heading.append('Session ');
    this.#end = button('End session', () => void this.#endSession(id, onEnd), { class: 'danger', hidden: !mayEnd });
    this.element.append(this.#heading, this.#facts, this.#end, this.#status);
  }

  show(session: ShownSession): void {
    const { id, status } = session;
    this.#headingList.show([
      item('id', id, () => element('span', { class: 'id', title: id }, shortId(id))),
      item('badge', status, () => statusBadge(session)),
    ]);
    this.#factList.show(factsOf(session));
    if (status !== 'RUNNING' && status !== 'PENDING') this.#end.hidden = true;
  }

  async #endSession(id: string, onEnd: () => Promise<void>): Promise<void> {
    if (!confirm('End this session and its browser?')) return;
    try {
      await callApi('POST', `/v1/sessions/${id}`, { status: 'REQUEST_RELEASE' });
      await onEnd();
    } catch (error) {
      this.#status.textContent = error instanceof Error ? error.message : String(error);
      this.#status.hidden = false;
    }
  }
}

function factsOf(session: ShownSession): readonly ListItem[] {
  const { createdAt, expiresAt, endedAt, endReason, server, node = '', region, keepAlive, metadata } = session;
  return [
    time('Began', createdAt),
    endedAt === undefined ? time('Ends at the latest', expiresAt) : time('Ended', endedAt),
    ...words('Reason', endReason ?? ''),
    ...words('Server', server),
    ...words('Node', node),
    ...words('Region', region),
    ...words('Kept alive', keepAlive ? 'yes' : 'no'),
    ...words('Metadata', metadataText(metadata)),
  ];
}

function time(name: string, at: string): ListItem {
  return fact(name, at, () => timeOf(at));
}

function words(name: string, text: string): readonly ListItem[] {
  return text === '' ? [] : [fact(name, text, () => document.createTextNode(text))];
}

function fact(name: string, state: string, make: () => Node): ListItem {
  return item(name, state, () => element('div', {}, element('dt', {}, name), element('dd', {}, make())));
}

function item(key: string, state: string, make: () => HTMLElement): ListItem {
  return { key, state, make };
}
