import type { Protocol } from 'devtools-protocol';
import { deferred } from '../util/deferred.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

/** Outcome of a dialog. */
export type DialogOutcome = 'open' | 'accepted' | 'dismissed';

/** A JavaScript dialog. The page's scripts are blocked until it is answered. */
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

  /** True if the page is gone, so that nobody can answer it. */
  get isGone(): boolean {
    return this.#session.isClosed;
  }

  /** Settles when the dialog was answered by anyone or its page is gone. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Answers the dialog. `text` is the input for a prompt. */
  async answer(accept: boolean, text?: string): Promise<void> {
    this.settle(accept ? 'accepted' : 'dismissed');
    await this.#session.send('Page.handleJavaScriptDialog', {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    });
  }

  /** Records the outcome. Only the first one counts. */
  settle(outcome: Exclude<DialogOutcome, 'open'>): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = outcome;
    this.#closed.resolve();
  }

  /** The dialog as error messages name it. */
  get label(): string {
    return `a dialog (${this.type}) that says ${JSON.stringify(this.message)}`;
  }
}
