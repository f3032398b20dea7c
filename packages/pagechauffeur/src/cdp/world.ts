import { DriverDomProcessError } from '../errors.ts';
import type { CallId, InjectedProgram } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Params, Result } from './protocol.ts';
import { orDocumentGone } from './document-loss.ts';
import { PendingCall } from './pending-call.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { thrownText, throwThrown } from './thrown.ts';
import { evaluateForUser } from './user-evaluation.ts';

/** Name of the isolated world of the injected script. */
export const ISOLATED_WORLD_NAME = 'chauffeur';

/** A remote object that can be passed to later calls. */
export interface RemoteHandle {
  readonly objectId: string;
}

/** Facts about an element that only the browser knows. */
export interface BrowserNode {
  readonly value?: {
    readonly backendNodeId?: number;
    readonly shadowRoot?: { readonly value?: { readonly mode: string; readonly backendNodeId: number } } | null;
  };
}

/** Form of a call's result. */
type ResultForm = Pick<
  Params<'Runtime.callFunctionOn'>,
  'returnByValue' | 'serializationOptions' | 'awaitPromise' | 'objectGroup'
>;

const BY_VALUE: ResultForm = { returnByValue: true };
const AS_HANDLE: ResultForm = { returnByValue: false };
/** Objects that are only inspected, and released in the same batch of commands. */
const NODE_GROUP = 'looked-at';
/** Object group of a document's own handles. The browser frees them with the document. */
const DOCUMENT_GROUP = 'document';
/** The elements of a list, each with its shadow root but without children. */
const AS_NODES: ResultForm = {
  awaitPromise: false,
  objectGroup: NODE_GROUP,
  serializationOptions: {
    serialization: 'deep',
    maxDepth: 2,
    additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'all' },
  },
};

/** Serializes a node as its backend id only. */
const NODE_ID = {
  serializationOptions: { serialization: 'deep', maxDepth: 1, additionalParameters: { maxNodeDepth: 0 } },
} as const;

type ProgramMethod = keyof InjectedProgram;
/** Page objects are passed as handles, other arguments as JSON. */
export type ProgramArguments<M extends ProgramMethod> = Sent<Parameters<InjectedProgram[M]>>;
type Sent<A extends readonly unknown[]> = {
  readonly [I in keyof A]: IsObject<A[I]> extends true ? RemoteHandle : A[I];
};
/** True for the type `object` only. `object extends T` would also hold for types with optional fields only. */
type IsObject<T> = (<V>() => V extends T ? 1 : 2) extends <V>() => V extends object ? 1 : 2 ? true : false;
/** Methods with this result type. */
type MethodGiving<R> = {
  [M in ProgramMethod]: R extends ReturnType<InjectedProgram[M]> ? M : never;
}[ProgramMethod];
/** The arguments of a method that can wait in the page, without the id that the world adds. */
type WaitingArguments<M extends ProgramMethod> =
  Required<ProgramArguments<M>> extends readonly [...infer Before, CallId] ? Readonly<Before> : never;
type ProgramResult<M extends ProgramMethod> = Awaited<ReturnType<InjectedProgram[M]>>;
type Evaluated = Result<'Runtime.callFunctionOn'>;

let lastCallId = 0;

/** Owner of a frame's worlds. */
interface WorldOwner {
  /** The world's document is gone. */
  lost(world: World): void;
  /** Adds the injected script to a document that did not run it. */
  install(world: World): Promise<void>;
}

/**
 * The isolated world of a document, where the injected script runs. It ends with the document; a new document has a new
 * world.
 */
export class World {
  readonly session: Session;
  readonly contextId: number;
  readonly #owner: WorldOwner;
  /** Rejects the pending calls. */
  readonly #open = new Set<(gone: DocumentGoneError) => void>();
  #documentOfPage: Promise<RemoteHandle | undefined> | undefined;
  #isGone = false;

  constructor(session: Session, contextId: number, owner: WorldOwner) {
    this.session = session;
    this.contextId = contextId;
    this.#owner = owner;
  }

