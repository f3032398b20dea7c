import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import { ReportingDomain } from '../cdp/reporting-domain.ts';
import type { Session } from '../cdp/session.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { ConsoleMessage, topOfStack } from './console-message.ts';
import { isFavicon } from './favicon.ts';
import { ConsoleReader, needsPreview, plainValue } from './console-value.ts';
import { withRefusal } from './refused-socket.ts';

type ConsoleCall = EventParams<'Runtime.consoleAPICalled'>;

/**
 * Emits a page's console messages, from all its processes, in the order in which they arrive. Reading an object takes a
 * round trip; later messages wait for it.
 */
export class ConsoleSource {
  readonly #page: PageTarget;
  readonly #emit: (message: ConsoleMessage) => void;
  readonly #stops = new CleanupStack();
  /** Resolves once every queued message has been emitted. `undefined` if the queue is empty. */
  #earlier: Promise<void> | undefined;
  #queueLength = 0;
  #pendingReads = 0;
  /**
   * Each function makes one queued message use the descriptions of its objects, instead of waiting for their content.
   */
  readonly #stopReads = new Set<(args: undefined) => void>();

  constructor(page: PageTarget, emit: (message: ConsoleMessage) => void) {
    this.#page = page;
    this.#emit = emit;
    this.#stops.defer(page.scripts.on('console', ({ session, call }) => this.#onCall(session, call)));
    for (const session of page.sessions) this.#listenToBrowser(session);
    this.#stops.defer(page.events.on('session', (session) => this.#listenToBrowser(session)));
  }

  stop(): void {
    this.#stops.dispose();
  }

  /**
   * Listens for messages from the browser itself, such as a script that failed to load. `Log.enable` repeats earlier
   * messages; `isNew` is false for those.
   */
  #listenToBrowser(session: Session): void {
    const domain = new ReportingDomain(session, 'Log');
    const stop = session.on('Log.entryAdded', ({ entry }) => {
      if (!domain.isNew || isFavicon(entry.url ?? '')) return;
      this.#emitInOrder(browserMessage({ ...entry, text: withRefusal(entry.text, this.#page.control.policy) }));
    });
    this.#stops.defer(() => {
      stop();
      domain.disable();
    });
  }

  #onCall(session: Session, call: ConsoleCall): void {
    const plain = messageOf(call, call.args.map(plainValue));
    const isRead = this.#pendingReads < PAGE_BOUNDS.consoleReads && call.args.some(needsPreview);
    if (isRead) this.#enqueue(this.#read(session, call, plain));
    else this.#emitInOrder(plain);
  }

  async #read(session: Session, call: ConsoleCall, plain: ConsoleMessage): Promise<ConsoleMessage> {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
    this.#pendingReads += 1;
    const read = readArguments(session, call).finally(() => {
      this.#pendingReads -= 1;
    });
    // One promise per message: a shared one would keep the arguments of every message that raced with it in memory.
    this.#stopReads.add(stop);
    const args = await Promise.race([read, stopped]);
    this.#stopReads.delete(stop);
    return args ? messageOf(call, args) : plain;
  }

  #emitInOrder(message: ConsoleMessage): void {
    if (this.#earlier) this.#enqueue(message);
    else this.#emit(message);
  }

  #enqueue(message: ConsoleMessage | Promise<ConsoleMessage>): void {
    const emitted = this.#emitAfter(this.#earlier, message);
    this.#earlier = emitted;
    this.#queueLength += 1;
    if (this.#queueLength > PAGE_BOUNDS.waitingMessages) for (const stop of this.#stopReads) stop(undefined);
    void emitted.finally(() => {
      this.#queueLength -= 1;
      if (this.#earlier === emitted) this.#earlier = undefined;
    });
  }

  async #emitAfter(
    earlier: Promise<void> | undefined,
    message: ConsoleMessage | Promise<ConsoleMessage>,
  ): Promise<void> {
    await earlier;
    this.#emit(await message);
  }
}

/** Falls back to an object's description if the page navigates or closes before its properties arrive. */
async function readArguments(session: Session, { args }: ConsoleCall): Promise<readonly unknown[]> {
  const reader = new ConsoleReader(session);
  return Promise.all(args.map((object) => reader.read(object).catch(() => object.description)));
}

function messageOf({ type, stackTrace }: ConsoleCall, args: readonly unknown[]): ConsoleMessage {
  return new ConsoleMessage({ type, location: topOfStack(stackTrace), args });
}

function browserMessage({
  level,
  text,
  url = '',
  lineNumber = 0,
}: EventParams<'Log.entryAdded'>['entry']): ConsoleMessage {
  return new ConsoleMessage({
    type: level === 'verbose' ? 'debug' : level,
    location: { url, lineNumber, columnNumber: 0 },
    args: [text],
  });
}
