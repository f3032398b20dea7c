import type { OpenDialog } from '../cdp/open-dialog.ts';
import { DriverClosedError, DriverError } from '../errors.ts';
import { checkString } from '../util/check-argument.ts';
import type { PageSettings } from '../actions/call-limits.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/**
 * A dialog of a page. It blocks the page until it is answered.
 *
 * @example
 * page.on('dialog', (dialog) => (dialog.type() === 'prompt' ? dialog.accept('Ann') : dialog.dismiss()));
 */
export class Dialog {
  readonly #dialog: OpenDialog;

  /** @internal */
  constructor(dialog: OpenDialog, settings: PageSettings) {
    this.#dialog = dialog;
    maskErrorsOf(this, settings);
  }

  /** Kind of the dialog. A page that is about to be left shows a `beforeunload` dialog. */
  type(): 'alert' | 'confirm' | 'prompt' | 'beforeunload' {
    return this.#dialog.type;
  }

  /** Message of the dialog. */
  message(): string {
    return this.#dialog.message;
  }

  /** Default text of a prompt. Empty for other dialogs. */
  defaultValue(): string {
    return this.#dialog.defaultValue;
  }

  /**
   * Accepts the dialog. For a prompt, enters this text, by default the text it contains.
   * @throws DriverError when the dialog was answered before.
   * @throws DriverClosedError when the page of the dialog is gone.
   * @example
   * page.once('dialog', (dialog) => dialog.accept('Ada'));
   * await page.getByRole('button', { name: 'Rename' }).click();
   */
  async accept(text?: string): Promise<void> {
    if (text !== undefined) checkString('text', text, { mayBeEmpty: true });
    await this.#answer(true, text ?? (this.type() === 'prompt' ? this.defaultValue() : undefined));
  }

  /**
   * Declines the dialog, or closes an alert.
   * @throws DriverError when the dialog was answered before.
   * @throws DriverClosedError when the page of the dialog is gone.
   */
  async dismiss(): Promise<void> {
    await this.#answer(false);
  }

  async #answer(accept: boolean, text?: string): Promise<void> {
    const { isGone, outcome } = this.#dialog;
    if (isGone)
      throw new DriverClosedError(
        `Cannot answer the dialog ${JSON.stringify(this.message())} any more: its page is gone. Answer dialogs in the \`dialog\` listener.`,
      );
    if (outcome !== 'open')
      throw new DriverError(
        `The dialog ${JSON.stringify(this.message())} was already answered: ${outcome}. Answer each dialog once.`,
      );
    await this.#dialog.answer(accept, text);
  }
}
