import { callApi, type ShownEvent } from './call-api.ts';
import { element } from './dom.ts';
import { duration, timeOf } from './format.ts';

const PER_REQUEST = 200;

/** A session's events, oldest first. Scrolls with new events while the reader is at the end. */
export class EventLog {
  readonly element: HTMLElement;
  readonly #sessionId: string;
  readonly #list = element('ol', { class: 'events' });
  readonly #empty = element(
    'p',
    { class: 'quiet' },
    'No events yet. Calls to act, observe, extract and agents appear here.',
  );
  #last = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
    this.element = element(
      'div',
      { class: 'event-log', role: 'log', 'aria-label': 'Event log', tabindex: '0' },
      this.#empty,
      this.#list,
    );
  }

  async update(): Promise<void> {
    for (;;) {
      const path = `/v1/sessions/${this.#sessionId}/logs?after=${this.#last}&limit=${PER_REQUEST}`;
      const { events } = (await callApi('GET', path)) as { events: readonly ShownEvent[] };
      this.#add(events);
      if (events.length < PER_REQUEST) return;
    }
  }

  #add(events: readonly ShownEvent[]): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 20;
    this.#list.append(...events.map(item));
    this.#last = events.at(-1)?.number ?? this.#last;
    this.#empty.hidden = this.#last > 0;
    if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
  }
}

function item(event: ShownEvent): HTMLElement {
  const { kind, title, outcome, isFailed, time } = event;
  const facts = factsOf(event).map(([name, value]) => element('li', { class: name }, value));
  return element(
    'li',
    { class: isFailed ? 'event failed' : 'event' },
    element(
      'div',
      { class: 'event-head' },
      element('span', { class: 'kind' }, kind),
      element('span', { class: 'title' }, title || '–'),
      timeOf(time, 'clock'),
    ),
    outcome === '' ? undefined : element('p', { class: 'outcome' }, isFailed ? `Failed: ${outcome}` : outcome),
    facts.length === 0 ? undefined : element('ul', { class: 'facts' }, ...facts),
  );
}

function factsOf(event: ShownEvent): readonly (readonly [name: string, text: string])[] {
  const { effect, cacheStatus, modelCalls, promptTokens = 0, completionTokens = 0, milliseconds } = event;
  const tokens = promptTokens + completionTokens;
  const facts: [string, string][] = [];
  if (effect !== undefined) facts.push(['effect', effect]);
  if (cacheStatus !== undefined) facts.push([`cache ${cacheStatus.toLowerCase()}`, `cache ${cacheStatus}`]);
  if (tokens > 0) facts.push(['tokens', `${promptTokens} + ${completionTokens} tokens`]);
  else if (modelCalls === 0) facts.push(['tokens', 'no model']);
  if (milliseconds !== undefined) facts.push(['time', duration(milliseconds)]);
  return facts;
}
