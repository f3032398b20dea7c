import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DriverInitError, type LocalBrowserLaunchOptions } from '../../src/index.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeProgram } from '../support/fake-program.ts';
import { launchedDriver, type LaunchedDriver } from '../support/launched-driver.ts';
import { commandLine } from '../support/processes.ts';

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

/** What the distribution's start script adds by itself. */
let distributed: readonly string[];

beforeAll(async () => {
  await using launched = await launchedDriver({ ignoreDefaultArgs: true, args: SANDBOX });
  const asked = ['--headless=new', '--remote-debugging-port=0', 'about:blank', ...SANDBOX];
  distributed = launched.line
    .slice(1)
    .filter((argument) => !asked.includes(argument) && !argument.startsWith('--user-data-dir='));
});

/** The arguments that a browser was given by us, in their order; its script puts addresses to the front. */
function given({ line }: LaunchedDriver): string[] {
  const rest = line.slice(1);
  for (const argument of distributed) rest.splice(rest.indexOf(argument), 1);
  return rest.filter((argument) => argument.startsWith('-'));
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
  it('a browser starts without a window, with the defaults, an own profile and a port that it chose', async () => {
    await using launched = await launchedDriver();
    const { page, driver } = launched;
    const line = given(launched);
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
  const wrapper = (argument: string): string => `exec ${findBrowser()} ${argument} "$@"`;

  // [spec: launch-options.executablePath]
  it('names the program that is started', async () => {
    await using program = await fakeProgram(wrapper('--user-agent=Wrapped'));
    await using launched = await launchedDriver({ executablePath: program.path });
    expect(await launched.page.evaluate('navigator.userAgent')).toBe('Wrapped');
    expect(launched.lines.map(({ message }) => message)).toContain(`Started ${program.path}`);
  });

  it('counts for more than CHROME_PATH, which counts for more than what is installed', async () => {
    await using chosen = await fakeProgram(wrapper('--user-agent=Chosen'));
    vi.stubEnv('CHROME_PATH', chosen.path);
    try {
      await using byVariable = await launchedDriver();
      expect(await byVariable.page.evaluate('navigator.userAgent')).toBe('Chosen');
      vi.stubEnv('CHROME_PATH', '/gone/chrome');
      await using byOption = await launchedDriver({ executablePath: chosen.path });
      expect(await byOption.page.evaluate('navigator.userAgent')).toBe('Chosen');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('port', () => {
  // [spec: launch-options.port, limits.port]
  it('is where the DevTools protocol listens', async () => {
    const port = await freePort();
    await using launched = await launchedDriver({ port });
    expect(launched.line).toContain(`--remote-debugging-port=${port}`);
    expect(new URL(launched.driver.connectURL()).host).toBe(`127.0.0.1:${port}`);
    const answer = (await (await fetch(`http://127.0.0.1:${port}/json/version`)).json()) as object;
    expect(answer).toMatchObject({ webSocketDebuggerUrl: launched.driver.connectURL() });
  });

  it('is free again after close()', async () => {
    const port = await freePort();
    for (let round = 0; round < 2; round++) {
      await using launched = await launchedDriver({ port });
      expect(new URL(launched.driver.connectURL()).port).toBe(String(port));
    }
  });

  it.each(['127.0.0.1', '::'])('that is in use at %s is an init error that says so', async (host) => {
    const taken = createServer().listen(0, host);
    await once(taken, 'listening');
    const failure = await failureOfLaunch({ port: (taken.address() as AddressInfo).port });
    taken.close();
    expect(failure).toBeInstanceOf(DriverInitError);
    expect(String(failure)).toContain('Its port is in use: give another `port`');
  });

  it('that another driver uses is an init error, and the other goes on', async () => {
    const port = await freePort();
    await using first = await launchedDriver({ port });
    expect(String(await failureOfLaunch({ port }))).toContain('Its port is in use');
    expect(await first.page.evaluate('1 + 1')).toBe(2);
  });
});

describe('args', () => {
  // [spec: launch-options.args, default-arguments.first]
  it('stand after the defaults and have their effect', async () => {
    await using launched = await launchedDriver({
      args: ['--user-agent=Mine', '--blink-settings=imagesEnabled=false'],
    });
    expect(given(launched).slice(-2)).toEqual(['--user-agent=Mine', '--blink-settings=imagesEnabled=false']);
    expect(await launched.page.evaluate('navigator.userAgent')).toBe('Mine');
  });

  it('win over ours of the same name', async () => {
    const port = await freePort();
    await using launched = await launchedDriver({
      port: 0,
      args: [`--remote-debugging-port=${port}`, '--force-color-profile=color-spin-gamma24'],
    });
    expect(new URL(launched.driver.connectURL()).port).toBe(String(port));
    const profiles = launched.line.filter((argument) => argument.startsWith('--force-color-profile='));
    expect(profiles).toEqual(['--force-color-profile=srgb', '--force-color-profile=color-spin-gamma24']);
  });

  it('with features to disable leave ours disabled too, in the list that counts', async () => {
    await using launched = await launchedDriver({
      args: ['--disable-features=PaintHolding', '--disable-features=TopSites'],
    });
    const lists = launched.line.filter((argument) => argument.startsWith('--disable-features='));
    expect(lists.at(-1)).toMatch(/^--disable-features=BackForwardCache,Translate,.*,PaintHolding,TopSites$/);
  });

  it('with features to enable take them from those that we disable', async () => {
    await using launched = await launchedDriver({ args: ['--enable-features=Translate:key/value,TopSites'] });
    const lists = launched.line.filter((argument) => argument.startsWith('--disable-features='));
    expect(lists.at(-1)).toMatch(/^--disable-features=BackForwardCache,OptimizationHints,/);
    expect(lists.at(-1)).not.toContain('Translate');
  });

  it('with an address open that in the first page, and no other', async () => {
    await using launched = await launchedDriver({ args: ['data:text/html,<title>Given</title>'] });
    expect(launched.driver.context.pages()).toHaveLength(1);
    await launched.page.waitForLoadState();
    expect(await launched.page.title()).toBe('Given');
  });

  it('that take away how the browser is driven are an init error with its words', async () => {
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
  ])('takes away exactly those of the defaults that are listed: %j and %j', async (...indexes) => {
    const ignored = SPECIFIED.filter((_, index) => indexes.includes(index));
    await using launched = await launchedDriver({ ignoreDefaultArgs: ignored });
    const left = SPECIFIED.filter((argument) => !ignored.includes(argument));
    expect(given(launched).filter((argument) => SPECIFIED.includes(argument))).toEqual(left);
    expect(await launched.page.evaluate('1 + 1')).toBe(2);
  });

  it('takes away defaults of our own too, and what they did', async () => {
    await using launched = await launchedDriver({ ignoreDefaultArgs: ['--hide-scrollbars', '--enable-automation'] });
    await launched.page.goto(TALL_PAGE);
    expect(await launched.page.evaluate(SCROLLBAR_WIDTH)).toBeGreaterThan(0);
    expect(launched.line).not.toContain('--enable-automation');
  });

  // [spec: launch-options.ignoreDefaultArgs]
  it('leaves what it does not name exactly, and what the user gives himself', async () => {
    await using launched = await launchedDriver({
      ignoreDefaultArgs: ['--no-first', '--hide-scrollbars=1', '--mute-audio', '--user-agent=Mine'],
      args: ['--mute-audio', '--user-agent=Mine'],
    });
    expect(launched.line).toEqual(expect.arrayContaining(['--no-first-run', '--hide-scrollbars', '--user-agent=Mine']));
    expect(launched.line.filter((argument) => argument === '--mute-audio')).toHaveLength(1);
  });

  it('cannot take away the port and the profile, without which nothing works', async () => {
    await using launched = await launchedDriver({ ignoreDefaultArgs: ['--remote-debugging-port=0', 'about:blank'] });
    expect(launched.line).toContain('--remote-debugging-port=0');
    expect(launched.driver.context.pages()).toHaveLength(1);
  });

  // [spec: launch-options.ignoreDefaultArgs]
  it('true leaves only what other options ask for', async () => {
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
    '%j as root is an init error that says what is lacking',
    async (ignoreDefaultArgs) => {
      const failure = await failureOfLaunch({ ignoreDefaultArgs });
      expect(failure).toBeInstanceOf(DriverInitError);
      expect(String(failure)).toContain('As root it needs --no-sandbox, which `ignoreDefaultArgs` took away.');
    },
  );

  it('with --headless=new where there is no display is an init error that says so', async () => {
    vi.stubEnv('DISPLAY', undefined);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    const failure = await failureOfLaunch({ ignoreDefaultArgs: ['--headless=new'] });
    vi.unstubAllEnvs();
    expect(String(failure)).toContain('A window needs a display');
  });
});

describe('a browser process', () => {
  it('is named in the log, with its arguments as they were given', async () => {
    await using launched = await launchedDriver({ args: ['--user-agent=With a space and "quotes"'] });
    expect(commandLine(launched.browser)).toContain('--user-agent=With a space and "quotes"');
    expect(await launched.page.evaluate('navigator.userAgent')).toBe('With a space and "quotes"');
  });
});
