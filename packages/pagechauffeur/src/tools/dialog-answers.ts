import type { Dialog } from '../page/dialog.ts';
import type { Page } from '../page/page.ts';

/** The answer to a dialog. */
export interface DialogAnswer {
  readonly accept: boolean;
  /** Text for a prompt. Default: the text it contains. */
  readonly text: string | undefined;
}

/** Answers the dialogs of the next action that opens any, as announced. All other dialogs are declined. */
export class DialogAnswers implements Disposable {
  #stop: (() => void) | undefined;
  #hasAnswered = false;

  /** Sets the answer for dialogs of this page's next action. Replaces an earlier announcement. */
  announce(page: Page, { accept, text }: DialogAnswer): void {
    this[Symbol.dispose]();
    const listener = (dialog: Dialog): Promise<void> => {
      this.#hasAnswered = true;
      return accept ? dialog.accept(text) : dialog.dismiss();
    };
    page.on('dialog', listener);
    this.#stop = () => page.off('dialog', listener);
  }

  /** Ends an action. If it opened dialogs, later ones are declined again. */
  endAction(): void {
    if (this.#hasAnswered) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#hasAnswered = false;
  }
}
