import { injectedSource } from '../generated/injected-source.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { MainWorld } from './main-world.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME, World } from './world.ts';
import { WorldSlot } from './world-slot.ts';

/** The data for finding a frame's worlds. */
interface FramePlace {
  readonly id: string;
  readonly session: Session;
  /** True for the topmost frame of its session. */
  readonly isLocalRoot: boolean;
}

/**
 * The worlds of a frame's current document. The browser reports worlds only after `Runtime.enable`, which pages can
 * detect,
 * so we ask for them once per document.
 */
export class FrameWorlds {
  readonly #frame: FramePlace;
  readonly #isolated: WorldSlot<World> = new WorldSlot((found) => this.#findIsolated(found));
  readonly #main: WorldSlot<MainWorld> = new WorldSlot((found) => this.#findMain(found));
  /** True if the current document does not have the injected script yet. It is added together with the world. */
  #isWithoutProgram = false;
  /** The session in which the frame last had a document. */
  #sessionWithDocument: Session | undefined;

  constructor(frame: FramePlace) {
    this.#frame = frame;
  }

  /** The world of the page's own scripts. */
  get main(): Promise<MainWorld> {
    return this.#main.world;
  }

  /** The world of the injected script. */
  get isolated(): Promise<World> {
    return this.#isolated.world;
  }

  /**
   * A document was committed: requests its isolated world early. Empty documents are skipped, because they are rarely
   * used.
   */
  prepare(): void {
    if (!this.#isWithoutProgram) void this.#isolated.world;
  }

  /** The current document did not run the injected script. It is added on first use of the world. */
  installLater(): void {
    this.#isWithoutProgram = true;
  }

  /** The document is gone or leaving, or its start was reported again. */
  forget({ isSameDocument = false } = {}): void {
    if (!isSameDocument) this.#isWithoutProgram = false;
    this.#isolated.empty();
    this.#main.empty();
  }

  /** The frame was removed, or has no usable document until the next load. */
  fail(reason: unknown): void {
    this.#isolated.fail(reason);
    this.#main.fail(reason);
  }

  async #findIsolated(found: (world: World) => void): Promise<void> {
    const { id: frameId, session } = this.#frame;
    const worldOwner = {
      lost: (world: World) => this.#isolated.lose(world),
      install: (world: World) => this.#install(world),
    };
    // Returns the world of this name where the script runs. Created only if no script has run in the document yet.
    await session.sendInOrder(
      'Page.createIsolatedWorld',
      ({ executionContextId }) => {
        this.#sessionWithDocument = session;
        const world = new World(session, executionContextId, worldOwner);
        // Sent before any call to the script.
        if (this.#isWithoutProgram) bringProgram(world).catch(ignoreRejection);
        this.#isWithoutProgram = false;
        world.prepare();
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

  /** Object ids contain the id of their world. */
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
   * The browser runs the script when it creates a document's main world. It creates none for documents without script
   * permission, nor for the initial empty document of a frame.
   */
  async #install(world: World): Promise<void> {
    const { session, isLocalRoot } = this.#frame;
    if (isLocalRoot) session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreRejection);
    await bringProgram(world);
  }
}

/** Runs the injected script in a world that has not run it yet. */
async function bringProgram({ session, contextId }: World): Promise<void> {
  const expression = `if(typeof chauffeur==='undefined'){${injectedSource}}`;
  await session.send('Runtime.evaluate', { contextId, expression });
}

/** An object id consists of the ids of the process, the world and the object. */
function contextIdOf(objectId: string): number {
  const contextId = Number(objectId.split('.')[1]);
  if (!Number.isInteger(contextId))
    throw new ProtocolError(
      'DOM.resolveNode',
      `the object id does not contain a world id: ${JSON.stringify(objectId)}`,
    );
  return contextId;
}
