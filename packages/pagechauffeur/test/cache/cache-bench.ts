import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Driver, DriverOptions, LogLine, Page } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { linesOf } from '../../src/model/page-view.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

/** What a model is to choose: the nth element of a role and name, and what to do with it. */
export interface Choice {
  readonly role: string;
  readonly name: string;
  readonly nth?: number;
  readonly method?: string;
  readonly arguments?: readonly string[];
  readonly twoStep?: boolean;
}

/** A browser with a cache, and a model that says what the test told it last. */
export class CacheBench {
  readonly model: ScriptedModel = new ScriptedModel((request) => this.answer(request));
  /** What the model answers; reset by `open`. */
  answer: (request: ModelRequest) => unknown = noAnswer;
  folder = '';
  readonly #options: Partial<DriverOptions>;
  #started: TestDriver | undefined;
  #server: TestServer | undefined;

  constructor(options: Partial<DriverOptions>) {
    this.#options = options;
  }

  get driver(): Driver {
    return this.#running.driver;
  }

  get page(): Page {
    return this.#running.page;
  }

  get lines(): readonly LogLine[] {
    return this.#running.lines;
  }

  get server(): TestServer {
    if (!this.#server) throw new TypeError('the server has not been started');
    return this.#server;
  }

  /** How often the model was asked. */
  get asked(): number {
    return this.model.requests.length;
  }

  get #running(): TestDriver {
    if (!this.#started) throw new TypeError('the browser has not been started');
    return this.#started;
  }

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'chauffeur-cache-'));
    this.#server = await serve();
    this.#started = await startDriver({ llmClient: this.model, cacheDir: this.folder, ...this.#options });
  }

  async end(): Promise<void> {
    await this.#started?.driver.close();
    await this.#server?.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Closes what an earlier test has left open, which an agent would work on. */
  async beAlone(): Promise<void> {
    const { context } = this.driver;
    if (context.pages().length === 1) return;
    context.setActivePage(this.page);
    await Promise.all(context.pages().flatMap((page) => (page === this.page ? [] : [page.close()])));
  }

  /** Shows a page at an address, where no model answers until it is told what. */
  async open(html: string, path = '/'): Promise<void> {
    this.answer = noAnswer;
    await this.page.goto(this.server.page(path, `<!doctype html>${html}`), { waitUntil: 'load' });
  }

  /** What the page wrote into `hits`. */
  hits(): Promise<unknown> {
    return this.page.evaluate(() => (globalThis as unknown as { hits?: unknown[] }).hits ?? []);
  }
}

/** A browser with a cache that all tests of a file share. */
export function useCache(options: Partial<DriverOptions> = {}): CacheBench {
  const bench = new CacheBench(options);
  beforeAll(() => bench.start());
  beforeEach(() => bench.beAlone());
  afterAll(() => bench.end());
  return bench;
}

/** An answer to `act` that chooses an element. */
export function choose({ method = 'click', arguments: args = [], twoStep = false, ...wanted }: Choice) {
  return (request: ModelRequest): object => {
    const { role, name } = wanted;
    const action = { ref: nthRef(request, wanted), method, arguments: args, description: `the ${role} ${name}` };
    return { action, twoStep, reason: '', candidates: [] };
  };
}

/** An answer to `act` that finds nothing. */
export function chooseNothing(): object {
  return { action: null, twoStep: false, reason: 'it is not there.', candidates: [] };
}

/** The ref of the nth element of a role and name that is shown. */
export function nthRef({ page }: ModelRequest, { role, name, nth = 0 }: Choice): string {
  const alike = [...linesOf(page)].filter((line) => line.role === role && line.name === name);
  const ref = alike[nth]?.ref;
  if (ref === undefined) throw new TypeError(`no ${role} ${JSON.stringify(name)} number ${nth}:\n${page.text}`);
  return ref;
}

function noAnswer(): never {
  throw new TypeError('the model was not to be asked');
}
