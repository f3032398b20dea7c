import type { Session } from 'pagechauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import { reasonOf } from '../errors.ts';

/** A picture of a page. */
export interface Frame {
  readonly jpeg: Buffer;
  /** The page's size in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Who is shown the pictures. */
export interface FrameSink {
  /** Takes a picture, or leaves it out when the ones before are still on their way. Whether it took it. */
  show(frame: Frame): boolean;
}

/** Between two pictures: fast enough to follow, slow enough for the browser to have time for its pages. */
const FRAME_MS = 66;
/** When nobody could take a picture, how long until the browser may send another. */
const SLOW_MS = 250;
const MAX_SIDE = 1600;
const QUALITY = 60;

interface ScreencastParts {
  readonly targetId: string;
  readonly log: PlatformLog;
  /** The attachment to the page. */
  readonly session: () => Promise<Session>;
}

/** The pictures of one page, taken while anybody looks at it and shown to all who do. */
export class Screencast {
  readonly targetId: string;
  readonly #parts: ScreencastParts;
  readonly #sinks = new Set<FrameSink>();
  /** The attachment that tells of pictures. */
  #told: Session | undefined;
  #last: Frame | undefined;
  /** Pictures that the browser has not been told have come, oldest first. */
  readonly #unanswered: number[] = [];
  /** Whether something may have changed since the last picture, and was left out because others were on their way. */
  #mayBeBehind = false;
  #pause: NodeJS.Timeout | undefined;
  #pace = FRAME_MS;

  constructor(parts: ScreencastParts) {
    this.#parts = parts;
    this.targetId = parts.targetId;
  }

  /** Begins to show the page to somebody, with the last picture at once. */
  add(sink: FrameSink): void {
    this.#sinks.add(sink);
    if (this.#last) sink.show(this.#last);
    if (this.#sinks.size === 1) this.#begin();
  }

  /** Shows the page to somebody no more; without anybody no more pictures are taken. */
  remove(sink: FrameSink): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    this.#end();
  }

  /** Asks for pictures anew, because the page has another process. */
  restart(): void {
    if (this.#sinks.size === 0) return;
    this.#end();
    this.#begin();
  }

  /** Shows somebody the last picture who could not take it before. */
  repeat(sink: FrameSink): void {
    if (this.#last && this.#sinks.has(sink)) sink.show(this.#last);
  }

  async #session(): Promise<Session> {
    const session = await this.#parts.session();
    if (this.#told === session) return session;
    this.#told = session;
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

  /** Pictures of before are answered no more. */
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
      // The page was closed meanwhile, which viewers are told by the list of pages.
      this.#parts.log.info({ target: this.targetId, reason: reasonOf(error) }, 'no pictures of a page');
    }
  }

  /** Whether anybody could take it. */
  #take(frame: Frame): boolean {
    this.#last = frame;
    return [...this.#sinks].map((sink) => sink.show(frame)).includes(true);
  }

  /**
   * The browser takes the next picture when it is told that one has come. While three are on their way, it leaves out what
   * changes and never comes back to it: when all is quiet again, it is asked for one picture more.
   */
  #answerLater(session: Session): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      const number = this.#unanswered.shift();
      if (number === undefined) return this.restart();
      session.send('Page.screencastFrameAck', { sessionId: number }).catch((error: unknown) => {
        this.#parts.log.info({ target: this.targetId, reason: reasonOf(error) }, 'a page went while it was shown');
      });
      if (this.#unanswered.length > 0 || this.#mayBeBehind) this.#answerLater(session);
    }, this.#pace);
  }
}
