import { isOfWeb } from './command-rules.ts';

interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly result?: object;
  readonly params?: {
    readonly sessionId?: string;
    readonly targetInfo?: { readonly targetId: string; readonly url: string };
  };
}

/** Facts about targets from the platform's own connection. */
interface KnownTargets {
  readonly isEmpty: boolean;
  has(targetId: string): boolean;
}

/** Commands that are still allowed on a closed target: to resume it and to detach from it. */
const LEAVING: ReadonlySet<unknown> = new Set(['Runtime.runIfWaitingForDebugger', 'Target.detachFromTarget']);
const NOT_ALLOWED = -32_000;
/** Error of commands to a target that is not a web page. */
export const OUTSIDE_WEB = 'This target is not a web page. Commands to it are not allowed on the platform.';

/**
 * Blocks commands to non-web targets, such as the PDF viewer extension, whose scripts may read local files. Hides the events of
 * these targets. Clients are attached to them as to any other target.
 */
export class TargetGuard {
  readonly #outside: KnownTargets;
  readonly #sessionsByTarget = new Map<string, Set<string>>();
  readonly #targetBySession = new Map<string, string>();
  readonly #barred = new Set<string>();

  /** `outside`: the known non-web targets. A client gets target events only if it requested them. */
  constructor(outside: KnownTargets) {
    this.#outside = outside;
  }

  /** Updates from a target event. */
  note(message: string): void {
    if (!message.includes('"Target.')) return;
    const { method, params } = JSON.parse(message) as WireMessage;
    const { sessionId = '', targetInfo } = params ?? {};
    if (method === 'Target.detachedFromTarget') this.#forget(sessionId);
    if (!targetInfo) return;
    const { targetId, url } = targetInfo;
    if (method === 'Target.attachedToTarget') this.#add(sessionId, targetId);
    const isBarred = !isOfWeb(url);
    for (const session of this.#sessionsByTarget.get(targetId) ?? []) {
      if (isBarred) this.#barred.add(session);
      else this.#barred.delete(session);
    }
  }

  /** True if a command goes to a non-web target. */
  refuses({ method, sessionId }: { readonly method?: unknown; readonly sessionId?: unknown }): boolean {
    return typeof sessionId === 'string' && this.#isBarred(sessionId) && !LEAVING.has(method);
  }

  /**
   * Returns the message for the client. Drops events of a non-web target. Turns responses with contents into errors, because their
   * commands were sent before the target navigated to a non-web URL.
   */
  visible(message: string): string | undefined {
    if (this.#barred.size === 0 && this.#outside.isEmpty) return message;
    const { id, method, sessionId, result } = JSON.parse(message) as WireMessage;
    if (sessionId === undefined || !this.#isBarred(sessionId)) return message;
    if (id === undefined) return method?.startsWith('Target.') === true ? message : undefined;
    if (result === undefined || Object.keys(result).length === 0) return message;
    return JSON.stringify({ id, error: { code: NOT_ALLOWED, message: OUTSIDE_WEB }, sessionId });
  }

  #isBarred(session: string): boolean {
    return this.#barred.has(session) || this.#outside.has(this.#targetBySession.get(session) ?? '');
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
