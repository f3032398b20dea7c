import type { FrameNode } from '../../src/cdp/frame-node.ts';
import type { ProgramArguments, World } from '../../src/cdp/world.ts';
import type {
  ActionSettling,
  ActionToken,
  ElementTarget,
  InjectedProgram,
  MotionAwaited,
  PageSettling,
  Point,
  PrepareAction,
  Prepared,
  PrepareOptions,
  SettleReport,
  Unexplored,
} from '../../src/injected/contract.ts';
import { composeText, pressKeys } from '../../src/actions/input/key-events.ts';
import { openClosedRoots } from '../../src/cdp/closed-roots.ts';
import { launchForTest, type TestBrowser } from '../support/launch-for-test.ts';
import { type Route, serve, type TestServer } from '../support/serve.ts';

type Answer<M extends keyof InjectedProgram> = Exclude<Awaited<ReturnType<InjectedProgram[M]>>, Unexplored>;
/** With the point in the frame's viewport, and in that of the topmost frame that was asked. */
type Ready = Extract<Prepared, { kind: 'ready' }> & { readonly point: Point; readonly rootPoint: Point };

type SettleCall = { readonly frame?: FrameNode } & (
  | Partial<ActionSettling>
  | (Partial<PageSettling> & { readonly owner: undefined })
);

/** A point of the viewport where the pages of tests have nothing. */
const ASIDE: Point = { x: 1275, y: 715 };

/** Milliseconds that a busy machine may take for each half of a click. */
const CLICK_LIMIT = 10_000;

/** A real page with the in-page program, called the way the library calls it. */
export class ProgramPage implements AsyncDisposable {
  readonly browser: TestBrowser;
  readonly server: TestServer;
  #lastToken = 0;

  constructor(browser: TestBrowser, server: TestServer) {
    this.browser = browser;
    this.server = server;
  }

  /** Starts a browser and a server for the tests of one file. */
  static async open(): Promise<ProgramPage> {
    const server = await serve();
    return new ProgramPage(await launchForTest(), server);
  }

