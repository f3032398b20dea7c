import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endLeftovers, endProcess, processesOf } from '../leftovers.ts';
import { freePorts } from './free-ports.ts';
import { type GridPart, startPart } from './grid-part.ts';
import type { GridMachine } from './grid-requirements.ts';
import { DISTRIBUTED_SHAPE, eventsConfig, HUB_SHAPE, nodeConfig, type PartWords } from './grid-roles.ts';

/** What a Grid is to be like. */
export interface GridOptions {
  readonly machine: GridMachine;
  /** A hub with a node, or every part in a process of its own. Default: `hub`. */
  readonly shape?: 'hub' | 'distributed';
  /** Machines that run browsers; default 1. */
  readonly nodes?: number;
  /** Further machines that do not run until they are started, as `node-2` and so on; default 0. */
  readonly spareNodes?: number;
  /** Browsers of a node at once; default 4. */
  readonly slots?: number;
  /** Seconds without traffic after which the node ends a session; default 300. */
  readonly sessionTimeout?: number;
  /** What whoever asks over HTTP must say. */
  readonly credentials?: { readonly username: string; readonly password: string };
  /** Port of a Redis on this machine, which keeps what the parts of a distributed Grid know. */
  readonly redisPort?: number;
}

/** Six programs in Java on a machine that has other things to do. */
const READY_MS = 180_000;
/** A Grid tells nobody that it is ready. */
const LOOK_AGAIN_MS = 250;
const LAST_WORDS_CHARACTERS = 2000;

/** Starts a Grid on 127.0.0.1 and waits until it takes sessions. */
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

/** A Grid that runs on this machine. All that it starts has its folder as temporary folder. */
export class Grid implements AsyncDisposable {
  /** The address of its router, with credentials where it asks for them. */
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

  /** Starts a part, be it again. */
  start(name: string): void {
    const words = this.#words.find((part) => part.name === name)?.words;
    if (!words) throw new TypeError(`this grid has no part ${name}`);
    this.#parts.set(name, startPart({ name, jar: this.#jar, words, folder: this.folder }));
  }

  /** Ends a part as a machine does that fails. What it started lives on. */
  async kill(name: string): Promise<void> {
    await this.#parts.get(name)?.kill();
  }

  /** Stops a part and all that it started, as a machine does that is suspended. */
  async freeze(name: string): Promise<void> {
    await this.#parts.get(name)?.freeze();
  }

  /** Has a part go on that was frozen. */
  async thaw(name: string): Promise<void> {
    await this.#parts.get(name)?.thaw();
  }

  /** Ends the browsers and drivers of a node that was killed, and removes their profiles, as the end of its container would. */
  async endOrphans(): Promise<void> {
    for (const { pid, command } of await processesOf(this.folder)) if (!command.startsWith('java ')) endProcess(pid);
    for (const entry of await readdir(this.folder, { withFileTypes: true }))
      if (entry.isDirectory()) await rm(join(this.folder, entry.name), { recursive: true, force: true, maxRetries: 5 });
  }

  /** Waits until it has a node that runs, or more, or has none. */
  async ready(hasNode = true, nodes = 1): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while ((await this.#isReady(nodes)) !== hasNode) {
      if (performance.now() > deadline) throw new TypeError(`the grid is not ready:\n${await this.#lastWords()}`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Ends all that is left of it. */
  async close(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.kill()));
    await endLeftovers(this.folder, 0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Asks it over HTTP, as one who knows its credentials. */
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
      // What a Grid calls ready is one with a free place.
      return (value.nodes ?? []).filter(({ availability }) => availability === 'UP').length >= nodes;
    } catch {
      // Its router does not listen yet.
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
