import type { Session } from './session.ts';

/** Scripts that run in every document of a page before the page's own scripts, in the order in which they were added. */
export class InitScripts {
  readonly #sources: string[];
  readonly #sessions = new Set<Session>();

  constructor(sources: readonly string[]) {
    this.#sources = [...sources];
  }

  /**
   * Hands all scripts to a session that has yet to let its target run. What such a target already has is an empty
   * document that its opener may work with, so they run there at once, too.
   */
  install(session: Session): Promise<unknown>[] {
    this.#sessions.add(session);
    session.on('closed', () => this.#sessions.delete(session));
    return this.#sources.map((source) =>
      session.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true }),
    );
  }

  /** Adds a script; documents that are there already stay as they are. */
  async add(source: string): Promise<void> {
    this.#sources.push(source);
    await Promise.all([...this.#sessions].map((session) => addToSession(session, source)));
  }
}

async function addToSession(session: Session, source: string): Promise<void> {
  try {
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  } catch (error) {
    // A frame that has left the page needs no script any more.
    if (!session.isLostFrame) throw error;
  }
}
