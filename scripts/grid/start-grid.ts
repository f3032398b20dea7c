import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endLeftovers, endProcess, processesOf } from '../leftovers.ts';
import { freePorts } from './free-ports.ts';
import { type GridPart, startPart } from './grid-part.ts';
import type { GridMachine } from './grid-requirements.ts';
import { DISTRIBUTED_SHAPE, eventsConfig, HUB_SHAPE, nodeConfig, type PartWords } from './grid-roles.ts';

/** Options of a Grid. */
export interface GridOptions {
  readonly machine: GridMachine;
  /** A hub with a node, or every part in its own process. Default: `hub`. */
  readonly shape?: 'hub' | 'distributed';
  /** Number of nodes. Default: 1. */
  readonly nodes?: number;
  /** Number of further nodes `node-2` and so on that are not started yet. Default: 0. */
  readonly spareNodes?: number;
  /** Browsers per node. Default: 4. */
  readonly slots?: number;
  /** Seconds without traffic after which a node ends a session. Default: 300. */
  readonly sessionTimeout?: number;
  /** HTTP credentials that the Grid requires. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Port of a local Redis that stores the state of a distributed Grid. */
  readonly redisPort?: number;
}

/** Time to start several Java programs on a busy machine. */
const READY_MS = 180_000;
/** A Grid reports no event when it is ready. */
const LOOK_AGAIN_MS = 250;
const LAST_WORDS_CHARACTERS = 2000;

/** Starts a Grid on 127.0.0.1 and waits until it accepts sessions. */
export async function startGrid(options: GridOptions): Promise<Grid> {
  const {
    machine,
    shape = 'hub',
    nodes = 1,
    spareNodes = 0,
    slots = 4,
    sessionTimeout = 300,
    credentials,
    redisPort,
  } = options;
  const folder = await mkdtemp(join(tmpdir(), 'grid-'));
  const { ports: count, parts } = shape === 'hub' ? HUB_SHAPE : DISTRIBUTED_SHAPE;
  const all = await freePorts(count + nodes + spareNodes - 1);
  const [ports, nodePorts] = [all.slice(0, count), all.slice(count)];
  const files = { nodeConfig: join(folder, 'node.toml'), eventsConfig: join(folder, 'events.toml') };
  await writeFile(files.nodeConfig, nodeConfig(machine, slots));
  await writeFile(files.eventsConfig, eventsConfig(ports));
  const words = parts({ ports, nodePorts, slots, sessionTimeout, credentials, redisPort, ...files });
  const url = new URL(`http://127.0.0.1:${ports[0]}`);
  url.username = encodeURIComponent(credentials?.username ?? '');
  url.password = encodeURIComponent(credentials?.password ?? '');
  const grid = new Grid(url.href, { folder, jar: machine.jar, words });
  try {
    const spare = Array.from({ length: spareNodes }, (_, index) => `node-${nodes + index + 1}`);
    for (const { name } of words) if (!spare.includes(name)) grid.start(name);
    await grid.ready(true, nodes);
    return grid;
  } catch (error) {
    await grid.close();
    throw error;
  }
}

interface GridNode {
  readonly availability: string;
}

interface GridParts {
  readonly folder: string;
  readonly jar: string;
  readonly words: readonly PartWords[];
}

/** A running Grid. Child processes use its folder for temporary files. */
export class Grid implements AsyncDisposable {
  /** Router URL, with credentials if required. */
  readonly url: string;
  readonly folder: string;
  readonly #jar: string;
  readonly #words: readonly PartWords[];
  readonly #parts = new Map<string, GridPart>();

  constructor(url: string, { folder, jar, words }: GridParts) {
    this.url = url;
    this.folder = folder;
    this.#jar = jar;
    this.#words = words;
  }

  /** Starts or restarts a part. */
  start(name: string): void {
    const words = this.#words.find((part) => part.name === name)?.words;
    if (!words) throw new TypeError(`this grid has no part ${name}`);
    this.#parts.set(name, startPart({ name, jar: this.#jar, words, folder: this.folder }));
  }

  /** Kills the process of a part. Its child processes keep running. */
  async kill(name: string): Promise<void> {
    await this.#parts.get(name)?.kill();
  }

  /** Suspends a part and its descendants, as a suspended machine would. */
  async freeze(name: string): Promise<void> {
    await this.#parts.get(name)?.freeze();
  }

  /** Resumes a frozen part. */
  async thaw(name: string): Promise<void> {
    await this.#parts.get(name)?.thaw();
  }

  /** Ends the browsers and drivers of a killed node and removes their profiles, as the end of its container would. */
  async endOrphans(): Promise<void> {
    for (const { pid, command } of await processesOf(this.folder)) if (!command.startsWith('java ')) endProcess(pid);
    for (const entry of await readdir(this.folder, { withFileTypes: true }))
      if (entry.isDirectory()) await rm(join(this.folder, entry.name), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Waits until at least `nodes` nodes are up. If `hasNode` is false, waits until fewer are up. */
  async ready(hasNode = true, nodes = 1): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while ((await this.#isReady(nodes)) !== hasNode) {
      if (performance.now() > deadline) throw new TypeError(`the grid is not ready:\n${await this.#lastWords()}`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Stops everything. */
  async close(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.kill()));
    await endLeftovers(this.folder, 0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Sends an HTTP request with credentials. */
  async ask(path: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<Response> {
    const { origin, username, password } = new URL(this.url);
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...(username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    };
    return fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  }

  async #isReady(nodes: number): Promise<boolean> {
    try {
      const response = await this.ask('/status');
      const { value } = (await response.json()) as { readonly value: { readonly nodes?: readonly GridNode[] } };
      // `ready` in a Grid's status means that it has a free slot.
      return (value.nodes ?? []).filter(({ availability }) => availability === 'UP').length >= nodes;
    } catch {
      // The router does not listen yet.
      return false;
    }
  }

  async #lastWords(): Promise<string> {
    const texts = [...this.#parts.values()].map(async ({ name, log }) => {
      const text = await readFile(log, 'utf8');
      return `${name}: ${text.slice(-LAST_WORDS_CHARACTERS)}`;
    });
    return (await Promise.all(texts)).join('\n');
  }
}
