import { DriverDomProcessError } from '../errors.ts';
import type { CallId, InjectedProgram } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { AccessibleNode } from './accessible-attributes.ts';
import type { Params, Result } from './protocol.ts';
import { orDocumentGone } from './document-loss.ts';
import { PendingCall } from './pending-call.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { thrownText, throwThrown } from './thrown.ts';
import { evaluateForUser } from './user-evaluation.ts';
import { decodeWireText, type LongTexts } from './wire-text.ts';

/** The isolated world in which the injected script runs. */
export const ISOLATED_WORLD_NAME = 'chauffeur';

/** A handle for a page object, for later calls. */
export interface RemoteHandle {
  readonly objectId: string;
}

/** The part of the browser's serialization of a node that the driver reads. */
export interface BrowserNode {
  readonly value?: {
    readonly backendNodeId?: number;
    readonly shadowRoot?: { readonly value?: { readonly mode: string; readonly backendNodeId: number } } | null;
  };
}

type ResultForm = Pick<
  Params<'Runtime.callFunctionOn'>,
  'returnByValue' | 'serializationOptions' | 'awaitPromise' | 'objectGroup'
>;

/** How the injected script is called, and how its result comes back. */
interface CallForm {
  readonly source: string;
  readonly result: ResultForm;
}

/** Objects that are only inspected. The group is released right after the call. */
const NODE_GROUP = 'inspected';
/** Handles that the browser releases when the document goes away. */
const DOCUMENT_GROUP = 'document';

const CALL = 'function(m,...a){return chauffeur[m](...a)}';
const FOR_HANDLE: CallForm = { source: CALL, result: { returnByValue: false } };
/** Serializes elements with their shadow roots, without children. */
const FOR_NODES: CallForm = {
  source: CALL,
  result: {
    awaitPromise: false,
    objectGroup: NODE_GROUP,
    serializationOptions: {
      serialization: 'deep',
      maxDepth: 2,
      additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'all' },
    },
  },
};
const FOR_TEXT: CallForm = {
  source: 'function(m,...a){return chauffeur.callForText(m,a)}',
  result: { returnByValue: true },
};
/** The answer is encoded against the one that this side holds. */
const FOR_TEXT_SINCE: CallForm = {
  source: 'function(m,id,held,...a){return chauffeur.callForTextSince(m,a,id,held)}',
  result: { returnByValue: true },
};

const NODE_ID = {
  serializationOptions: { serialization: 'deep', maxDepth: 1, additionalParameters: { maxNodeDepth: 0 } },
} as const;

type ProgramMethod = keyof InjectedProgram;
/** Arguments of a method of the injected script. Page objects are passed as handles, other values as JSON. */
export type ProgramArguments<M extends ProgramMethod> = Sent<Parameters<InjectedProgram[M]>>;
type Sent<A extends readonly unknown[]> = {
  readonly [I in keyof A]: IsObject<A[I]> extends true ? RemoteHandle : A[I];
};
/** Compares types for identity. `object extends T` would also hold for types that have only optional fields. */
type IsObject<T> = (<V>() => V extends T ? 1 : 2) extends <V>() => V extends object ? 1 : 2 ? true : false;
/**
 * Rejects members of object arguments that the parameter does not have. TypeScript checks only object literals for them,
 * so a renamed option in a spread object would silently be ignored.
 */
export type Exact<A extends readonly unknown[], P extends readonly unknown[]> = {
  readonly [I in keyof A]: ExactObject<A[I], P[I & keyof P]>;
};
type ExactObject<A, P> = A extends readonly unknown[] | string | number | boolean | null | undefined
  ? A
  : A & { readonly [K in Exclude<keyof A, MemberOf<P>>]?: never };
type MemberOf<T> = T extends unknown ? keyof T : never;
type MethodReturning<R> = {
  [M in ProgramMethod]: R extends ReturnType<InjectedProgram[M]> ? M : never;
}[ProgramMethod];
/** Arguments of a method that can wait in the page, without the call id, which {@link World.start} adds. */
type WaitingArguments<M extends ProgramMethod> =
  Required<ProgramArguments<M>> extends readonly [...infer Before, CallId] ? Readonly<Before> : never;
type ProgramResult<M extends ProgramMethod> = Awaited<ReturnType<InjectedProgram[M]>>;
type Evaluated = Result<'Runtime.callFunctionOn'>;

