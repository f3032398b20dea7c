import { chmodSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from 'pagechauffeur/internal';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandLine, processesWith } from '../../pagechauffeur/test/support/processes.ts';
import type { BrowserRequest } from '../src/browsers/browser-backend.ts';
import { LocalBackend, type LocalBackendSettings } from '../src/browsers/local-backend.ts';
import { AddressRules } from '../src/egress/address-rules.ts';
import { startPlatform } from '../src/platform.ts';
import { keptLog } from './support/kept-log.ts';
import { usersOf } from './support/users-of.ts';

const REQUEST: BrowserRequest = {
  sessionId: 's1',
  viewport: undefined,
  userAgent: undefined,
  ignoreHTTPSErrors: false,
  proxy: undefined,
};
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const { signal } = new AbortController();

describe.runIf(process.platform === 'linux')('machine without a usable sandbox', () => {
  /** A browser wrapper that fails like Chromium without a sandbox. */
  let browser = '';

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'no-sandbox-'));
    browser = join(folder, 'browser');
    const lines = [
      '#!/bin/sh',
      `case " $* " in *" --no-sandbox "*) exec '${findBrowser()}' "$@";; esac`,
      'echo "FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox!" >&2',
      'exit 1',
    ];
    await writeFile(browser, lines.join('\n'));
    for (const path of [folder, browser]) chmodSync(path, 0o755);
  });
  afterEach(() => {
    // Other users cannot enter the folder of tests.
    chmodSync(tmpdir(), 0o700);
    vi.restoreAllMocks();
  });

  function backendWith(settings: Partial<LocalBackendSettings>): LocalBackend {
    const backend = new LocalBackend({
      capacity: 1,
      executablePath: browser,
      allowNoSandbox: false,
      rules: new AddressRules(),
      warm: 0,
      log: keptLog(),
      ...settings,
    });
    onTestFinished(() => backend.close());
    return backend;
  }

  function runningBrowser(): number {
    const [pid = 0] = processesWith(`--user-data-dir=${join(tmpdir(), 'chauffeur-profile-')}`);
    return pid;
  }

  it.runIf(isRoot)('runs browsers of a root server as a separate user', async () => {
    chmodSync(tmpdir(), 0o711);
    const log = keptLog();
    const backend = backendWith({ log });
    await backend.open();
    await backend.start(REQUEST, signal);
    expect(new Set(usersOf(runningBrowser())).size).toBe(1);
    expect(usersOf(runningBrowser())).not.toContain('0');
    expect(commandLine(runningBrowser())).toContain('--no-sandbox');
    expect(log.lines).toEqual([expect.stringContaining('browsers run without a sandbox')]);
  });

  it('rejects the start of a server that does not run as root', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const options = { database: ':memory:', port: 0, logLevel: 'silent', browser };
    await expect(startPlatform(options)).rejects.toThrow(
      /no sandbox on this machine.*chromium-sandbox.*--allow-no-sandbox \(`allowNoSandbox: true`/,
    );
    expect(runningBrowser()).toBe(0);
  });

  it('starts the browser with `--no-sandbox` if a non-root server sets `allowNoSandbox`', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const backend = backendWith({ allowNoSandbox: true });
    await backend.open();
    await backend.start(REQUEST, signal);
    expect(commandLine(runningBrowser())).toContain('--no-sandbox');
  });

  it('starts concurrent browsers without a sandbox, and logs it once', async () => {
    const log = keptLog();
    const backend = backendWith({ allowNoSandbox: true, capacity: 2, log });
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    await Promise.all(['s1', 's2'].map((sessionId) => backend.start({ ...REQUEST, sessionId }, signal)));
    expect(await backend.running()).toHaveLength(2);
    expect(log.lines).toHaveLength(1);
  });
});

it.runIf(isRoot)(
  'rejects `startPlatform()` as root without `allowNoSandbox` if a separate user is impossible',
  async () => {
    chmodSync(tmpdir(), 0o700);
    await expect(startPlatform({ database: ':memory:', port: 0, logLevel: 'silent' })).rejects.toThrow(
      /separate user .*cannot access .*`allowNoSandbox: true`/,
    );
  },
);
