import { injectedSource } from '../generated/injected-source.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { MainWorld } from './main-world.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME, World } from './world.ts';
import { WorldSlot } from './world-slot.ts';

/** What must be known of a frame to find its worlds. */
interface FramePlace {
  readonly id: string;
  readonly session: Session;
  /** Whether the frame is the topmost of its session. */
  readonly isLocalRoot: boolean;
}

/**
 * The worlds of one frame's current document. The browser would announce them, but only to who has it watch the page's
 * scripts (`Runtime.enable`), which the page can notice; so they are asked for, once per document.
 */
export class FrameWorlds {
  readonly #frame: FramePlace;
  readonly #isolated: WorldSlot<World> = new WorldSlot((found) => this.#findIsolated(found));
  readonly #main: WorldSlot<MainWorld> = new WorldSlot((found) => this.#findMain(found));
  /** The document that is there has no program yet and gets it together with its world. */
  #isWithoutProgram = false;
  /** The session in which the frame was seen to have a document. */
  #sessionWithDocument: Session | undefined;

  constructor(frame: FramePlace) {
    this.#frame = frame;
  }

  /** The world of the page's own scripts. */
  get main(): Promise<MainWorld> {
    return this.#main.world;
  }

  /** The world of the in-page program. */
  get isolated(): Promise<World> {
    return this.#isolated.world;
  }

  /** A document has come: asks for its isolated world before anybody needs it. An empty one will hardly be needed. */
  prepare(): void {
    if (!this.#isWithoutProgram) void this.#isolated.world;
  }

  /** The document that is there did not run the program: it gets it when somebody asks for its world. */
  installLater(): void {
    this.#isWithoutProgram = true;
  }

  /** The document has gone or is going away, or its beginning is told once more. */
  forget({ isSameDocument = false } = {}): void {
    if (!isSameDocument) this.#isWithoutProgram = false;
    this.#isolated.empty();
    this.#main.empty();
  }

  /** The frame is gone for good, or until another document is loaded. */
  fail(reason: unknown): void {
    this.#isolated.fail(reason);
    this.#main.fail(reason);
  }

  async #findIsolated(found: (world: World) => void): Promise<void> {
    const { id: frameId, session } = this.#frame;
    const keeper = {
      lost: (world: World) => this.#isolated.lose(world),
      install: (world: World) => this.#install(world),
    };
    // The world of this name that the program runs in; it is made only where no script has run yet.
    await session.sendInOrder(
      'Page.createIsolatedWorld',
      ({ executionContextId }) => {
        this.#sessionWithDocument = session;
        const world = new World(session, executionContextId, keeper);
        // Goes out before whatever is asked of the program.
        if (this.#isWithoutProgram) bringProgram(world).catch(ignoreRejection);
        this.#isWithoutProgram = false;
        found(world);
      },
      { frameId, worldName: ISOLATED_WORLD_NAME },
    );
  }

  async #findMain(found: (world: MainWorld) => void): Promise<void> {
    const { session, isLocalRoot } = this.#frame;
    if (!isLocalRoot) return this.#findChildMain(found);
    if (this.#sessionWithDocument !== session) await this.#isolated.world;
    found(new MainWorld(session));
  }

  /** The browser names a world in the id of each object that lives in it. */
  async #findChildMain(found: (world: MainWorld) => void): Promise<void> {
    const { id: frameId, session } = this.#frame;
    const owner = await session.send('DOM.getFrameOwner', { frameId });
    const { node } = await session.send('DOM.describeNode', { backendNodeId: owner.backendNodeId });
    const backendNodeId = node.contentDocument?.backendNodeId;
    if (backendNodeId === undefined) throw new DocumentGoneError('The frame has no document in this process.');
    const { object } = await session.send('DOM.resolveNode', { backendNodeId });
    const { objectId = '' } = object;
    found(new MainWorld(session, contextIdOf(objectId)));
    await session.send('Runtime.releaseObject', { objectId });
  }

  /**
   * The browser runs the program when a document's main world is made. It is not made in documents that may run no
   * scripts, nor in the empty one of a frame that has yet to load.
   */
  async #install(world: World): Promise<void> {
    const { session, isLocalRoot } = this.#frame;
    if (isLocalRoot) session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreRejection);
    await bringProgram(world);
  }
}

/** Runs the program in a world that has not run it yet. */
async function bringProgram({ session, contextId }: World): Promise<void> {
  const expression = `if(typeof chauffeur==='undefined'){${injectedSource}}`;
  await session.send('Runtime.evaluate', { contextId, expression });
}

/** An object's id is made of numbers: those of the process, the world and the object in it. */
function contextIdOf(objectId: string): number {
  const contextId = Number(objectId.split('.')[1]);
  if (!Number.isInteger(contextId))
    throw new ProtocolError('DOM.resolveNode', `the object's id names no world: ${JSON.stringify(objectId)}`);
  return contextId;
}