/** Methods whose long answers are mostly equal to the one before. */
const REPEATED: ReadonlySet<ProgramMethod> = new Set(['snapshot']);

let lastCallId = 0;
let lastAnswerId = 0;

interface WorldOwner {
  /** Called when a call has shown that the document is gone. */
  lost(world: World): void;
  /** Adds the injected script to a document that has not run it. */
  install(world: World): Promise<void>;
}

/** The isolated world of one document, where the injected script runs. A new document has a new world. */
export class World {
  readonly session: Session;
  readonly contextId: number;
  readonly #owner: WorldOwner;
  readonly #open = new Set<(gone: DocumentGoneError) => void>();
  #held: { readonly id: number; readonly texts: LongTexts } | undefined;
  #documentOfPage: Promise<RemoteHandle | undefined> | undefined;
  #isGone = false;

  constructor(session: Session, contextId: number, owner: WorldOwner) {
    this.session = session;
    this.contextId = contextId;
    this.#owner = owner;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /**
   * Calls a method of the injected script.
   * @throws DocumentGoneError if the document was replaced or removed.
   */
  async call<M extends ProgramMethod, A extends ProgramArguments<M>>(
    method: M,
    ...args: A & Exact<A, ProgramArguments<M>>
  ): Promise<ProgramResult<M>> {
    return this.#valueOf(method, args);
  }

  async #valueOf<M extends ProgramMethod>(method: M, args: ProgramArguments<M>): Promise<ProgramResult<M>> {
    if (REPEATED.has(method)) return (await this.#repeatedValueOf(method, args)) as ProgramResult<M>;
    const { result } = await this.#callProgram(method, args, FOR_TEXT);
    return (typeof result.value === 'string' ? decodeWireText(result.value).value : undefined) as ProgramResult<M>;
  }

  /** The page encodes this answer against the last one that this world holds. */
  async #repeatedValueOf(method: ProgramMethod, args: readonly unknown[]): Promise<unknown> {
    lastAnswerId += 1;
    const id = lastAnswerId;
    const held = this.#held;
    const { result } = await this.#callProgram(method, [id, held?.id, ...args], FOR_TEXT_SINCE);
    const { value, texts } = decodeWireText(String(result.value), held?.texts);
    this.#held = { id, texts };
    return value;
  }

  /** Calls a method that can wait in the page. Cancel the call when its result is no longer needed. */
  start<M extends ProgramMethod, A extends WaitingArguments<M>>(
    method: M,
    ...args: A & Exact<A, WaitingArguments<M>>
  ): PendingCall<ProgramResult<M>> {
    lastCallId += 1;
    const id = lastCallId as CallId;
    const result = this.#valueOf(method, [...args, id] as unknown as ProgramArguments<M>);
    return new PendingCall(result, () => this.call('cancel', id));
  }

  /** Calls a method that returns a page object, and returns a handle for the object, or `null`. */
  async callForHandle<M extends MethodReturning<object | null>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<RemoteHandle | null> {
    const { result } = await this.#callProgram(method, args, FOR_HANDLE);
    return result.objectId === undefined ? null : { objectId: result.objectId };
  }

