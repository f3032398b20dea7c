import type { Protocol } from 'devtools-protocol';
import { deferred } from '../util/deferred.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

/** What became of a dialog. */
export type DialogOutcome = 'open' | 'accepted' | 'dismissed';

/** A dialog of the browser that a page shows; until it is answered the page's scripts stand still. */
export class OpenDialog {
  readonly type: Protocol.Page.DialogType;
  readonly message: string;
  readonly defaultValue: string;
  readonly #session: Session;
  readonly #closed = deferred<void>();
  #outcome: DialogOutcome = 'open';

  constructor(session: Session, event: EventParams<'Page.javascriptDialogOpening'>) {
    this.type = event.type;
    this.message = event.message;
    this.defaultValue = event.defaultPrompt ?? '';
    this.#session = session;
  }

  get outcome(): DialogOutcome {
    return this.#outcome;
  }

  /** Whether its page is gone, so that nobody can answer it any more. */
  get isGone(): boolean {
    return this.#session.isClosed;
  }

  /** Settled when it was answered, by whomever, or its page is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Answers the dialog; `text` is what a person would have typed into a prompt. */
  async answer(accept: boolean, text?: string): Promise<void> {
    this.settle(accept ? 'accepted' : 'dismissed');
    await this.#session.send('Page.handleJavaScriptDialog', {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    });
  }

  /** It is no longer shown. The first outcome that is told counts. */
  settle(outcome: Exclude<DialogOutcome, 'open'>): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = outcome;
    this.#closed.resolve();
  }

  /** As a message names it. */
  get label(): string {
    return `a dialog (${this.type}) that says ${JSON.stringify(this.message)}`;
  }
}
