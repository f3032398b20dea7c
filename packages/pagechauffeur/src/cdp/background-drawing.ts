import { DriverClosedError } from '../errors.ts';
import type { Progress } from '../util/progress.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';

/**
 * `alone`: the window has no other page. `front`: the page is probably in front. `behind`: another page may be in
 * front.
 */
export type PositionInWindow = 'alone' | 'front' | 'behind';

/**
 * Delay in ms between the first pending command and the screencast. A page that seems to be in front may not be: a
 * script, a user or another client can switch pages, and no event reports it.
 */
const DRAW_AFTER_MS: Readonly<Record<PositionInWindow, number>> = { alone: Infinity, front: 1500, behind: 0 };
/**
 * Delay in ms between the last command and the end of the screencast. Calls often follow one another, and the first
 * frame takes 100 ms.
 */
const LINGER_MS = 2000;
/** Sends practically no images, and keeps the browser's copy of each frame as small as possible. */
const WITHOUT_IMAGES = {
  format: 'jpeg',
  quality: 1,
  maxWidth: 1,
  maxHeight: 1,
  everyNthFrame: 2 ** 31 - 1,
} as const;

/**
 * Makes the browser draw a page behind another page while commands to it are pending.
 *
 * Chromium draws only the page in front. After four undrawn frames, other pages get one animation frame per second, and
 * a screenshot of them never completes. Focus emulation does not change that: it only makes the pages visible to their
 * own scripts. A screencast makes the browser draw a page. It runs only while the page is in use, because copying a
 * frame takes as long as drawing it.
 */
export class BackgroundDrawing {
  readonly #page: Session;
  readonly #sessions = new Set<Session>();
  #state: 'off' | 'on' | 'stopping' | 'lent' | 'refused' = 'off';
  #position: PositionInWindow = 'alone';
  #start: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;

  constructor(page: Session) {
    this.#page = page;
  }

  set position(position: PositionInWindow) {
    if (position === this.#position) return;
    this.#position = position;
    this.#clearTimers();
    this.#update();
  }

  /** A page is in use while one of its sessions has pending commands. */
  watch(session: Session): void {
    this.#sessions.add(session);
    session.on('busy', () => this.#update());
    session.on('idle', () => this.#update());
    session.on('closed', () => {
      this.#sessions.delete(session);
      this.#update();
    });
  }

  /**
   * Sends a user's screencast command. A session has only one screencast: the user's replaces the driver's, and also
   * makes the browser draw the page.
   */
  async sendForUser(progress: Progress, method: string, params: unknown): Promise<unknown> {
    if (method === 'Page.startScreencast') await progress.race(this.#lend());
    const reply = this.#page.sendRaw(method, params);
    if (method === 'Page.startScreencast') void this.#takeBackIf(false, reply);
    if (method === 'Page.stopScreencast') void this.#takeBackIf(true, reply);
    return progress.race(reply);
  }

  #update(): void {
    const delay = DRAW_AFTER_MS[this.#position];
    if (delay < Infinity && this.#isInUse) {
      clearTimeout(this.#end);
      this.#end = undefined;
      if (this.#state === 'off') this.#startAfter(delay);
    } else {
      clearTimeout(this.#start);
      this.#start = undefined;
      if (this.#state === 'on') this.#end ??= setTimeout(() => void this.#stopDrawing(), LINGER_MS).unref();
    }
  }

  get #isInUse(): boolean {
    return [...this.#sessions].some((session) => session.isBusy);
  }

  #startAfter(delay: number): void {
    if (delay === 0) void this.#startDrawing();
    else this.#start ??= setTimeout(() => void this.#startDrawing(), delay).unref();
  }

  async #startDrawing(): Promise<void> {
    this.#clearTimers();
    this.#state = 'on';
    const isDone = await isAccepted(this.#page.send('Page.startScreencast', WITHOUT_IMAGES));
    if (!isDone && this.#state === 'on') this.#state = 'refused';
  }

  async #stopDrawing(): Promise<void> {
    this.#clearTimers();
    this.#state = 'stopping';
    await isAccepted(this.#page.send('Page.stopScreencast'));
    if (this.#state === 'stopping') this.#state = 'off';
    this.#update();
  }

  async #lend(): Promise<void> {
    const isOurs = this.#state === 'on';
    this.#state = 'lent';
    this.#clearTimers();
    if (isOurs) await isAccepted(this.#page.send('Page.stopScreencast'));
  }

  /**
   * The driver can use the screencast again after the user's stop command succeeded (`wanted` true) or the start
   * command failed (`wanted` false).
   */
  async #takeBackIf(wanted: boolean, reply: Promise<unknown>): Promise<void> {
    if ((await isAccepted(reply)) !== wanted || this.#state !== 'lent') return;
    this.#state = 'off';
    this.#update();
  }

  #clearTimers(): void {
    clearTimeout(this.#start);
    clearTimeout(this.#end);
    this.#start = undefined;
    this.#end = undefined;
  }
}

/** False if the browser does not support screencasts, or the page has closed. */
async function isAccepted(command: Promise<unknown>): Promise<boolean> {
  try {
    await command;
    return true;
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof DriverClosedError) return false;
    throw error;
  }
}
