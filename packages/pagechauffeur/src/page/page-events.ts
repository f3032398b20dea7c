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

/** Events of a page. `Page` is the class of pages. */
export interface PageEventMap<Page> {
  /** The page wrote to the console. */
  console: ConsoleMessage;
  /** A dialog opened. Listeners must answer it. */
  dialog: Dialog;
  /** A download started. */
  download: Download;
  /** The page opened another page. */
  popup: Page;
  /** The page sent a request. Each redirect counts. */
  request: Request;
  /** The headers of a response arrived. */
  response: Response;
  /** A script of the page threw an uncaught error. */
  pageerror: DriverEvalError;
  /** A frame navigated to another document or within its document. */
  framenavigated: Frame;
  /** The page closed. */
  close: Page;
}

/** The event to wait for, and the timeout. */
export interface WaitForEventOptions<Payload> extends CallOptions {
  /** Returns true for the event to wait for. By default, the first event is accepted. */
  predicate?: (payload: Payload) => unknown;
}

/** Time in ms for other clients to answer a dialog. A listener that answers at once needs a few milliseconds. */
const SHARED_DIALOG_MS = 1000;

/** Events of one page. Events without listeners are not processed, and dialogs without listeners are answered at once. */
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

  /** Waits for an event. Rejects if the page closes. */
  async waitFor<E extends keyof PageEventMap<Page>>(
    event: E,
    given: WaitForEventOptions<PageEventMap<Page>[E]> | ((payload: PageEventMap<Page>[E]) => unknown) = {},
  ): Promise<PageEventMap<Page>[E]> {
    this.checkEvent(event);
    const { predicate, limits } = readWaitOptions(given);
    using progress = beginCall('page.waitForEvent', this.#settings, {
      ...limits,
      // A closing page emits `close` before waiting calls learn that it is gone.
      ...(event === 'close' && !this.#target.isClosed ? {} : { gone: this.#target.gone }),
    });
    progress.log(`waiting for the event ${JSON.stringify(event)}`);
    return await this.next(progress, event, predicate);
  }

  /** Passes a dialog to the driver's listeners. If one throws, closes the dialog as without listeners. */
  #decide(dialog: OpenDialog): void {
    if (!this.has('dialog')) return void this.#leaveToOthers(dialog);
    const onFailure = (): void => this.#close(dialog, 'its listener failed');
    this.#target.lock.asHandler(() => this.emit('dialog', new Dialog(dialog, this.#settings), onFailure));
  }

  /** Leaves a dialog to another client of the browser. Closes it if nobody answers in time. */
  async #leaveToOthers(dialog: OpenDialog): Promise<void> {
    const { hasForeignDialogListener, isShared } = this.#target;
    if (hasForeignDialogListener?.()) {
      this.#settings.log.write('page', 1, `Left ${dialog.label} to the listener of another library.`);
      return;
    }
    if (isShared) await withTimeout(SHARED_DIALOG_MS, dialog.closed);
    this.#close(dialog, isShared ? 'no listener answered it' : 'no listener for dialogs');
  }

  /** Closes a dialog that would otherwise block its page: accepts `beforeunload` and declines others. */
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

/** Validates the options of a wait. */
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

/** An uncaught error of a page with the page's message and stack, without variable values. */
function pageError({ exceptionDetails }: EventParams<'Runtime.exceptionThrown'>, mask: ValueMask): DriverEvalError {
  const { exception, text } = exceptionDetails;
  const words = mask.mask(exception?.description ?? (exception ? String(exception.value) : text));
  const error = new DriverEvalError(words.replace(/\n\s+at [^]*$/, ''));
  Object.defineProperty(error, 'stack', { value: words, configurable: true, writable: true });
  return error;
}
