import { ignoreRejection } from '../util/deferred.ts';
import type { FrameNode } from './frame-node.ts';
import { settleCommands } from './network/attached-target.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME } from './world.ts';

export interface AddedScript {
  remove(): Promise<void>;
}

interface Entry {
  readonly source: string;
  /** Name of the isolated world. Default: the page's main world. */
  readonly worldName?: string | undefined;
  /** The browser's id of the script, per session. */
  readonly identifiers: Map<Session, Promise<string>>;
}

/** Scripts that run before the page's own scripts in every document, in the order of their addition. */
export class InitScripts {
  readonly #entries = new Set<Entry>();
  readonly #sessions = new Set<Session>();
  readonly #unshownFrame: () => FrameNode | undefined;

  /** `unshownFrame` returns the main frame while the page's first document is not committed. */
  constructor(sources: readonly string[], unshownFrame: () => FrameNode | undefined) {
    this.#unshownFrame = unshownFrame;
    for (const source of sources) this.#entries.add({ source, identifiers: new Map() });
  }

  /**
   * Adds all scripts to a session before its target runs. An opener may already use the target's empty document, so the
   * scripts also run there immediately.
   */
  install(session: Session): Promise<unknown>[] {
    this.#sessions.add(session);
    session.on('closed', () => this.#sessions.delete(session));
    return [...this.#entries].map((entry) => send(session, entry, { runImmediately: true }));
  }

  /** Adds a script for documents that load from now on. */
  async add(source: string, { worldName }: Pick<Entry, 'worldName'> = {}): Promise<AddedScript> {
    const entry: Entry = { source, worldName, identifiers: new Map() };
    this.#entries.add(entry);
    const frame = worldName === undefined ? this.#unshownFrame() : undefined;
    const run = frame && new FirstDocumentRun(frame);
    await Promise.all([...this.#sessions].map((session) => unlessLost(session, send(session, entry))));
    await run?.runIfMissed(source);
    return { remove: () => this.#remove(entry) };
  }

  async #remove(entry: Entry): Promise<void> {
    this.#entries.delete(entry);
    await Promise.all([...entry.identifiers].map(([session, name]) => unlessLost(session, removeFrom(session, name))));
  }
}

async function removeFrom(session: Session, name: Promise<string>): Promise<void> {
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: await name });
}

function send(session: Session, entry: Entry, options: { runImmediately?: boolean } = {}): Promise<unknown> {
  const { source, worldName } = entry;
  const world = worldName === undefined ? {} : { worldName };
  const answer = session.send('Page.addScriptToEvaluateOnNewDocument', { source, ...world, ...options });
  const identifier = answer.then((result) => result.identifier);
  entry.identifiers.set(session, identifier);
  return identifier;
}

/** Ignores errors of a frame that was removed. */
async function unlessLost(session: Session, command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!session.isLostFrame) throw error;
  }
}

/**
 * Runs a script in the page's first document if it was added too late. The page accepts commands only after it has
 * committed that document, whose own scripts may have run by then. A marker script detects this: it is added first, in
 * the isolated world, which the page cannot see, and runs if and only if the script runs.
 */
class FirstDocumentRun {
  readonly #frame: FrameNode;
  readonly #marker = `ran ${crypto.randomUUID()}`;
  readonly #added: Promise<string>;

  constructor(frame: FrameNode) {
    this.#frame = frame;
    const source = `globalThis[${JSON.stringify(this.#marker)}] = true`;
    this.#added = frame.session
      .send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD_NAME })
      .then(({ identifier }) => identifier);
    this.#added.catch(ignoreRejection);
  }

  async runIfMissed(source: string): Promise<void> {
    const { session, worlds } = this.#frame;
    const identifier = await this.#added;
    try {
      const world = await worlds.isolated;
      const hasRun = await world.evaluate(`globalThis[${JSON.stringify(this.#marker)}] === true`, null);
      if (hasRun !== true) await session.send('Runtime.evaluate', { expression: source });
    } catch (error) {
      // The document is gone. The next one runs the script itself.
      if (!(error instanceof DocumentGoneError || error instanceof ProtocolError)) throw error;
    } finally {
      await settleCommands([session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })]);
    }
  }
}
