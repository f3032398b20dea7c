import type { OpenDialog } from '../cdp/open-dialog.ts';
import { DriverClosedError, DriverError } from '../errors.ts';
import { checkString } from '../util/check-argument.ts';
import type { PageSettings } from '../actions/call-limits.ts';
import { maskErrorsOf } from '../actions/public-errors.ts';

/**
 * An `alert`, `confirm`, `prompt` or `beforeunload` dialog. The page is blocked until the dialog is accepted or
 * dismissed. Without a `dialog` listener, the driver accepts `beforeunload` dialogs and dismisses all others.
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

  /** Kind of the dialog. `beforeunload` asks whether to leave the page. */
  type(): 'alert' | 'confirm' | 'prompt' | 'beforeunload' {
    return this.#dialog.type;
  }

  /** Text that the dialog shows. */
  message(): string {
    return this.#dialog.message;
  }

  /** Initial text in the field of a prompt; `''` for other dialogs. */
  defaultValue(): string {
    return this.#dialog.defaultValue;
  }

  /**
   * Accepts the dialog. A prompt returns `text` to the page, by default the prompt's initial text.
   * @throws DriverError when the dialog was already accepted or dismissed.
   * @throws DriverClosedError when the page has closed.
   * @example
   * page.once('dialog', (dialog) => dialog.accept('Ada'));
   * await page.getByRole('button', { name: 'Rename' }).click();
   */
  async accept(text?: string): Promise<void> {
    if (text !== undefined) checkString('text', text, { mayBeEmpty: true });
    await this.#answer(true, text ?? (this.type() === 'prompt' ? this.defaultValue() : undefined));
  }

  /**
   * Dismisses the dialog: `confirm()` returns false, `prompt()` returns null, and `beforeunload` keeps the page.
   * @throws DriverError when the dialog was already accepted or dismissed.
   * @throws DriverClosedError when the page has closed.
   */
  async dismiss(): Promise<void> {
    await this.#answer(false);
  }

  async #answer(accept: boolean, text?: string): Promise<void> {
    const { isGone, outcome } = this.#dialog;
    if (isGone)
      throw new DriverClosedError(
        `Cannot answer the dialog ${JSON.stringify(this.message())} any more: its page has closed. Answer dialogs in the \`dialog\` listener.`,
      );
    if (outcome !== 'open')
      throw new DriverError(
        `The dialog ${JSON.stringify(this.message())} was already answered: ${outcome}. Answer each dialog once.`,
      );
    await this.#dialog.answer(accept, text);
  }
}
