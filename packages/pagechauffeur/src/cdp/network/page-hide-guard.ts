import type { SocketBounds } from '../../injected/contract.ts';
import type { Session } from '../session.ts';
import { ISOLATED_WORLD_NAME } from '../world.ts';
import type { DomainPolicy } from './domain-policy.ts';

interface Installed {
  readonly source: string;
  readonly identifier: Promise<string>;
}

/**
 * Closes the sockets of a document when the page leaves it. If another process serves the next document, the browser no
 * longer checks the connections of this one.
 */
export class PageHideGuard {
  readonly #installedBySession = new WeakMap<Session, Installed>();

  /** Installs the guard in a session or, without a policy, removes it. Returns the replies. */
  set(session: Session, policy: DomainPolicy | undefined): Promise<unknown>[] {
    const installed = this.#installedBySession.get(session);
    if (!policy && !installed) return [];
    const source = sourceFor(policy);
    if (source === installed?.source) return [];
    const identifier = addScript(session, source);
    const before = installed ? [removeScript(session, installed.identifier)] : [];
    if (policy) {
      this.#installedBySession.set(session, { source, identifier });
      return [identifier, ...before];
    }
    this.#installedBySession.delete(session);
    return [removeScript(session, identifier), ...before];
  }
}

function sourceFor(policy: DomainPolicy | undefined): string {
  const sources = policy?.socketSources;
  const bounds: SocketBounds | null = policy ? (sources === undefined ? {} : { sources }) : null;
  return `globalThis.chauffeur?.guardPageHide(${JSON.stringify(bounds)})`;
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
