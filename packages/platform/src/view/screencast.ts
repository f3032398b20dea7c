import type { Session } from 'pagechauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import { reasonOf } from '../errors.ts';

export interface Frame {
  readonly jpeg: Buffer;
  /** Viewport size in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface FrameSink {
  /** Shows a frame, or drops it while too many bytes are unsent. Returns true if the frame was shown. */
  show(frame: Frame): boolean;
}

/** Time between two frames. 15 frames per second are a compromise between smoothness and load. */
const FRAME_MS = 66;
/** Pause after a frame that every viewer dropped. */
const SLOW_MS = 250;
const MAX_SIDE = 1600;
const QUALITY = 60;

interface ScreencastParts {
  readonly targetId: string;
  readonly log: PlatformLog;
  readonly session: () => Promise<Session>;
}

/** Screencast of one page. Runs while it has viewers. */
export class Screencast {
  readonly targetId: string;
  readonly #parts: ScreencastParts;
  readonly #sinks = new Set<FrameSink>();
  /** Session with a listener for frames. */
  #observedSession: Session | undefined;
  #last: Frame | undefined;
  /** Ids of frames that are not acknowledged yet, oldest first. */
  readonly #unanswered: number[] = [];
  /** True if the browser may have dropped a change because frames were not acknowledged. */
  #mayBeBehind = false;
  #pause: NodeJS.Timeout | undefined;
  #pace = FRAME_MS;

  constructor(parts: ScreencastParts) {
    this.#parts = parts;
    this.targetId = parts.targetId;
  }

  /** Adds a viewer and shows the latest frame to it. Starts the screencast for the first viewer. */
  add(sink: FrameSink): void {
    this.#sinks.add(sink);
    if (this.#last) sink.show(this.#last);
    if (this.#sinks.size === 1) this.#begin();
  }

  /** Removes a viewer. Stops the screencast after the last one. */
  remove(sink: FrameSink): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    this.#end();
  }

  /** Restarts the screencast. The browser stops it when the page moves to another process. */
  restart(): void {
    if (this.#sinks.size === 0) return;
    this.#end();
    this.#begin();
  }

  /** Shows the latest frame to a viewer that has dropped it. */
  repeat(sink: FrameSink): void {
    if (this.#last && this.#sinks.has(sink)) sink.show(this.#last);
  }

  async #session(): Promise<Session> {
    const session = await this.#parts.session();
    if (this.#observedSession === session) return session;
    this.#observedSession = session;
    session.on('Page.screencastFrame', ({ data, metadata, sessionId: number }) => {
      const { deviceWidth: width, deviceHeight: height } = metadata;
      const isTaken = this.#take({ jpeg: Buffer.from(data, 'base64'), width, height });
      this.#pace = isTaken ? FRAME_MS : SLOW_MS;
      this.#unanswered.push(number);
      this.#mayBeBehind = this.#unanswered.length > 1;
      if (!this.#mayBeBehind) this.#answerLater(session);
    });
    return session;
  }

  #begin(): void {
    this.#forget();
    void this.#run('Page.startScreencast');
  }

  #end(): void {
    this.#forget();
    void this.#run('Page.stopScreencast');
  }

  /** Frames from before a restart need no acknowledgment. */
  #forget(): void {
    clearTimeout(this.#pause);
    this.#unanswered.length = 0;
    this.#mayBeBehind = false;
  }

  async #run(method: 'Page.startScreencast' | 'Page.stopScreencast'): Promise<void> {
    try {
      const session = await this.#session();
      if (method === 'Page.stopScreencast') {
        if (!session.isClosed) await session.send(method);
      } else
        await session.send(method, {
          format: 'jpeg',
          quality: QUALITY,
          maxWidth: MAX_SIDE,
          maxHeight: MAX_SIDE,
        });
    } catch (error) {
      // The page has closed. `PageList` reports that.
      this.#parts.log.info(
        { target: this.targetId, reason: reasonOf(error) },
        'cannot control the screencast of a page',
      );
    }
  }

  /** Returns true if any viewer showed the frame. */
  #take(frame: Frame): boolean {
    this.#last = frame;
    return [...this.#sinks].map((sink) => sink.show(frame)).includes(true);
  }

  /**
   * Acknowledges frames with a delay, which limits the frame rate: the browser sends the next frame after an
   * acknowledgment. While three frames are unacknowledged, it drops changes, so the screencast restarts once the page
   * is quiet.
   */
  #answerLater(session: Session): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      const number = this.#unanswered.shift();
      if (number === undefined) return this.restart();
      session.send('Page.screencastFrameAck', { sessionId: number }).catch((error: unknown) => {
        this.#parts.log.info(
          { target: this.targetId, reason: reasonOf(error) },
          'a page was closed during its screencast',
        );
      });
      if (this.#unanswered.length > 0 || this.#mayBeBehind) this.#answerLater(session);
    }, this.#pace);
  }
}