  /** Calls a method that returns elements. Returns the browser's serialization of them. */
  async callForNodes<M extends MethodReturning<object[]>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<readonly BrowserNode[]> {
    const answer = this.#callProgram(method, args, FOR_NODES);
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: NODE_GROUP }).catch(ignoreRejection);
    const { result } = await answer;
    return (result.deepSerializedValue?.value ?? []) as readonly BrowserNode[];
  }

  /** Calls a method that returns an element, and returns its backend node id. `undefined` for `null`. */
  async callForNodeId<M extends MethodReturning<object | null>>(
    method: M,
    ...args: ProgramArguments<M>
  ): Promise<number | undefined> {
    const answer = this.#callProgram(method, args, FOR_NODES);
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: NODE_GROUP }).catch(ignoreRejection);
    const { result } = await answer;
    const node = result.deepSerializedValue?.value as { readonly backendNodeId?: number } | undefined;
    return node?.backendNodeId;
  }

  /**
   * Returns the event listeners of the page's own scripts in this document, without the page being able to detect it.
   * `pierce` includes those in shadow roots and in documents of same-process frames. Uses a handle of the page's main
   * world: with one of another world, Chromium 156 crashes the renderer.
   */
  async listeners(pierce: boolean): Promise<Result<'DOMDebugger.getEventListeners'>['listeners']> {
    const { objectId } = (await this.pageDocument()) ?? {};
    if (objectId === undefined) return [];
    const params = { objectId, depth: -1, pierce };
    return (await this.#guard(() => this.session.send('DOMDebugger.getEventListeners', params))).listeners;
  }

  /** Returns a handle for a node in this world. `undefined` if the node no longer exists. */
  handleOf(backendNodeId: number, objectGroup?: string): Promise<RemoteHandle | undefined> {
    const group = objectGroup === undefined ? {} : { objectGroup };
    return resolvedNode(this.session, { backendNodeId, executionContextId: this.contextId, ...group });
  }

  /**
   * Returns the node in the browser's accessibility tree. `undefined` if the node no longer exists. The first call builds
   * the tree, which takes some 5 ms per 1,000 elements, and the browser then keeps it until the document unloads.
   * `Accessibility.disable` would free it, but then the next calls crash the renderer of Chromium 156.
   */
  async accessibleNode(backendNodeId: number): Promise<AccessibleNode | undefined> {
    try {
      const params = { backendNodeId, fetchRelatives: false };
      return (await this.#guard(() => this.session.send('Accessibility.getPartialAXTree', params))).nodes[0];
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return undefined;
    }
  }

  /** Requests the document handle before the first snapshot needs it. */
  prepare(): void {
    this.pageDocument().catch(ignoreRejection);
  }

  /** Returns a handle for `document` in the page's main world. `undefined` if the browser cannot resolve the node. */
  pageDocument(): Promise<RemoteHandle | undefined> {
    this.#documentOfPage ??= this.#guard(async () => {
      const params = { expression: 'document', contextId: this.contextId, objectGroup: DOCUMENT_GROUP };
      const { result } = await this.session.send('Runtime.evaluate', { ...params, ...NODE_ID });
      const { backendNodeId } = (result.deepSerializedValue?.value ?? {}) as { readonly backendNodeId?: number };
      // No object group here: otherwise each query for listeners would create a handle for every listener in the group,
      // and keep its element alive.
      return backendNodeId === undefined ? undefined : resolvedNode(this.session, { backendNodeId });
    });
    return this.#documentOfPage;
  }

  /** Evaluates an expression (`args` is `null`) or calls a function given as source. Returns the result by value. */
  evaluate(source: string, args: readonly unknown[] | null): Promise<unknown> {
    return this.#guard(() => evaluateForUser({ session: this.session, contextId: this.contextId }, source, args));
  }

  /** Compiles a script without running it. Returns the browser's syntax error, or `undefined`. */
  async compileProblem(source: string): Promise<string | undefined> {
    const { session, contextId } = this;
    const expression = `throw 0; {\n${source}\n}`;
    const { exceptionDetails } = await this.#guard(() => session.send('Runtime.evaluate', { expression, contextId }));
    const { exception } = exceptionDetails ?? {};
    if (exception?.objectId !== undefined)
      await session.send('Runtime.releaseObject', { objectId: exception.objectId });
    return exceptionDetails === undefined || exception?.value === 0 ? undefined : thrownText(exceptionDetails);
  }

  /**
   * Call when the document is gone. Afterwards this world rejects all calls, because another document can reuse the
   * context id.
   */
  end(): void {
    this.#isGone = true;
    for (const reject of this.#open) reject(documentGone());
  }

  /** Calls a function given as source. Arguments are handles or JSON values. */
  async callFunction(source: string, args: readonly unknown[], returnByValue: boolean): Promise<Evaluated> {
    const answer = await this.#callFunction(source, args, { returnByValue });
    throwThrown(answer);
    return answer;
  }

  async #callProgram(method: ProgramMethod, args: readonly unknown[], form: CallForm): Promise<Evaluated> {
    const { source, result } = form;
    let answer = await this.#callFunction(source, [method, ...args], result);
    if (lacksProgram(answer)) {
      await this.#guard(() => this.#owner.install(this));
      answer = await this.#callFunction(source, [method, ...args], result);
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

function lacksProgram({ exceptionDetails }: Evaluated): boolean {
  return exceptionDetails?.exception?.description?.startsWith('ReferenceError: chauffeur is not defined') ?? false;
}

function toArgument(value: unknown): { objectId: string } | { value: unknown } {
  return isHandle(value) ? { objectId: value.objectId } : { value };
}

function isHandle(value: unknown): value is RemoteHandle {
  return typeof value === 'object' && value !== null && 'objectId' in value && typeof value.objectId === 'string';
}
