import type { Protocol } from 'devtools-protocol';
import { deferred } from '../util/deferred.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

export type DialogOutcome = 'open' | 'accepted' | 'dismissed';

/** A JavaScript dialog. Until it is answered, the page's scripts are blocked. */
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

  /** True if the page has closed, so the dialog can no longer be answered. */
  get isGone(): boolean {
    return this.#session.isClosed;
  }

  /** Resolves when the driver, a user or another client has answered the dialog, or its page has closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** `text` is the input for a `prompt`. */
  async answer(accept: boolean, text?: string): Promise<void> {
    this.settle(accept ? 'accepted' : 'dismissed');
    await this.#session.send('Page.handleJavaScriptDialog', {
      accept,
      ...(text === undefined ? {} : { promptText: text }),
    });
  }

  /** Records the outcome. Later calls have no effect. */
  settle(outcome: Exclude<DialogOutcome, 'open'>): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = outcome;
    this.#closed.resolve();
  }

  /** Description for messages: `a dialog (confirm) that says "Delete?"`. */
  get label(): string {
    return `a dialog (${this.type}) that says ${JSON.stringify(this.message)}`;
  }
}
