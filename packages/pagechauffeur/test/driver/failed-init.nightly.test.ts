import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Driver,
  DriverAbortError,
  DriverInitError,
  type DriverOptions,
  type LocalBrowserLaunchOptions,
  MissingEnvironmentVariableError,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeProgram } from '../support/fake-program.ts';
import { childrenOf, openHandles } from '../support/processes.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

useWholeBrowser();

let temporaryFolder: string;
let handlesBefore: string[];

beforeEach(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'fi-'));
  vi.stubEnv('TMPDIR', temporaryFolder);
  handlesBefore = openHandles();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await expectNothingLeft();
  await rm(temporaryFolder, { recursive: true });
});

async function expectNothingLeft(): Promise<void> {
  expect((await readdir(temporaryFolder)).filter((name) => name.startsWith('chauffeur-profile-'))).toEqual([]);
  await expect.poll(() => childrenOf(process.pid), { timeout: 5000 }).toEqual([]);
  await expect.poll(openHandles, { timeout: 5000 }).toEqual(handlesBefore);
}

interface Failure {
  readonly driver: Driver;
  readonly error: unknown;
}

async function failedInit(launch: LocalBrowserLaunchOptions, options: Partial<DriverOptions> = {}): Promise<Failure> {
  const driver = new Driver({
    env: 'LOCAL',
    disableLoggerBackend: true,
    localBrowserLaunchOptions: launch,
    ...options,
  });
  const error = await failureOf(driver.init());
  await driver.close();
  return { driver, error };
}

async function listen(answer: RequestListener): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('browser that cannot start', () => {
  // [spec: errors.DriverInitError]
  it('reports a path that does not exist', async () => {
    const { error } = await failedInit({ executablePath: '/no/such/browser' });
    expect(error).toBeInstanceOf(DriverInitError);
    expect(error).toMatchObject({
      code: 'INIT',
      message: expect.stringMatching(/\/no\/such\/browser cannot be started: .*ENOENT.*`executablePath`/),
    });
  });

  it('reports a name that is not in PATH', async () => {
    expect((await failedInit({ executablePath: 'no-such-browser' })).error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringMatching(/no-such-browser cannot be started: ENOENT: .* PATH .*`executablePath`/),
    });
  });

  it('finds the executable in PATH by its name', async () => {
    await using program = await fakeProgram('echo "found in the PATH" >&2; exit 3');
    vi.stubEnv('PATH', `${dirname(program.path)}:${process.env['PATH']}`);
    const { error } = await failedInit({ executablePath: basename(program.path) });
    expect(String(error)).toMatch(/exited with code 3 [^]*found in the PATH/);
  });

  it('reports a folder and an argument with a null byte', async () => {
    expect((await failedInit({ executablePath: tmpdir() })).error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringContaining('EACCES'),
    });
    expect((await failedInit({ args: ['with\0zero'] })).error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringContaining('null bytes'),
    });
  });

  it('reports the last output of a browser that exits immediately', async () => {
    await using program = await fakeProgram('echo "cannot open shared object file: libnss3.so" >&2; exit 127');
    const { error } = await failedInit({ executablePath: program.path });
    expect(error).toBeInstanceOf(DriverInitError);
    expect(String(error)).toMatch(/exited with code 127 before it was ready/);
    expect(String(error)).toContain('browser: cannot open shared object file: libnss3.so');
  });

  it('reports the signal that killed a starting browser', async () => {
    await using program = await fakeProgram('kill -9 $$');
    expect(String((await failedInit({ executablePath: program.path })).error)).toContain('exited with SIGKILL');
  });

  it('rejects on the signal while it waits for the URL, and includes the output', async () => {
    await using program = await fakeProgram('echo "warming up" >&2; touch "$0.spoken"; exec sleep 600');
    const caller = new AbortController();
    const failed = failedInit({ executablePath: program.path }, { signal: caller.signal });
    await vi.waitUntil(() => existsSync(`${program.path}.spoken`), { timeout: 20_000 });
    // What it said before is in the pipe by now, and is read before this turn of the event loop is over.
    await setImmediate();
    caller.abort();
    const { error } = await failed;
    expect(error).toBeInstanceOf(DriverAbortError);
    expect(String(error)).toMatch(
      /init: aborted by the caller's signal[^]*waiting for its DevTools WebSocket URL[^]*warming up/,
    );
  });

  it('does not start a browser with an aborted signal', async () => {
    const { error } = await failedInit(
      { executablePath: '/no/such/browser' },
      { signal: AbortSignal.abort('not today') },
    );
    expect(error).toMatchObject({ name: 'DriverAbortError', cause: 'not today' });
  });

  it('reports an invalid CHROME_PATH', async () => {
    vi.stubEnv('CHROME_PATH', '/gone/chrome');
    expect((await failedInit({})).error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringContaining('Received "/gone/chrome"'),
    });
  });

  it('reports and ends a browser that prints a URL but does not listen', async () => {
    await using program = await fakeProgram(
      'echo "DevTools listening on ws://127.0.0.1:9/devtools/browser/x" >&2; exec sleep 600',
    );
    const { error } = await failedInit({ executablePath: program.path });
    expect(error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringMatching(/Cannot connect to DevTools at ws:\/\/127\.0\.0\.1:9.*ECONNREFUSED/),
    });
  });

  it.each([
    ['Missing X server or $DISPLAY', 'A window needs a display'],
    ['ERROR: Running as root without --no-sandbox is not supported.', 'As root it needs --no-sandbox'],
    ['chrome: error while loading shared libraries: libnss3.so', 'It lacks system libraries'],
  ])('adds advice to the output %j', async (words, advice) => {
    await using program = await fakeProgram(`echo '${words}' >&2; echo 'dbus/bus.cc: Failed to connect' >&2; exit 1`);
    const { error } = await failedInit({ executablePath: program.path });
    expect(String(error)).toContain(advice);
    expect(String(error)).toContain(words);
    expect(String(error)).not.toContain('dbus');
  });

  it('reports a port in use without waiting', async () => {
    const taken = createServer().listen(0, '::');
    await once(taken, 'listening');
    const { error } = await failedInit({ port: (taken.address() as AddressInfo).port });
    taken.close();
    expect(error).toMatchObject({
      name: 'DriverInitError',
      message: expect.stringContaining('cannot be reached. Its port is in use'),
    });
  });

  it('reports a missing display', async () => {
    vi.stubEnv('DISPLAY', undefined);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    expect(String((await failedInit({ headless: false })).error)).toContain('A window needs a display');
  });

  it('starts once the problem is fixed', async () => {
    vi.stubEnv('CHROME_PATH', '/gone/chrome');
    const { driver, error } = await failedInit({});
    expect(error).toBeInstanceOf(DriverInitError);
    vi.unstubAllEnvs();
    vi.stubEnv('TMPDIR', temporaryFolder);
    await driver.init();
    expect(driver.context.pages()).toHaveLength(1);
    await driver.close();
  });
});

