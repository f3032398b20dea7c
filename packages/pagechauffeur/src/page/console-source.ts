import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import { ReportingDomain } from '../cdp/reporting-domain.ts';
import type { Session } from '../cdp/session.ts';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { ConsoleMessage, topOfStack } from './console-message.ts';
import { isFavicon } from './favicon.ts';
import { ConsoleReader, isLookedInto, plainValue } from './console-value.ts';
import { withRefusal } from './refused-socket.ts';

type ConsoleCall = EventParams<'Runtime.consoleAPICalled'>;

/** Tells the console messages of a page, all its processes included, in the order they were written. */
export class ConsoleSource {
  readonly #page: PageTarget;
  readonly #emit: (message: ConsoleMessage) => void;
  readonly #stops = new CleanupStack();
  /** Settled when all earlier messages were told; undefined when none is waited for. */
  #earlier: Promise<void> | undefined;

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
    const isPlain = !call.args.some(isLookedInto);
    if (isPlain && !this.#earlier) return this.#emit(messageOf(call, call.args.map(plainValue)));
    this.#after(async () => messageOf(call, await readArguments(session, call)));
  }

  #tell(message: ConsoleMessage): void {
    if (this.#earlier) this.#after(() => Promise.resolve(message));
    else this.#emit(message);
  }

  /** Tells a message when those before it have been told. */
  #after(read: () => Promise<ConsoleMessage>): void {
    const told = this.#tellAfter(this.#earlier, read());
    this.#earlier = told;
    void told.finally(() => {
      if (this.#earlier === told) this.#earlier = undefined;
    });
  }

  async #tellAfter(earlier: Promise<void> | undefined, message: Promise<ConsoleMessage>): Promise<void> {
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
