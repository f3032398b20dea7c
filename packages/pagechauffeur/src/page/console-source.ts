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

/** Tells the console messages of a page, all its processes included, in the order they were written. */
export class ConsoleSource {
  readonly #page: PageTarget;
  readonly #emit: (message: ConsoleMessage) => void;
  readonly #stops = new CleanupStack();
  /** Settled when all earlier messages were told; undefined when none is waited for. */
  #earlier: Promise<void> | undefined;
  /** How many messages wait to be emitted. */
  #waiting = 0;
  /** Reads of objects that the browser has not answered yet. */
  #reads = 0;
  /** Emits the waiting messages without the objects that the browser has not sent yet. */
  readonly #stopReads = new Set<(args: undefined) => void>();

  constructor(page: PageTarget, emit: (message: ConsoleMessage) => void) {
    this.#page = page;
    this.#emit = emit;
    this.#stops.defer(page.scripts.on('console', ({ session, call }) => this.#called(session, call)));
    for (const session of page.sessions) this.#listenToBrowser(session);
    this.#stops.defer(page.events.on('session', (session) => this.#listenToBrowser(session)));
  }

  /** Ends it. */
  stop(): void {
    this.#stops.dispose();
  }

  /** What the browser itself says, such as that a script could not be loaded; what it said before now is not repeated. */
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
    // One promise for each: a shared one would keep the arguments of every message that raced with it.
    this.#stopReads.add(stop);
    const args = await Promise.race([read, stopped]);
    this.#stopReads.delete(stop);
    return args ? messageOf(call, args) : plain;
  }

  #tell(message: ConsoleMessage): void {
    if (this.#earlier) this.#after(message);
    else this.#emit(message);
  }

  /** Tells a message when those before it have been told. */
  #after(message: ConsoleMessage | Promise<ConsoleMessage>): void {
    const told = this.#emitAfter(this.#earlier, message);
    this.#earlier = told;
    this.#waiting += 1;
    if (this.#waiting > PAGE_BOUNDS.waitingMessages) for (const stop of this.#stopReads) stop(undefined);
    void told.finally(() => {
      this.#waiting -= 1;
      if (this.#earlier === told) this.#earlier = undefined;
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

/** A page that goes away meanwhile leaves what was told with the message. */
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
