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

/** Emits the console messages of a page from all its processes, in order. */
export class ConsoleSource {
  readonly #page: PageTarget;
  readonly #emit: (message: ConsoleMessage) => void;
  readonly #stops = new CleanupStack();
  /** Resolves when all earlier messages were emitted. `undefined` if none is pending. */
  #earlier: Promise<void> | undefined;
  /** Number of messages waiting to be emitted. */
  #waiting = 0;
  /** Number of pending object reads. */
  #reads = 0;
  /** Emits the waiting messages without pending objects. */
  readonly #stopReads = new Set<(args: undefined) => void>();

  constructor(page: PageTarget, emit: (message: ConsoleMessage) => void) {
    this.#page = page;
    this.#emit = emit;
    this.#stops.defer(page.scripts.on('console', ({ session, call }) => this.#called(session, call)));
    for (const session of page.sessions) this.#listenToBrowser(session);
    this.#stops.defer(page.events.on('session', (session) => this.#listenToBrowser(session)));
  }

  /** Stops listening. */
  stop(): void {
    this.#stops.dispose();
  }

  /** Messages of the browser itself, such as a script that failed to load. Skips earlier ones that the browser repeats. */
  #listenToBrowser(session: Session): void {
    const domain = new ReportingDomain(session, 'Log');
    const stop = session.on('Log.entryAdded', ({ entry }) => {
      if (!domain.isNews || isFavicon(entry.url ?? '')) return;
      this.#tell(browserMessage({ ...entry, text: withRefusal(entry.text, this.#page.control.policy) }));
    });
    this.#stops.defer(() => {
      stop();
      domain.disable();
    });
  }

  #called(session: Session, call: ConsoleCall): void {
    const plain = messageOf(call, call.args.map(plainValue));
    const isRead = this.#reads < PAGE_BOUNDS.consoleReads && call.args.some(needsPreview);
    if (isRead) this.#after(this.#read(session, call, plain));
    else this.#tell(plain);
  }

  async #read(session: Session, call: ConsoleCall, plain: ConsoleMessage): Promise<ConsoleMessage> {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
    this.#reads += 1;
    const read = readArguments(session, call).finally(() => {
      this.#reads -= 1;
    });
    // A promise per message: a shared one would retain the arguments of every message that raced with it.
    this.#stopReads.add(stop);
    const args = await Promise.race([read, stopped]);
    this.#stopReads.delete(stop);
    return args ? messageOf(call, args) : plain;
  }

  #tell(message: ConsoleMessage): void {
    if (this.#earlier) this.#after(message);
    else this.#emit(message);
  }

  /** Emits a message after the earlier ones. */
  #after(message: ConsoleMessage | Promise<ConsoleMessage>): void {
    const emitted = this.#emitAfter(this.#earlier, message);
    this.#earlier = emitted;
    this.#waiting += 1;
    if (this.#waiting > PAGE_BOUNDS.waitingMessages) for (const stop of this.#stopReads) stop(undefined);
    void emitted.finally(() => {
      this.#waiting -= 1;
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

/** If the page navigates or closes meanwhile, uses the values that came with the message. */
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
