import { injectedSource } from '../generated/injected-source.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { MainWorld } from './main-world.ts';
import { DocumentGoneError, ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { ISOLATED_WORLD_NAME, World } from './world.ts';
import { WorldSlot } from './world-slot.ts';

interface FrameLocation {
  readonly id: string;
  readonly session: Session;
  readonly isLocalRoot: boolean;
}

/**
 * The worlds of a frame's current document. The browser reports worlds only after `Runtime.enable`, which pages can
 * detect, so the driver requests them, once per document.
 */
export class FrameWorlds {
  readonly #frame: FrameLocation;
  readonly #isolated: WorldSlot<World> = new WorldSlot((found) => this.#findIsolated(found));
  readonly #main: WorldSlot<MainWorld> = new WorldSlot((found) => this.#findMain(found));
  /** True if the injected script must still be added to the current document, together with its world. */
  #needsProgram = false;
  #sessionWithDocument: Session | undefined;

  constructor(frame: FrameLocation) {
    this.#frame = frame;
  }

  get main(): Promise<MainWorld> {
    return this.#main.world;
  }

  get isolated(): Promise<World> {
    return this.#isolated.world;
  }

  /**
   * Call when a document is committed: requests its world before it is needed. Skips empty documents, which are rarely
   * used.
   */
  prepare(): void {
    if (!this.#needsProgram) void this.#isolated.world;
  }

  /**
   * Call if the current document has not run the injected script. The script is then added on first use of the world.
   */
  installLater(): void {
    this.#needsProgram = true;
  }

  /** Call when the document is gone, or its `init` was reported again. */
  forget({ isSameDocument = false } = {}): void {
    if (!isSameDocument) this.#needsProgram = false;
    this.#isolated.empty();
    this.#main.empty();
  }

  /** Call when the frame was removed, or has no usable document until the next load. */
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
    // The browser returns the existing world if the injected script has run, and creates one only otherwise.
    await session.sendInOrder(
      'Page.createIsolatedWorld',
      ({ executionContextId }) => {
        this.#sessionWithDocument = session;
        const world = new World(session, executionContextId, worldOwner);
        // CDP runs commands in order, so the script is installed before the first call to it.
        if (this.#needsProgram) bringProgram(world).catch(ignoreRejection);
        this.#needsProgram = false;
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

  /**
   * A child frame's main world is not the default context of the session. Its context id is read from the id of an
   * object in that world.
   */
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
   * The browser runs the injected script when it creates the main world. A document without script permission has no
   * main world, and neither has the initial empty document of a frame.
   */
  async #install(world: World): Promise<void> {
    const { session, isLocalRoot } = this.#frame;
    if (isLocalRoot) session.send('Runtime.evaluate', { expression: '0' }).catch(ignoreRejection);
    await bringProgram(world);
  }
}

/** Adds the injected script, unless the world has it. */
async function bringProgram({ session, contextId }: World): Promise<void> {
  const expression = `if(typeof chauffeur==='undefined'){${injectedSource}}`;
  await session.send('Runtime.evaluate', { contextId, expression });
}

/** An object id consists of the ids of process, world and object, separated by dots. */
function contextIdOf(objectId: string): number {
  const contextId = Number(objectId.split('.')[1]);
  if (!Number.isInteger(contextId))
    throw new ProtocolError(
      'DOM.resolveNode',
      `the object id does not contain a world id: ${JSON.stringify(objectId)}`,
    );
  return contextId;
}