  /** True if the document is known to be gone. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Calls a method of the injected script. Handles are passed as they are, other arguments as JSON. */
  async call<M extends ProgramMethod>(method: M, ...args: ProgramArguments<M>): Promise<ProgramResult<M>> {
    const { result } = await this.#callProgram(method, args, BY_VALUE);
    return (typeof result.value === 'string' ? JSON.parse(result.value) : undefined) as ProgramResult<M>;
  }

  /** Calls a method that can wait in the page. Cancel the call if its result is no longer needed. */
  start<M extends ProgramMethod>(method: M, ...args: WaitingArguments<M>): PendingCall<ProgramResult<M>> {
    lastCallId += 1;
    const id = lastCallId as CallId;
    const result = this.call(method, ...([...args, id] as unknown as ProgramArguments<M>));
    return new PendingCall(result, () => this.call('cancel', id));
  }

  /** Calls a method that returns a page object, and returns its handle. `null` if the method returns `null`. */
  async callForHandle<M extends MethodGiving<object | null>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<RemoteHandle | null> {
    const { result } = await this.#callProgram(method, args, AS_HANDLE);
    return result.objectId === undefined ? null : { objectId: result.objectId };
  }

  /** Calls a method that returns elements, and returns what the browser knows about them. */
  async callForNodes<M extends MethodGiving<object[]>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<readonly BrowserNode[]> {
    const answer = this.#callProgram(method, args, AS_NODES);
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: NODE_GROUP }).catch(ignoreRejection);
    const { result } = await answer;
    return (result.deepSerializedValue?.value ?? []) as readonly BrowserNode[];
  }

  /**
   * Calls a method that returns an element, and returns its backend node id. `undefined` if the method returns `null`.
   */
  async callForNodeId<M extends MethodGiving<object | null>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<number | undefined> {
    const answer = this.#callProgram(method, args, AS_NODES);
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: NODE_GROUP }).catch(ignoreRejection);
    const { result } = await answer;
    const node = result.deepSerializedValue?.value as { readonly backendNodeId?: number } | undefined;
    return node?.backendNodeId;
  }

  /**
   * The listeners of the page's own scripts in this document. The page does not notice the query. It runs in the page's own world, because
   * Chromium 156 crashes the renderer if a query in another world returns them. `pierce`: also those in shadow roots, and in the documents
   * of frames in the same process.
   */
  async listeners(pierce: boolean): Promise<Result<'DOMDebugger.getEventListeners'>['listeners']> {
    const { objectId } = (await this.pageDocument()) ?? {};
    if (objectId === undefined) return [];
    const asked = { objectId, depth: -1, pierce };
    return (await this.#guard(() => this.session.send('DOMDebugger.getEventListeners', asked))).listeners;
  }

  /** Returns a handle in this world for a node of the browser; undefined if it has left the document. */
  handleOf(backendNodeId: number, objectGroup?: string): Promise<RemoteHandle | undefined> {
    const group = objectGroup === undefined ? {} : { objectGroup };
    return resolvedNode(this.session, { backendNodeId, executionContextId: this.contextId, ...group });
  }

  /** Requests the document handle early, before the first snapshot waits for it. */
  prepare(): void {
    this.pageDocument().catch(ignoreRejection);
  }

  /** Returns the document as a handle of the page's own world; undefined if it is gone. */
  pageDocument(): Promise<RemoteHandle | undefined> {
    this.#documentOfPage ??= this.#guard(async () => {
      const asked = { expression: 'document', contextId: this.contextId, objectGroup: DOCUMENT_GROUP };
      const { result } = await this.session.send('Runtime.evaluate', { ...asked, ...NODE_ID });
      const { backendNodeId } = (result.deepSerializedValue?.value ?? {}) as { readonly backendNodeId?: number };
      // In an object group, each query for listeners would also create a handle for every listener, and keep its element.
      return backendNodeId === undefined ? undefined : resolvedNode(this.session, { backendNodeId });
    });
    return this.#documentOfPage;
  }

  /** Evaluates an expression or calls a function given as source. Returns the result by value. */
  evaluate(source: string, args: readonly unknown[] | null): Promise<unknown> {
    return this.#guard(() => evaluateForUser({ session: this.session, contextId: this.contextId }, source, args));
  }

  /** Returns the browser's syntax error for a script, or `undefined`. Does not run the script. */
  async compileProblem(source: string): Promise<string | undefined> {
    const { session, contextId } = this;
    const expression = `throw 0; {\n${source}\n}`;
    const { exceptionDetails } = await this.#guard(() => session.send('Runtime.evaluate', { expression, contextId }));
    const { exception } = exceptionDetails ?? {};
    if (exception?.objectId !== undefined)
      await session.send('Runtime.releaseObject', { objectId: exception.objectId });
    return exceptionDetails === undefined || exception?.value === 0 ? undefined : thrownText(exceptionDetails);
  }

  /** The document is gone. Another document may reuse the context id, so this world must not be called again. */
  end(): void {
    this.#isGone = true;
    for (const reject of this.#open) reject(documentGone());
  }

  /** Calls a function given as source with handles and JSON. Returns a handle or a value. */
  async callFunction(source: string, args: readonly unknown[], returnByValue: boolean): Promise<Evaluated> {
    const answer = await this.#callFunction(source, args, { returnByValue });
    throwThrown(answer);
    return answer;
  }

  async #callProgram(method: ProgramMethod, args: readonly unknown[], form: ResultForm): Promise<Evaluated> {
    const source = form === BY_VALUE ? CALL_PROGRAM_FOR_TEXT : CALL_PROGRAM;
    let answer = await this.#callFunction(source, [method, ...args], form);
    if (lacksProgram(answer)) {
      await this.#guard(() => this.#owner.install(this));
      answer = await this.#callFunction(source, [method, ...args], form);
    }
    const { exceptionDetails } = answer;
    if (exceptionDetails)
      throw new DriverDomProcessError(`Cannot process the page's content (${method}): ${thrownText(exceptionDetails)}`);
    return answer;
  }

  #callFunction(source: string, args: readonly unknown[], form: ResultForm): Promise<Evaluated> {
    return this.#guard(() =>
      this.session.send('Runtime.callFunctionOn', {
        functionDeclaration: source,
        executionContextId: this.contextId,
        arguments: args.map(toArgument),
        awaitPromise: true,
        ...form,
      }),
    );
  }

  async #guard<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#isGone) throw documentGone();
    const { promise, reject } = Promise.withResolvers<never>();
    this.#open.add(reject);
    try {
      return await Promise.race([orDocumentGone(this.session, ask()), promise]);
    } catch (error) {
      if (error instanceof DocumentGoneError) this.#owner.lost(this);
      throw error;
    } finally {
      this.#open.delete(reject);
    }
  }
}

async function resolvedNode(session: Session, node: Params<'DOM.resolveNode'>): Promise<RemoteHandle | undefined> {
  try {
    const { object } = await session.send('DOM.resolveNode', node);
    return object.objectId === undefined ? undefined : { objectId: object.objectId };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return undefined;
  }
}

function documentGone(): DocumentGoneError {
  return new DocumentGoneError('The document was replaced or removed.');
}

const CALL_PROGRAM_FOR_TEXT = 'function(m,...a){return chauffeur.callForText(m,a)}';
const CALL_PROGRAM = 'function(m,...a){return chauffeur[m](...a)}';

/** True if the injected script was missing. */
function lacksProgram({ exceptionDetails }: Evaluated): boolean {
  return exceptionDetails?.exception?.description?.startsWith('ReferenceError: chauffeur is not defined') ?? false;
}

function toArgument(value: unknown): { objectId: string } | { value: unknown } {
  return isHandle(value) ? { objectId: value.objectId } : { value };
}

function isHandle(value: unknown): value is RemoteHandle {
  return typeof value === 'object' && value !== null && 'objectId' in value && typeof value.objectId === 'string';
}
