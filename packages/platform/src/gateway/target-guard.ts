import { isOfWeb } from './command-rules.ts';

interface TargetNews {
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly targetInfo?: { readonly targetId: string; readonly type: string; readonly url: string };
  };
}

/** Commands that are still allowed on a closed target: to resume it and to detach from it. */
const LEAVING: ReadonlySet<unknown> = new Set(['Runtime.runIfWaitingForDebugger', 'Target.detachFromTarget']);

/**
 * Blocks commands to targets outside the web, such as the PDF viewer extension, whose scripts may read local files.
 * Clients are attached to them as to any other target.
 */
export class TargetGuard {
  readonly #sessionsByTarget = new Map<string, Set<string>>();
  readonly #targetBySession = new Map<string, string>();
  readonly #barred = new Set<string>();

  /** Updates from target events. Returns the id of a tab that left the web and must be closed. */
  note(message: string): string | undefined {
    if (!message.includes('"Target.')) return undefined;
    const { method, params } = JSON.parse(message) as TargetNews;
    const { sessionId = '', targetInfo } = params ?? {};
    if (method === 'Target.detachedFromTarget') this.#forget(sessionId);
    if (!targetInfo) return undefined;
    const { targetId, type, url } = targetInfo;
    if (method === 'Target.attachedToTarget') this.#add(sessionId, targetId);
    const isBarred = !isOfWeb(url);
    for (const session of this.#sessionsByTarget.get(targetId) ?? []) {
      if (isBarred) this.#barred.add(session);
      else this.#barred.delete(session);
    }
    return isBarred && type === 'page' ? targetId : undefined;
  }

  /** True if a command goes to a target outside the web. */
  refuses({ method, sessionId }: { readonly method?: unknown; readonly sessionId?: unknown }): boolean {
    return typeof sessionId === 'string' && this.#barred.has(sessionId) && !LEAVING.has(method);
  }

  #add(session: string, target: string): void {
    const sessions = this.#sessionsByTarget.get(target) ?? new Set();
    this.#sessionsByTarget.set(target, sessions.add(session));
    this.#targetBySession.set(session, target);
  }

  #forget(session: string): void {
    const target = this.#targetBySession.get(session) ?? '';
    const sessions = this.#sessionsByTarget.get(target);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#sessionsByTarget.delete(target);
    this.#targetBySession.delete(session);
    this.#barred.delete(session);
  }
}
