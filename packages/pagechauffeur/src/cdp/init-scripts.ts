import { ignoreRejection } from '../util/deferred.ts';
import type { FrameNode } from './frame-node.ts';
import { settleCommands } from './network/attached-target.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME } from './world.ts';

/** A script that was added, which can be taken away again. */
export interface AddedScript {
  remove(): Promise<void>;
}

interface Entry {
  readonly source: string;
  /** The world that it runs in; the page's own by default. */
  readonly worldName?: string | undefined;
  /** The browser's name for it in each session. */
  readonly identifiers: Map<Session, Promise<string>>;
}

/** Scripts that run in every document of a page before the page's own scripts, in the order in which they were added. */
export class InitScripts {
  readonly #entries = new Set<Entry>();
  readonly #sessions = new Set<Session>();
  readonly #unshownFrame: () => FrameNode | undefined;

  /** `unshownFrame` gives the main frame of a page that was opened for a document and does not show it yet. */
  constructor(sources: readonly string[], unshownFrame: () => FrameNode | undefined) {
    this.#unshownFrame = unshownFrame;
    for (const source of sources) this.#entries.add({ source, identifiers: new Map() });
  }

  /**
   * Hands all scripts to a session that has yet to let its target run. What such a target already has is an empty
   * document that its opener may work with, so they run there at once, too.
   */
  install(session: Session): Promise<unknown>[] {
    this.#sessions.add(session);
    session.on('closed', () => this.#sessions.delete(session));
    return [...this.#entries].map((entry) => send(session, entry, { runImmediately: true }));
  }

  /** Adds a script; documents that are there already stay as they are. */
  async add(source: string, { worldName }: Pick<Entry, 'worldName'> = {}): Promise<AddedScript> {
    const entry: Entry = { source, worldName, identifiers: new Map() };
    this.#entries.add(entry);
    const frame = worldName === undefined ? this.#unshownFrame() : undefined;
    const run = frame && new FirstDocumentRun(frame);
    await Promise.all([...this.#sessions].map((session) => unlessLost(session, send(session, entry))));
    await run?.makeUpFor(source);
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

/** A frame that has left the page needs no script any more. */
async function unlessLost(session: Session, command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!session.isLostFrame) throw error;
  }
}

/**
 * Whether a script that is added while a page's first document is on its way has run in it. The page takes no commands until
 * the document is there, and by then its own scripts may have begun: such a document gets the script as soon as it can. A
 * marker in the world of the in-page program, which the page cannot see, tells: it is added first and runs where the script does.
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

  async makeUpFor(source: string): Promise<void> {
    const { session, worlds } = this.#frame;
    const identifier = await this.#added;
    try {
      const world = await worlds.isolated;
      const hasRun = await world.evaluate(`globalThis[${JSON.stringify(this.#marker)}] === true`, null);
      if (hasRun !== true) await session.send('Runtime.evaluate', { expression: source });
    } catch (error) {
      // The next document runs the script by itself.
      if (!(error instanceof DocumentGoneError || error instanceof ProtocolError)) throw error;
    } finally {
      await settleCommands([session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })]);
    }
  }
}
