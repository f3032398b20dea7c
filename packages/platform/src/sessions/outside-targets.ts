import type { Connection } from 'pagechauffeur/internal';
import { isOfWeb } from '../gateway/command-rules.ts';
import { reasonOf } from '../errors.ts';
import type { PlatformLog } from '../platform-log.ts';

interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/**
 * Tracks non-web targets of a session's browser, independent of the target events that clients request. Closes tabs
 * with non-web URLs, because tenants must not see their content.
 */
export class OutsideTargets {
  readonly #targets = new Set<string>();
  readonly #sessionId: string;
  readonly #log: PlatformLog;

  constructor(sessionId: string, log: PlatformLog) {
    this.#sessionId = sessionId;
    this.#log = log;
  }

  /** Listens to target events. The caller must send `Target.setDiscoverTargets` afterwards. */
  attach(connection: Connection): void {
    const { browser } = connection;
    this.#targets.clear();
    browser.on('Target.targetCreated', ({ targetInfo }) => this.#judge(connection, targetInfo));
    browser.on('Target.targetInfoChanged', ({ targetInfo }) => this.#judge(connection, targetInfo));
    browser.on('Target.targetDestroyed', ({ targetId }) => this.#targets.delete(targetId));
  }

  get isEmpty(): boolean {
    return this.#targets.size === 0;
  }

  has(targetId: string): boolean {
    return this.#targets.has(targetId);
  }

  #judge(connection: Connection, { targetId, type, url }: TargetInfo): void {
    if (isOfWeb(url)) return void this.#targets.delete(targetId);
    this.#targets.add(targetId);
    if (type === 'page') void this.#close(connection, targetId);
  }

  async #close({ browser }: Connection, targetId: string): Promise<void> {
    const facts = { session: this.#sessionId };
    try {
      await browser.send('Target.closeTarget', { targetId });
      this.#log.warn(facts, 'closed a tab that navigated to a non-web URL, such as file: or chrome-extension:');
    } catch (error) {
      // The tab has already closed, or the connection is lost. The next connection reports the tab again.
      this.#log.info({ ...facts, reason: reasonOf(error) }, 'cannot close a tab that navigated to a non-web URL');
    }
  }
}