describe('localBrowserLaunchOptions.cdpUrl', () => {
  it.each(['ws://127.0.0.1:9/devtools/browser/x', 'http://127.0.0.1:9'])(
    'reports an address without a server: %s',
    async (cdpUrl) => {
      const { error } = await failedInit({ cdpUrl });
      expect(error).toBeInstanceOf(DriverInitError);
      expect(String(error)).toContain(cdpUrl);
      expect(String(error)).toMatch(/Check that a browser is listening there|Start one with --remote-debugging-port/);
    },
  );

  it('reports a server that is not a browser', async () => {
    await using silent = await listen((_request, response) => response.end('{}'));
    expect(String((await failedInit({ cdpUrl: silent.origin })).error)).toContain(
      'returned no DevTools WebSocket URL. Check that a Chromium browser listens there.',
    );
    await using page = await listen((_request, response) => response.end('<!doctype html>'));
    expect(String((await failedInit({ cdpUrl: page.origin })).error)).toContain(
      `No browser responded at ${page.origin}`,
    );
    expect(String((await failedInit({ cdpUrl: page.origin.replace('http', 'ws') })).error)).toContain(
      'Unexpected server response: 200',
    );
  });

  it('rejects on the signal when the server never answers', async () => {
    await using mute = await listen(() => undefined);
    for (const cdpUrl of [mute.origin, mute.origin.replace('http', 'ws')]) {
      expect((await failedInit({ cdpUrl }, { signal: AbortSignal.timeout(200) })).error).toBeInstanceOf(
        DriverAbortError,
      );
    }
  });
});

describe('env REMOTE', () => {
  // [spec: errors.MissingEnvironmentVariableError, authentication.platform-key, authentication.missing-variable]
  it('names REMOTE_API_KEY when the key is missing', async () => {
    vi.stubEnv('REMOTE_API_KEY', undefined);
    const { driver, error } = await failedInit({}, { env: 'REMOTE' });
    expect(error).toBeInstanceOf(MissingEnvironmentVariableError);
    expect(error).toMatchObject({ variable: 'REMOTE_API_KEY' });
    await expect(driver.init()).rejects.not.toBe(error);
  });

  it('reports an invalid REMOTE_API_URL', async () => {
    vi.stubEnv('REMOTE_API_URL', 'nonsense');
    const { error } = await failedInit({}, { env: 'REMOTE', apiKey: 'k' });
    expect(String(error)).toContain(
      'REMOTE_API_URL must be an http(s) URL, for example http://127.0.0.1:8080. Received "nonsense"',
    );
  });
});
