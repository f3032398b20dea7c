import { DriverDomProcessError, DriverEvalError } from '../errors.ts';
import type { InjectedProgram } from '../injected/contract.ts';
import { type Deferred, deferred, handledElsewhere } from '../util/deferred.ts';
import type { Params, Result } from './protocol.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { thrownText, throwThrown } from './thrown.ts';
import { evaluateForUser } from './user-evaluation.ts';

/** The name of the isolated world that the in-page program lives in. */
export const ISOLATED_WORLD_NAME = 'chauffeur';

/** An object that lives in a world, named so that it can be handed to a later call. */
export interface RemoteHandle {
  readonly objectId: string;
}

/** What the browser tells of an element beyond what the page can know. */
export interface BrowserNode {
  readonly value?: {
    readonly shadowRoot?: { readonly value?: { readonly mode: string; readonly backendNodeId: number } } | null;
  };
}

/** How the result of a call comes. */
type ResultForm = Pick<
  Params<'Runtime.callFunctionOn'>,
  'returnByValue' | 'serializationOptions' | 'awaitPromise' | 'objectGroup'
>;

const BY_VALUE: ResultForm = { returnByValue: true };
const AS_HANDLE: ResultForm = { returnByValue: false };
/** Objects that are only looked at, and released in the same burst. */
const NODE_GROUP = 'looked-at';
/** The elements of a list, each with the root that hangs on it and without what is below it. */
const AS_NODES: ResultForm = {
  awaitPromise: false,
  objectGroup: NODE_GROUP,
  serializationOptions: {
    serialization: 'deep',
    maxDepth: 2,
    additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'all' },
  },
};

type ProgramMethod = keyof InjectedProgram;
type ProgramResult<M extends ProgramMethod> = Awaited<ReturnType<InjectedProgram[M]>>;
type Evaluated = Result<'Runtime.callFunctionOn'>;

/** One JavaScript realm of one document. It dies with the document; a new document brings a new world. */
export class World {
  readonly session: Session;
  readonly contextId: number;

  constructor(session: Session, contextId: number) {
    this.session = session;
    this.contextId = contextId;
  }

  /** Calls a method of the in-page program; handles go as arguments as they are, everything else as JSON. */
  async call<M extends ProgramMethod>(method: M, ...args: readonly unknown[]): Promise<ProgramResult<M>> {
    const { result } = await this.#callProgram(method, args, BY_VALUE);
    return (typeof result.value === 'string' ? JSON.parse(result.value) : undefined) as ProgramResult<M>;
  }

  /** Calls a method of the in-page program that answers with an object of the page; null when it answers null. */
  async callForHandle(method: ProgramMethod, ...args: readonly unknown[]): Promise<RemoteHandle | null> {
    const { result } = await this.#callProgram(method, args, AS_HANDLE);
    return result.objectId === undefined ? null : { objectId: result.objectId };
  }

