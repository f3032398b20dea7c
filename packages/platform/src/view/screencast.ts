import type { Session } from 'chauffeur/internal';
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
  #pause: NodeJS.Timeout | undefined;

  constructor(parts: ScreencastParts) {
    this.#parts = parts;
    this.targetId = parts.targetId;
  }

  /** Begins to show the page to somebody, with the last picture at once. */
  add(sink: FrameSink): void {
    this.#sinks.add(sink);
    if (this.#last) sink.show(this.#last);
    if (this.#sinks.size === 1) void this.#run('Page.startScreencast');
  }

  /** Shows the page to somebody no more; without anybody no more pictures are taken. */
  remove(sink: FrameSink): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    clearTimeout(this.#pause);
    void this.#run('Page.stopScreencast');
  }

  /** Asks for pictures anew, because the page has another process. */
  restart(): void {
    if (this.#sinks.size > 0) void this.#run('Page.startScreencast');
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
      this.#askForNext(session, number, isTaken ? FRAME_MS : SLOW_MS);
    });
    return session;
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

  /** The browser takes the next picture when it is told that the one before has come. */
  #askForNext(session: Session, number: number, ms: number): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => {
      session.send('Page.screencastFrameAck', { sessionId: number }).catch((error: unknown) => {
        this.#parts.log.info({ target: this.targetId, reason: reasonOf(error) }, 'a page went while it was shown');
      });
    }, ms);
  }
}
