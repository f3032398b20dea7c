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

/** Non-web targets that the platform's own connection has found. */
interface KnownTargets {
  readonly isEmpty: boolean;
  has(targetId: string): boolean;
}

/** Commands still allowed on a blocked target: resume it, detach from it. */
const ALLOWED_WHEN_BLOCKED: ReadonlySet<unknown> = new Set([
  'Runtime.runIfWaitingForDebugger',
  'Target.detachFromTarget',
]);
const NOT_ALLOWED = -32_000;
export const OUTSIDE_WEB = 'This target is not a web page. Commands to it are not allowed on the platform.';

/**
 * Blocks commands to non-web targets, such as the PDF viewer extension, whose scripts could read local files. Also
 * hides their events. Clients can still attach to these targets.
 */
export class TargetGuard {
  readonly #outside: KnownTargets;
  readonly #sessionsByTarget = new Map<string, Set<string>>();
  readonly #targetBySession = new Map<string, string>();
  readonly #barred = new Set<string>();

  /** `outside`: non-web targets known to the platform. Clients get target events only if they request them. */
  constructor(outside: KnownTargets) {
    this.#outside = outside;
  }

  /** Updates the blocked sessions from a `Target` event. */
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

  /** True for commands to a non-web target, except to resume it or to detach. */
  refuses({ method, sessionId }: { readonly method?: unknown; readonly sessionId?: unknown }): boolean {
    return typeof sessionId === 'string' && this.#isBarred(sessionId) && !ALLOWED_WHEN_BLOCKED.has(method);
  }

  /**
   * Filters a browser message for the client. Drops events from non-web targets, except `Target` events. Replaces
   * results from such targets with an error: the target may have navigated after the command was sent.
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
