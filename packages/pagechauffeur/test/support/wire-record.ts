import { WebSocket } from 'ws';

/** An object of a page that the browser holds for us until it is released or its document goes. */
interface HeldObject {
  readonly session: string;
  /** The world that it lives in. */
  readonly context: string;
  /** The command that handed it out. */
  readonly command: string;
  /** The session and name of the group that it is released with, if it has one. */
  readonly group?: string | undefined;
}

/** What a driver's socket to a browser holds on to. */
export interface SocketRecord {
  readonly url: string;
  /** The commands that were handed objects of pages which nobody released. */
  readonly objects: readonly string[];
  /** Targets with more than one session of this socket. */
  readonly doubled: readonly string[];
  readonly isOpen: boolean;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

interface ContextResult {
  readonly executionContextId: number;
}

/** Only messages that hold one of these words are read; the others change nothing here. */
const TELLING_WORDS = [
  '"objectId"',
  '"executionContextId"',
  '"Page.frameNavigated',
  '"Page.frameDetached',
  'TargetInfo',
  '"Target.attached',
  '"Target.detached',
];
const MAKES_OBJECTS = /"Runtime\.(evaluate|callFunctionOn)"|"DOM\.resolveNode"|"Page\.createIsolatedWorld"/;
const ENDS_SESSION = '"Target.detachFromTarget"';
const sockets = new Map<WebSocket, SocketWatch>();
let isRecording = false;

/** What the sockets of this process to browsers hold on to now, or held on to when they ended. */
export function socketRecords(): SocketRecord[] {
  return [...sockets].map(([socket, watch]) => watch.read(socket));
}

/** Starts over: earlier test files own what their sockets recorded. */
export function forgetSockets(): void {
  sockets.clear();
}

/** Reads along on every socket to a browser that this process opens from now on. */
export function recordWire(): void {
  if (isRecording) return;
  isRecording = true;
  const { send, emit } = WebSocket.prototype;
  Object.assign(WebSocket.prototype, {
    send(this: WebSocket, ...args: unknown[]): void {
      watchOf(this)?.sent(String(args[0]));
      Reflect.apply(send, this, args);
    },
    emit(this: WebSocket, ...args: [event: string | symbol, data?: unknown]): boolean {
      if (args[0] === 'message') watchOf(this)?.received(args[1] as Buffer);
      return Reflect.apply(emit, this, args);
    },
  });
}

function watchOf(socket: WebSocket): SocketWatch | undefined {
  const known = sockets.get(socket);
  if (known) return known;
  if (!socket.url?.includes('/devtools/browser/')) return undefined;
  const watch = new SocketWatch();
  sockets.set(socket, watch);
  return watch;
}

class SocketWatch {
  readonly #commandById = new Map<number, string>();
  /** Commands under way whose objects are released by the name of their group. */
  readonly #groupById = new Map<number, string>();
  readonly #objects = new Map<string, HeldObject>();
  readonly #targetBySession = new Map<string, string>();
  /** By the id of the command that asked for a world, then by session and world. */
  readonly #frameByCommand = new Map<number, string>();
  readonly #frameByContext = new Map<string, string>();

  sent(text: string): void {
    if (!/"object(Id|Group)"/.test(text) && !MAKES_OBJECTS.test(text) && !text.includes(ENDS_SESSION)) return;
    const { id = 0, method = '', params, sessionId = '' } = JSON.parse(text) as Message;
    const group = keyOf(sessionId, String(params?.['objectGroup']));
    // The socket may close before the browser says that it did so.
    if (method === 'Target.detachFromTarget') this.#targetBySession.delete(String(params?.['sessionId']));
    if (method === 'Runtime.releaseObjectGroup') this.#forgetGroup(group);
    else if (method === 'Runtime.releaseObject') this.#objects.delete(keyOf(sessionId, String(params?.['objectId'])));
    else if (method === 'Page.createIsolatedWorld') this.#frameByCommand.set(id, String(params?.['frameId']));
    else if (method === 'Runtime.evaluate' || method === 'Runtime.callFunctionOn' || method === 'DOM.resolveNode')
      this.#commandById.set(id, `${method} ${text.slice(0, 300)}`);
    if (params?.['objectGroup'] !== undefined && MAKES_OBJECTS.test(text)) this.#groupById.set(id, group);
  }

  /** The browser does as it is told in its order: what these commands hand out is released right after them. */
  #forgetGroup(group: string): void {
    this.#forget((object) => object.group === group);
    for (const [id, one] of this.#groupById) {
      if (one !== group) continue;
      this.#groupById.delete(id);
      this.#commandById.delete(id);
    }
  }

  received(data: Buffer): void {
    if (!TELLING_WORDS.some((word) => data.includes(word))) return;
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) this.#event(message);
    else this.#result(message);
  }

  read(socket: WebSocket): SocketRecord {
    const targets = [...this.#targetBySession.values()];
    return {
      url: socket.url,
      objects: [...this.#objects.values()].map(({ command }) => command),
      doubled: targets.filter((target, index) => targets.indexOf(target) !== index),
      isOpen: socket.readyState !== WebSocket.CLOSED,
    };
  }

  #result({ id = 0, sessionId = '', result }: Message): void {
    const frame = this.#frameByCommand.get(id);
    if (this.#frameByCommand.delete(id) && frame !== undefined)
      this.#frameByContext.set(
        keyOf(sessionId, String((result as ContextResult | undefined)?.executionContextId)),
        frame,
      );
    const command = this.#commandById.get(id);
    this.#commandById.delete(id);
    const group = this.#groupById.get(id);
    this.#groupById.delete(id);
    const { objectId, description } = command === undefined ? {} : objectIn(result);
    if (objectId === undefined || command === undefined || description === DOCUMENT) return;
    const [, context = ''] = objectId.split('.');
    this.#objects.set(keyOf(sessionId, objectId), { session: sessionId, context, command, group });
  }

  #event({ method, params = {}, sessionId = '' }: Message): void {
    if (method === 'Target.attachedToTarget') {
      const { targetId } = params['targetInfo'] as { targetId: string };
      this.#targetBySession.set(String(params['sessionId']), targetId);
    }
    if (method === 'Target.detachedFromTarget') {
      this.#targetBySession.delete(String(params['sessionId']));
      this.#forget((object) => object.session === params['sessionId']);
    }
    if (method === 'Page.frameNavigated') this.#leave(sessionId, (params['frame'] as { id: string }).id);
    if (method === 'Page.frameDetached') this.#leave(sessionId, String(params['frameId']));
  }

  /** The document of a frame is gone, and with it what it held; with the topmost one of a session all others are. */
  #leave(sessionId: string, frame: string): void {
    const isTopmost = this.#targetBySession.get(sessionId) === frame;
    this.#forget(
      ({ session, context }) =>
        session === sessionId && (isTopmost || this.#frameByContext.get(keyOf(session, context)) === frame),
    );
  }

  #forget(isGone: (object: HeldObject) => boolean): void {
    for (const [key, object] of this.#objects) if (isGone(object)) this.#objects.delete(key);
  }
}

/** What the browser calls a document. A handle of one lives as long as the document itself. */
const DOCUMENT = '#document';

function keyOf(session: string, objectId: string): string {
  return `${session} ${objectId}`;
}

/** The handle in the answer of a command that makes one. */
function objectIn(result: unknown): RemoteObject {
  const { result: evaluated, object } = (result ?? {}) as Partial<Record<'result' | 'object', RemoteObject>>;
  return evaluated?.objectId === undefined ? (object ?? {}) : evaluated;
}

interface RemoteObject {
  readonly objectId?: string;
  readonly description?: string;
}
