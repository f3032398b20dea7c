import type { Dialog } from '../page/dialog.ts';
import type { Page } from '../page/page.ts';

/** How dialogs of the browser are answered. */
export interface DialogAnswer {
  readonly accept: boolean;
  /** What is written into a prompt; default what stands in it. */
  readonly text: string | undefined;
}

/** Answers dialogs as was announced: those of the next action that opens any. Without, they are declined as ever. */
export class DialogAnswers implements Disposable {
  #stop: (() => void) | undefined;
  #hasAnswered = false;

  /** The dialogs of this page's next action are answered so; what was announced before counts no more. */
  announce(page: Page, { accept, text }: DialogAnswer): void {
    this[Symbol.dispose]();
    const listener = (dialog: Dialog): Promise<void> => {
      this.#hasAnswered = true;
      return accept ? dialog.accept(text) : dialog.dismiss();
    };
    page.on('dialog', listener);
    this.#stop = () => page.off('dialog', listener);
  }

  /** An action has ended; when it opened dialogs, the next one's are declined again. */
  endAction(): void {
    if (this.#hasAnswered) this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#hasAnswered = false;
  }
}