  /** Calls a method of the in-page program that answers with elements; what the browser itself knows of them. */
  async callForNodes(method: ProgramMethod, ...args: readonly unknown[]): Promise<readonly BrowserNode[]> {
    const answer = this.#callProgram(method, args, AS_NODES);
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: NODE_GROUP }).catch(handledElsewhere);
    const { result } = await answer;
    return (result.deepSerializedValue?.value ?? []) as readonly BrowserNode[];
  }

  /** Evaluates an expression or calls a function given as source text with a user's values, after the receiver if there is one; what comes back is a value. */
  async evaluate(source: string, args: readonly unknown[] | null, receiver?: RemoteHandle): Promise<unknown> {
    try {
      return await evaluateForUser(
        {
          session: this.session,
          contextId: this.contextId,
          receiverId: receiver?.objectId,
          guard: (reply) => this.#guard(reply),
        },
        source,
        args,
      );
    } catch (error) {
      if (error instanceof ProtocolError && NOT_A_VALUE.test(error.reason)) {
        throw new DriverEvalError(
          `The result cannot leave the page: ${error.reason}. Return plain data, such as the parts of it that are needed.`,
          { cause: error },
        );
      }
      throw error;
    }
  }

  /** Calls a function given as source text on handles and JSON; answers a handle's description or a value. */
  async callFunction(source: string, args: readonly unknown[], returnByValue: boolean): Promise<Evaluated> {
    const answer = await this.#callFunction(source, args, { returnByValue });
    throwThrown(answer);
    return answer;
  }

  async #callProgram(method: ProgramMethod, args: readonly unknown[], form: ResultForm): Promise<Evaluated> {
    const source = form === BY_VALUE ? CALL_PROGRAM_FOR_TEXT : CALL_PROGRAM;
    const answer = await this.#callFunction(source, [method, ...args], form);
    const { exceptionDetails } = answer;
    if (exceptionDetails)
      throw new DriverDomProcessError(
        `The page's content could not be processed (${method}): ${thrownText(exceptionDetails)}`,
      );
    return answer;
  }

  #callFunction(source: string, args: readonly unknown[], form: ResultForm): Promise<Evaluated> {
    return this.#guard(
      this.session.send('Runtime.callFunctionOn', {
        functionDeclaration: source,
        executionContextId: this.contextId,
        arguments: args.map(toArgument),
        awaitPromise: true,
        ...form,
      }),
    );
  }

  async #guard<T>(reply: Promise<T>): Promise<T> {
    try {
      return await reply;
    } catch (error) {
      if (isContextGone(error) || this.session.isLostFrame)
        throw new DocumentGoneError('The document went away while it was being worked on.', { cause: error });
      throw error;
    }
  }
}

const CALL_PROGRAM_FOR_TEXT = 'function(m,...a){return chauffeur.callForText(m,a)}';
const CALL_PROGRAM = 'function(m,...a){return chauffeur[m](...a)}';

function toArgument(value: unknown): { objectId: string } | { value: unknown } {
  return isHandle(value) ? { objectId: value.objectId } : { value };
}

function isHandle(value: unknown): value is RemoteHandle {
  return typeof value === 'object' && value !== null && 'objectId' in value && typeof value.objectId === 'string';
}

// The browser's own words for a result that is no plain value.
const NOT_A_VALUE =
  /reference chain is too long|couldn't be returned by value|deep serialization|stack limit exceeded/i;

// The browser's own words for "this context is no more"; there are no codes for them.
const CONTEXT_GONE =
  /Cannot find context|context was destroyed|Inspected target navigated|Cannot find execution context|uniqueContextId not found/i;

function isContextGone(error: unknown): boolean {
  return error instanceof ProtocolError && CONTEXT_GONE.test(error.reason);
}

type WorldKind = 'main' | 'isolated';

/** The worlds of one frame's current document; waiting for one that is not there yet ends when it comes. */
export class FrameWorlds {
  readonly #slots: Record<WorldKind, WorldSlot> = { main: new WorldSlot(), isolated: new WorldSlot() };

  /** The world of the page's own scripts. */
  get main(): Promise<World> {
    return this.#slots.main.world;
  }

  /** The world of the in-page program. */
  get isolated(): Promise<World> {
    return this.#slots.isolated.world;
  }

  /** A new world appeared. */
  add(kind: WorldKind, world: World): void {
    this.#slots[kind].fill(world);
  }

  /** A world went away; the next document brings a new one. */
  remove(kind: WorldKind, contextId: number): void {
    if (this.#slots[kind].contextId === contextId) this.#slots[kind].empty();
  }

  /** The document is going away. */
  clear(): void {
    for (const slot of Object.values(this.#slots)) slot.empty();
  }

  /** The frame is gone for good. */
  fail(reason: unknown): void {
    for (const slot of Object.values(this.#slots)) slot.fail(reason);
  }
}

class WorldSlot {
  #world: Deferred<World> = deferred();
  #isSettled = false;
  contextId: number | undefined;

  get world(): Promise<World> {
    return this.#world.promise;
  }

  fill(world: World): void {
    this.empty();
    this.contextId = world.contextId;
    this.#isSettled = true;
    this.#world.resolve(world);
  }

  empty(): void {
    if (!this.#isSettled) return;
    this.contextId = undefined;
    this.#isSettled = false;
    this.#world = deferred();
  }

  fail(reason: unknown): void {
    this.empty();
    this.#isSettled = true;
    this.#world.reject(reason);
  }
}