  /** Loads a page with this body; `routes` are further paths it may ask for. */
  async show(html: string, routes: Readonly<Record<string, Route>> = {}): Promise<void> {
    for (const [path, route] of Object.entries(routes)) this.server.page(path, route);
    // Where the mouse still is, a new document soon gets a trusted move that no test sent.
    await this.browser.page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...ASIDE });
    await this.browser.goto(
      this.server.page('/', html.startsWith('<!doctype') ? html : `<!doctype html><body>${html}`),
    );
  }

  /** The page's frames, the main one first. */
  get frames(): readonly FrameNode[] {
    return this.browser.page.frames.frames;
  }

  /** Calls a method of the program in the main frame, or in another. */
  async call<M extends keyof InjectedProgram>(method: M, ...args: ProgramArguments<M>): Promise<Answer<M>> {
    return this.#ask(await this.world(), method, args);
  }

  /** The refs of all that a selector finds, in order; why it finds nothing, unless nothing fits it. */
  async refsOf(selector: string): Promise<readonly number[] | Answer<'resolve'>> {
    const first = await this.call('resolve', { selector });
    if (first.kind === 'none') return [];
    if (first.kind !== 'element') return first;
    const found = [...Array(first.count).keys()].map((index) => this.call('resolve', { selector, index }));
    return (await Promise.all(found)).flatMap((answer) => (answer.kind === 'element' ? [answer.ref] : []));
  }

  /** Asks as the library does: where closed roots may hold what was not found, they are opened first. */
  async #ask<M extends keyof InjectedProgram>(world: World, method: M, args: ProgramArguments<M>): Promise<Answer<M>> {
    // Callers of this class have checked the arguments.
    const call = world.call.bind(world) as unknown as (method: M, ...args: ProgramArguments<M>) => Promise<unknown>;
    for (;;) {
      const answer = await call(method, ...args);
      if (!isUnexplored(answer)) return answer as Answer<M>;
      await openClosedRoots(world);
    }
  }

  /** The program's world in a frame. */
  world(frame: FrameNode = this.browser.page.frames.main): Promise<World> {
    return frame.worlds.isolated;
  }

  /** Prepares an action; waits for up to two seconds unless told otherwise. */
  async prepare(
    target: ElementTarget | string,
    action: PrepareAction,
    options: Partial<PrepareOptions> & { frame?: FrameNode } = {},
  ): Promise<Prepared> {
    const { frame, ...rest } = options;
    this.#lastToken += 1;
    return this.#ask(await this.world(frame), 'prepare', [
      asTarget(target),
      { owner: this.owner, action, timeout: 2000, ...rest },
    ]);
  }

  /** The action that was prepared last. */
  get owner(): ActionToken {
    return { token: this.#lastToken, within: [] };
  }

  /** Prepares an action that must succeed. */
  async ready(
    target: ElementTarget | string,
    action: PrepareAction,
    options: Partial<PrepareOptions> & { frame?: FrameNode } = {},
  ): Promise<Ready> {
    const prepared = await this.prepare(target, action, options);
    if (prepared.kind !== 'ready') throw new TypeError(`not ready: ${JSON.stringify(prepared)}`);
    const [point] = prepared.trail;
    const rootPoint = prepared.trail.at(-1);
    if (!point || !rootPoint) throw new TypeError('ready without a point');
    return { ...prepared, point, rootPoint };
  }

  /** Waits for quiet after the action that was prepared last, or, without an owner, to read the page. */
  async settle({ frame, ...options }: SettleCall = {}): Promise<SettleReport> {
    const settling = { owner: this.owner, timeout: 3000, eventTimeout: 1000, ...options };
    return (await this.world(frame)).call('settle', settling);
  }

  /** Prepares, clicks at the point that came out, and waits for quiet. */
  async click(
    target: ElementTarget | string,
    options: { action?: PrepareAction; motion?: MotionAwaited; frame?: FrameNode } = {},
  ): Promise<SettleReport> {
    const { action = 'click', ...rest } = options;
    const { rootPoint } = await this.ready(target, action, {
      timeout: CLICK_LIMIT,
      ...(rest.frame && { frame: rest.frame }),
    });
    const limits = { timeout: CLICK_LIMIT, eventTimeout: CLICK_LIMIT };
    const [, report] = await Promise.all([this.pressAt(rootPoint), this.settle({ ...limits, ...rest })]);
    return report;
  }

  /** Sends a click of the mouse to a point, as one burst. */
  async pressAt({ x, y }: Point): Promise<void> {
    const button = { x, y, button: 'left', clickCount: 1 } as const;
    const { session } = this.browser.page;
    await Promise.all([
      session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }),
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button }),
      session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button }),
    ]);
  }

  /** What fills a field: text between the keys of an input method, or the key that takes away what is selected. */
  async enter(text: string): Promise<void> {
    const { session } = this.browser.page;
    await Promise.all(text === '' ? pressKeys(session, 'Delete') : composeText(session, text));
  }

  /** Puts text in where the focus is, as an input method does. */
  async insert(text: string): Promise<void> {
    await this.browser.page.session.send('Input.insertText', { text });
  }

  /** Evaluates in the page's own world. */
  async evaluate(expression: string, frame: FrameNode = this.browser.page.frames.main): Promise<unknown> {
    return (await frame.worlds.main).evaluate(expression, null);
  }

  /** Makes the closed shadow root of a host known, the way the library finds it: by asking the browser. */
  async adoptClosedRoot(selector: string): Promise<void> {
    const { session } = this.browser.page;
    const world = await this.world();
    const host = await world.callForHandle('element', { selector });
    if (!host) throw new TypeError(`no host ${selector}`);
    const { node } = await session.send('DOM.describeNode', { objectId: host.objectId, depth: 1, pierce: true });
    const backendNodeId = node.shadowRoots?.[0]?.backendNodeId;
    if (backendNodeId === undefined) throw new TypeError(`${selector} has no shadow root`);
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: world.contextId });
    await world.call('adoptShadowRoot', { objectId: object.objectId ?? '' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }
}

function isUnexplored(answer: unknown): answer is Unexplored {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'unexplored';
}

function asTarget(target: ElementTarget | string): ElementTarget {
  return typeof target === 'string' ? { selector: target } : target;
}
