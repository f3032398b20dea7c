import type { Connection } from '../../cdp/connection.ts';
import { HiddenPage } from '../../cdp/hidden-page.ts';
import { DriverPageNotFoundError } from '../../errors.ts';
import { checkOptions, checkString } from '../../util/check-argument.ts';
import type { CallOptions, Progress } from '../../util/progress.ts';
import { beginCall, type PageSettings } from '../../actions/call-limits.ts';
import type { Page } from '../page.ts';
import { maskErrorsOf } from '../../actions/public-errors.ts';

interface ClipboardParts {
  readonly connection: Connection;
  readonly settings: PageSettings;
  activePage(): Page | undefined;
  /** Throws unless `page` is an open page of this driver. */
  checkPage(page: Page): void;
}

/** Options of `copy()`, `cut()` and `paste()`. */
export interface ClipboardKeyOptions extends CallOptions {
  /** Page that gets the shortcut, even in the background. Default: the active page. */
  page?: Page;
}

/**
 * The browser's clipboard. `readText()` and `writeText()` need no permission and no focused page. `copy()`, `cut()` and
 * `paste()` press the keyboard shortcut in a page, by default the active one.
 * @example
 * await context.clipboard.writeText('Blue mug');
 * await page.getByRole('searchbox').focus();
 * await context.clipboard.paste({ page });
 */
export class Clipboard {
  readonly #parts: ClipboardParts;

  /** @internal */
  constructor(parts: ClipboardParts) {
    this.#parts = parts;
    maskErrorsOf(this, parts.settings);
  }

  /**
   * Returns the clipboard's text, or `''` if it has none.
   * @throws DriverTimeoutError when the browser does not respond within `timeout` ms.
   */
  async readText(options?: CallOptions): Promise<string> {
    using progress = this.#begin('readText', options);
    return await progress.race(readClipboard(this.#parts.connection));
  }

  /**
   * Replaces the clipboard's content with text.
   * @throws DriverTimeoutError when the browser does not respond within `timeout` ms.
   */
  async writeText(text: string, options?: CallOptions): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    using progress = this.#begin('writeText', options);
    await progress.race(this.#write(text));
  }

  /**
   * Empties the clipboard.
   * @throws DriverTimeoutError when the browser does not respond within `timeout` ms.
   */
  async clear(options?: CallOptions): Promise<void> {
    using progress = this.#begin('clear', options);
    await progress.race(this.#write(''));
  }

  /**
   * Copies the page's selection by pressing `ControlOrMeta+C`.
   * @throws DriverPageNotFoundError when no page is open.
   * @throws DriverInvalidArgumentError when `page` is not an open page of this driver.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   * @example
   * await page.getByLabel('Order number').press('ControlOrMeta+A');
   * await context.clipboard.copy({ page });
   * console.log(await context.clipboard.readText());
   */
  copy(options?: ClipboardKeyOptions): Promise<void> {
    return this.#press('copy', 'ControlOrMeta+C', options);
  }

  /**
   * Cuts the page's selection by pressing `ControlOrMeta+X`.
   * @throws DriverPageNotFoundError when no page is open.
   * @throws DriverInvalidArgumentError when `page` is not an open page of this driver.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  cut(options?: ClipboardKeyOptions): Promise<void> {
    return this.#press('cut', 'ControlOrMeta+X', options);
  }

  /**
   * Pastes into the page's focused element by pressing `ControlOrMeta+V`.
   * @throws DriverPageNotFoundError when no page is open.
   * @throws DriverInvalidArgumentError when `page` is not an open page of this driver.
   * @throws DriverTimeoutError when another action or a busy page blocks the call for `timeout` ms.
   */
  paste(options?: ClipboardKeyOptions): Promise<void> {
    return this.#press('paste', 'ControlOrMeta+V', options);
  }

  #begin(method: string, options?: CallOptions): Progress {
    checkOptions(options);
    return beginCall(`clipboard.${method}`, this.#parts.settings, options);
  }

  async #press(method: string, keys: string, options?: ClipboardKeyOptions): Promise<void> {
    using progress = this.#begin(method, options);
    if (options?.page !== undefined) this.#parts.checkPage(options.page);
    progress.throwIfEnded();
    const page = options?.page ?? this.#parts.activePage();
    if (!page)
      throw new DriverPageNotFoundError(
        `clipboard.${method} acts on the active page, but no page is open. Open one with \`context.newPage()\`.`,
      );
    await page.keyPress(keys, { timeout: progress.remaining, signal: progress.signal });
  }

  async #write(text: string): Promise<void> {
    await using page = await HiddenPage.open(this.#parts.connection);
    const handle = await evaluate(page, CLIP);
    await callOn(page, handle, { source: 'function (text) { this.text = text; }', text });
    // The browser writes the clipboard asynchronously, and closing the page too early would lose the text. Pasting
    // waits for the write.
    await Promise.all([runCommand(page, 'copy'), runCommand(page, 'paste')]);
  }
}

/** Reads the clipboard by pasting into a hidden page, which needs no permission. */
export async function readClipboard(connection: Connection): Promise<string> {
  await using page = await HiddenPage.open(connection);
  const handle = await evaluate(page, CLIP);
  await runCommand(page, 'paste');
  return String(await callOn(page, handle, { source: 'function () { return this.text; }' }));
}

// Copy and paste events keep line endings, which a text area would normalize.
const CLIP = `(() => {
  const clip = { text: '' };
  document.addEventListener('copy', (event) => {
    event.clipboardData.setData('text/plain', clip.text);
    event.preventDefault();
  });
  document.addEventListener('paste', (event) => { clip.text = event.clipboardData.getData('text/plain'); });
  return clip;
})()`;

/**
 * Evaluates an expression and emulates focus, which clipboard commands need. Returns the id of the resulting object.
 */
async function evaluate({ session }: HiddenPage, expression: string): Promise<string> {
  const [{ result }] = await Promise.all([
    session.send('Runtime.evaluate', { expression }),
    session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
  ]);
  return result.objectId ?? '';
}

async function callOn({ session }: HiddenPage, objectId: string, call: ClipCall): Promise<unknown> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId,
    functionDeclaration: call.source,
    arguments: call.text === undefined ? [] : [{ value: call.text }],
    returnByValue: true,
  });
  return result.value;
}

interface ClipCall {
  readonly source: string;
  readonly text?: string;
}

/** Runs an editing command. CDP accepts commands only with a key event, and F24 does nothing in a page. */
function runCommand({ session }: HiddenPage, command: 'copy' | 'paste'): Promise<unknown> {
  return session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'F24',
    code: 'F24',
    windowsVirtualKeyCode: 135,
    commands: [command],
  });
}
