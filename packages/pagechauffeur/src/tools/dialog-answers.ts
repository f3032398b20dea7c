import type { Dialog } from '../page/dialog.ts';
import type { Page } from '../page/page.ts';

export interface DialogAnswer {
  readonly accept: boolean;
  /** Text for a prompt. Default: the prompt's default value. */
  readonly text: string | undefined;
}

/** Answers the dialogs of the next action that opens some. */
export class DialogAnswers implements Disposable {
  #stop: (() => void) | undefined;
  #hasAnswered = false;

  /** Sets the answer. Replaces an earlier one. */
  announce(page: Page, { accept, text }: DialogAnswer): void {
    this[Symbol.dispose]();
    const listener = (dialog: Dialog): Promise<void> => {
      this.#hasAnswered = true;
      return accept ? dialog.accept(text) : dialog.dismiss();
    };
    page.on('dialog', listener);
    this.#stop = () => page.off('dialog', listener);
  }

  /** Clears the answer if the action has opened a dialog. */
  endAction(): void {
    if (this.#hasAnswered) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#hasAnswered = false;
  }
}
