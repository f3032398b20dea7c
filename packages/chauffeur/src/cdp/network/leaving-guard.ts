import type { Session } from '../session.ts';
import { ISOLATED_WORLD_NAME } from '../world.ts';

const GUARD = 'globalThis.chauffeur?.guardLeaving(true)';
const NO_GUARD = 'globalThis.chauffeur?.guardLeaving(false)';

/**
 * Has documents of pages and frames give up sockets as they are left: once another process serves the page, the browser
 * no longer judges what the one before connects to.
 */
export class LeavingGuard {
  readonly #scriptBySession = new WeakMap<Session, Promise<string>>();

  /** Commands that put it in place on a session, or take it off. */
  set(session: Session, isOn: boolean): Promise<unknown>[] {
    const script = this.#scriptBySession.get(session);
    if (isOn === (script !== undefined)) return [];
    if (script === undefined) {
      const added = addScript(session, GUARD);
      this.#scriptBySession.set(session, added);
      return [added];
    }
    this.#scriptBySession.delete(session);
    return [removeScript(session, script), removeScript(session, addScript(session, NO_GUARD))];
  }
}

async function addScript(session: Session, source: string): Promise<string> {
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source,
    worldName: ISOLATED_WORLD_NAME,
    runImmediately: true,
  });
  return identifier;
}

async function removeScript(session: Session, script: Promise<string>): Promise<void> {
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier: await script });
}
