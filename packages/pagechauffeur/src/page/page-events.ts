import type { FrameNode } from '../cdp/frame-node.ts';
import type { OpenDialog } from '../cdp/open-dialog.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverEvalError, DriverInvalidArgumentError } from '../errors.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { Listeners } from '../util/listeners.ts';
import { checkOptions, describeValue } from '../util/check-argument.ts';
import type { CallOptions } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { beginCall, type PageSettings } from '../actions/call-limits.ts';
import type { ConsoleMessage } from './console-message.ts';
import { ConsoleSource } from './console-source.ts';
import { Dialog } from './dialog.ts';
import { Download } from './download.ts';
import { isFavicon } from './favicon.ts';
import { type Frame, frameOf } from './locator.ts';
import { type Request, requestOf, responseOf } from './request.ts';
import type { Response } from './response.ts';
import type { EventParams } from '../cdp/protocol.ts';
import type { ValueMask } from '../util/value-mask.ts';

/** Events of `page.on()`, each with its payload. */
export interface PageEventMap<Page> {
  /** A script called a `console` method, or the browser logged a message about the page. */
  console: ConsoleMessage;
  /** A dialog opened. A listener must accept or dismiss it, or the page stays blocked. */
  dialog: Dialog;
  /** A download started. */
  download: Download;
  /** The page opened another page. */
  popup: Page;
  /** The page sent a request. Emitted again for each redirect. */
  request: Request;
  /** The headers of a response arrived. */
  response: Response;
  /** A script threw an error that it did not catch. */
  pageerror: DriverEvalError;
  /** A frame navigated to another document or within its document. */
  framenavigated: Frame;
  /** The page closed. */
  close: Page;
}

/** Options of `waitForEvent()`. */
export interface WaitForEventOptions<Payload> extends CallOptions {
  /** Returns a truthy value for the event to wait for. Default: any event. */
  predicate?: (payload: Payload) => unknown;
}

/** Time in ms for other clients of the browser to answer a dialog. Their listeners usually need a few milliseconds. */
const SHARED_DIALOG_MS = 1000;

/**
 * The listeners of a page. Observes an event only while it has a listener. Answers dialogs that have none, so that they
 * do not block the page.
 */
export class PageEvents<Page> extends Listeners<PageEventMap<Page>> {
  readonly #target: PageTarget;
  readonly #settings: PageSettings;

  constructor(page: Page, target: PageTarget, settings: PageSettings) {
    const context = { page: target, network: target.network, settings };
    super(
      {
        console: (emit) => {
          const source = new ConsoleSource(target, emit);
          return () => source.stop();
        },
        dialog: null,
        download: (emit) => {
          settings.watchDownloads();
          return target.events.on('download', (download) => emit(new Download(download, settings)));
        },
        popup: null,
        request: (emit) =>
          target.network.events.on('started', (facts) => isFavicon(facts.url) || emit(requestOf(facts, context))),
        response: (emit) =>
          target.network.events.on('response', (facts) => isFavicon(facts.url) || emit(responseOf(facts, context))),
        pageerror: (emit) => target.scripts.on('thrown', (event) => emit(pageError(event, settings.mask))),
        framenavigated: (emit) => onNavigations(target, (node) => emit(frameOf(target, settings, node))),
        close: (emit) => target.events.on('closed', () => emit(page)),
      },
      settings.log,
    );
    this.#target = target;
    this.#settings = settings;
    target.events.on('dialog', (dialog) => this.#decide(dialog));
    if (target.openDialog) this.#decide(target.openDialog);
  }

  /** Rejects if the page closes first, unless `event` is `close`. */
  async waitFor<E extends keyof PageEventMap<Page>>(
    event: E,
    given: WaitForEventOptions<PageEventMap<Page>[E]> | ((payload: PageEventMap<Page>[E]) => unknown) = {},
  ): Promise<PageEventMap<Page>[E]> {
    this.checkEvent(event);
    const { predicate, limits } = readWaitOptions(given);
    using progress = beginCall('page.waitForEvent', this.#settings, {
      ...limits,
      // The closing of the page must not reject a call that waits for `close`.
      ...(event === 'close' && !this.#target.isClosed ? {} : { gone: this.#target.gone }),
    });
    progress.log(`waiting for the event ${JSON.stringify(event)}`);
    return await this.next(progress, event, predicate);
  }

  /** Emits a dialog. If a listener throws, the driver answers the dialog as if there were none. */
  #decide(dialog: OpenDialog): void {
    if (!this.has('dialog')) return void this.#leaveToOthers(dialog);
    const onFailure = (): void => this.#close(dialog, 'its listener threw');
    this.#target.lock.asHandler(() => this.emit('dialog', new Dialog(dialog, this.#settings), onFailure));
  }

  /**
   * Leaves the dialog to Playwright or Puppeteer if it has a listener for this page. Otherwise answers, in a shared
   * browser after `SHARED_DIALOG_MS`.
   */
  async #leaveToOthers(dialog: OpenDialog): Promise<void> {
    const { hasForeignDialogListener, isShared } = this.#target;
    if (hasForeignDialogListener?.()) {
      this.#settings.log.write('page', 1, `Left ${dialog.label} to the listener of another library.`);
      return;
    }
    if (isShared) await withTimeout(SHARED_DIALOG_MS, dialog.closed);
    this.#close(dialog, isShared ? 'no listener answered it' : 'no listener for dialogs');
  }

  /** Accepts a `beforeunload` dialog, so that navigations work, and dismisses any other. */
  #close(dialog: OpenDialog, why: string): void {
    if (dialog.outcome !== 'open') return;
    const accept = dialog.type === 'beforeunload';
    const deed = accept ? 'Accepted' : 'Dismissed';
    this.#settings.log.write('page', 1, `${deed} a dialog (${dialog.type}): ${JSON.stringify(dialog.message)}`, {
      why,
    });
    dialog.answer(accept).catch(ignoreRejection);
  }
}

/** Splits the second argument of `waitForEvent()` into the predicate and the call options. */
export function readWaitOptions<Payload>(given: WaitForEventOptions<Payload> | ((payload: Payload) => unknown)): {
  readonly predicate: ((payload: Payload) => unknown) | undefined;
  readonly limits: CallOptions;
} {
  if (typeof given !== 'function') checkOptions(given);
  const { predicate, ...limits } = typeof given === 'function' ? { predicate: given } : given;
  checkPredicate(predicate);
  return { predicate, limits };
}

function checkPredicate(predicate: unknown): void {
  if (predicate === undefined || typeof predicate === 'function') return;
  throw new DriverInvalidArgumentError(`predicate must be a function. Received ${describeValue(predicate)}.`, {
    argument: 'predicate',
  });
}

function onNavigations(target: PageTarget, listen: (frame: FrameNode) => void): () => void {
  const stops = new CleanupStack();
  stops.defer(target.frames.events.on('navigated', listen));
  stops.defer(target.frames.events.on('navigatedWithinDocument', listen));
  return () => stops.dispose();
}

/** Converts an uncaught exception to an error with the page's message and stack. Masks variable values. */
function pageError({ exceptionDetails }: EventParams<'Runtime.exceptionThrown'>, mask: ValueMask): DriverEvalError {
  const { exception, text } = exceptionDetails;
  const words = mask.mask(exception?.description ?? (exception ? String(exception.value) : text));
  const error = new DriverEvalError(words.replace(/\n\s+at [^]*$/, ''));
  Object.defineProperty(error, 'stack', { value: words, configurable: true, writable: true });
  return error;
}
