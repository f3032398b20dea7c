import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DriverInitError, type LocalBrowserLaunchOptions } from '../../src/index.ts';
import { type ArgumentSettings, browserArguments } from '../../src/launch/default-arguments.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeProgram } from '../support/fake-program.ts';
import { launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { profileOf } from '../support/processes.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

const isRoot = process.getuid?.() === 0;
/** What a browser of the root user needs when the defaults are gone. */
const SANDBOX = isRoot ? ['--no-sandbox'] : [];
const SPECIFIED = [
  '--remote-allow-origins=*',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-dev-shm-usage',
  '--site-per-process',
];
const TALL_PAGE = 'data:text/html,<body style="height: 5000px">';
const SCROLLBAR_WIDTH = 'innerWidth - document.documentElement.clientWidth';

/** A browser without launch options. */
let plain: LaunchedDriver;
/** What the distribution's start script adds by itself. */
let distributed: readonly string[];

beforeAll(async () => {
  plain = await launchedDriver();
  const rest = plain.line.slice(1);
  for (const argument of argumentsOf({ userDataDir: profileOf(plain.browser) }))
    rest.splice(rest.lastIndexOf(argument), 1);
  distributed = rest;
});

afterAll(() => plain?.driver.close());

/** The arguments that a browser was given by us, in their order; its script puts addresses to the front. */
function given({ line }: LaunchedDriver): string[] {
  const rest = line.slice(1);
  for (const argument of distributed) rest.splice(rest.indexOf(argument), 1);
  return rest.filter((argument) => argument.startsWith('-'));
}

/** The command line that options lead to. */
function argumentsOf(options: Partial<ArgumentSettings>): string[] {
  return browserArguments({
    headless: true,
    port: undefined,
    args: [],
    ignoreDefaultArgs: false,
    userDataDir: '/profile',
    viewport: undefined,
    devtools: false,
    proxy: undefined,
    ignoreHTTPSErrors: false,
    domainPolicy: undefined,
    isRoot,
    ...options,
  });
}

async function failureOfLaunch(launch: LocalBrowserLaunchOptions): Promise<unknown> {
  return failureOf(
    launchedDriver(launch, { disableLoggerBackend: true }).then((launched) => launched[Symbol.asyncDispose]()),
  );
}

/** A free port of this machine, a moment ago at least. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('without launch options', () => {
  // [spec: default-arguments.remote-allow-origins, default-arguments.no-first-run]
  // [spec: default-arguments.no-default-browser-check, default-arguments.disable-dev-shm-usage]
  // [spec: default-arguments.site-per-process, launch-options.headless, limits.port]
  it('starts a browser without a window, with defaults, its own profile and a free port', async () => {
    const { page, driver } = plain;
    const line = given(plain);
    expect(line.slice(0, SPECIFIED.length)).toEqual(SPECIFIED);
    expect(line).toContain('--headless=new');
    expect(line).toContain('--remote-debugging-port=0');
    expect(line.find((argument) => argument.startsWith('--user-data-dir='))).toContain(tmpdir());
    expect(line).not.toContain('--auto-open-devtools-for-tabs');
    expect(line).not.toContain('--ignore-certificate-errors');
    expect(page.url()).toBe('about:blank');
    expect(Number(new URL(driver.connectURL()).port)).toBeGreaterThan(0);
    await page.goto(TALL_PAGE);
    expect(await page.evaluate(SCROLLBAR_WIDTH)).toBe(0);
  });
});

describe('executablePath', () => {
  // [spec: launch-options.executablePath]
  it('starts the given executable despite CHROME_PATH', async () => {
    await using program = await fakeProgram(`exec ${findBrowser()} --user-agent=Wrapped "$@"`);
    vi.stubEnv('CHROME_PATH', '/gone/chrome');
    try {
      await using launched = await launchedDriver({ executablePath: program.path });
      expect(await launched.page.evaluate('navigator.userAgent')).toBe('Wrapped');
      expect(launched.lines.map(({ message }) => message)).toContain(`Started ${program.path}`);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('defaults to CHROME_PATH, before installed browsers', async () => {
    await using chosen = await fakeProgram('echo chosen >&2; exit 1');
    vi.stubEnv('CHROME_PATH', chosen.path);
    try {
      expect(String(await failureOfLaunch({}))).toMatch(`The browser ${chosen.path} exited with code 1`);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('port', () => {
  // [spec: launch-options.port, limits.port]
  it('is the DevTools port of one driver at a time, and free after close()', async () => {
    const port = await freePort();
    const first = await launchedDriver({ port });
    try {
      expect(first.line).toContain(`--remote-debugging-port=${port}`);
      expect(new URL(first.driver.connectURL()).host).toBe(`127.0.0.1:${port}`);
      const answer = (await (await fetch(`http://127.0.0.1:${port}/json/version`)).json()) as object;
      expect(answer).toMatchObject({ webSocketDebuggerUrl: first.driver.connectURL() });
      expect(String(await failureOfLaunch({ port }))).toContain('Its port is in use');
      expect(await first.page.evaluate('1 + 1')).toBe(2);
    } finally {
      await first.driver.close();
    }
    await using second = await launchedDriver({ port });
    expect(new URL(second.driver.connectURL()).port).toBe(String(port));
  });

  it.each(['127.0.0.1', '::'])('reports a port in use at %s', async (host) => {
    const taken = createServer().listen(0, host);
    await once(taken, 'listening');
    const failure = await failureOfLaunch({ port: (taken.address() as AddressInfo).port });
    taken.close();
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toContain('Its port is in use. Pass another `port`');
  });
});

describe('args', () => {
  // [spec: driver-options.localBrowserLaunchOptions, launch-options.args, default-arguments.first]
  it('adds `args` after the defaults, which they override', async () => {
    const port = await freePort();
    const args = [
      '--user-agent=With a space and "quotes"',
      `--remote-debugging-port=${port}`,
      '--force-color-profile=color-spin-gamma24',
    ];
    await using launched = await launchedDriver({ port: 0, args });
    expect(given(launched).slice(-args.length)).toEqual(args);
    expect(launched.line).toContain('--force-color-profile=srgb');
    expect(await launched.page.evaluate('navigator.userAgent')).toBe('With a space and "quotes"');
    expect(new URL(launched.driver.connectURL()).port).toBe(String(port));
  });

  it('merges --disable-features in `args` with the default list', () => {
    const line = argumentsOf({ args: ['--disable-features=PaintHolding', '--disable-features=TopSites'] });
    const lists = line.filter((argument) => argument.startsWith('--disable-features='));
    expect(lists.at(-1)).toMatch(/^--disable-features=BackForwardCache,Translate,.*,PaintHolding,TopSites$/);
  });

  it('removes features of --enable-features from the features disabled by default', () => {
    const line = argumentsOf({ args: ['--enable-features=Translate:key/value,TopSites'] });
    const lists = line.filter((argument) => argument.startsWith('--disable-features='));
    expect(lists.at(-1)).toMatch(/^--disable-features=BackForwardCache,OptimizationHints,/);
    expect(lists.at(-1)).not.toContain('Translate');
  });

  it('opens a URL in `args` in the first page', async () => {
    await using launched = await launchedDriver({ args: ['data:text/html,<title>Given</title>'] });
    expect(launched.driver.context.pages()).toEqual([launched.driver.context.activePage()]);
    await launched.page.waitForLoadState();
    expect(await launched.page.title()).toBe('Given');
  });

  it('reports the browser output when `args` prevent control', async () => {
    const failure = await failureOfLaunch({ args: ['--remote-debugging-pipe'] });
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toContain('Remote debugging pipe file descriptors are not open');
  });
});

describe('ignoreDefaultArgs', () => {
  // [spec: launch-options.ignoreDefaultArgs]
  it.each([
    [0, 2, 4],
    [1, 3],
  ])('removes exactly the listed defaults: %j and %j', (...indexes) => {
    const ignored = SPECIFIED.filter((_, index) => indexes.includes(index));
    const all = argumentsOf({});
    expect(argumentsOf({ ignoreDefaultArgs: ignored })).toEqual(all.filter((argument) => !ignored.includes(argument)));
  });

  it('removes our own defaults and their effect', async () => {
    const ignoreDefaultArgs = ['--hide-scrollbars', '--enable-automation', '--no-first-run'];
    await using launched = await launchedDriver({ ignoreDefaultArgs });
    await launched.page.goto(TALL_PAGE);
    expect(await launched.page.evaluate(SCROLLBAR_WIDTH)).toBeGreaterThan(0);
    expect(launched.line.filter((argument) => ignoreDefaultArgs.includes(argument))).toEqual([]);
  });

  // [spec: launch-options.ignoreDefaultArgs]
  it('keeps unlisted defaults and the user arguments', () => {
    const line = argumentsOf({
      ignoreDefaultArgs: ['--no-first', '--hide-scrollbars=1', '--mute-audio', '--user-agent=Mine'],
      args: ['--mute-audio', '--user-agent=Mine'],
    });
    expect(line).toEqual(expect.arrayContaining(['--no-first-run', '--hide-scrollbars', '--user-agent=Mine']));
    expect(line.filter((argument) => argument === '--mute-audio')).toHaveLength(1);
  });

  it('keeps the port, profile and page arguments', () => {
    const line = argumentsOf({
      ignoreDefaultArgs: ['--remote-debugging-port=0', '--user-data-dir=/profile', 'about:blank'],
    });
    expect(line).toEqual(
      expect.arrayContaining(['--remote-debugging-port=0', '--user-data-dir=/profile', 'about:blank']),
    );
  });

  // [spec: launch-options.ignoreDefaultArgs]
  it('with true keeps only arguments that other options need', async () => {
    await using launched = await launchedDriver({
      ignoreDefaultArgs: true,
      args: [...SANDBOX, '--user-agent=Bare'],
      viewport: { width: 640, height: 480 },
    });
    expect(given(launched)).toEqual([
      '--headless=new',
      '--remote-debugging-port=0',
      expect.stringContaining('--user-data-dir='),
      '--window-size=640,480',
      ...SANDBOX,
      '--user-agent=Bare',
    ]);
    await launched.page.goto('data:text/html,<button>Go</button>');
    await launched.page.click('button');
    expect(await launched.page.evaluate('[innerWidth, innerHeight]')).toEqual([640, 480]);
  });

  it.runIf(isRoot).each([[true], [['--no-sandbox']]])(
    'reports the missing --no-sandbox as root for %j',
    async (ignoreDefaultArgs) => {
      const failure = await failureOfLaunch({ ignoreDefaultArgs });
      expect(failure).toBeInstanceOf(DriverInitError);
      expect(String(failure)).toContain('As root it needs --no-sandbox, which `ignoreDefaultArgs` removed.');
    },
  );

  it('reports a missing display without --headless=new', async () => {
    vi.stubEnv('DISPLAY', undefined);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    const failure = await failureOfLaunch({ ignoreDefaultArgs: ['--headless=new'] });
    vi.unstubAllEnvs();
    expect(String(failure)).toContain('A window needs a display');
  });
});
