import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A Chromium process with the same flags for every library. */
export interface Chromium extends AsyncDisposable {
  /** DevTools WebSocket URL: `ws://127.0.0.1:…`. */
  readonly url: string;
}

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** Stagehand 4 is an extension and needs `--enable-unsafe-extension-debugging`. */
const flags = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--remote-allow-origins=*',
  '--window-size=1280,720',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  '--enable-unsafe-extension-debugging',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Starts Chromium with a new profile. */
export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'chauffeur-bench-'));
  return startChromiumWith([...flags, ...rootFlags(), `--user-data-dir=${profile}`, 'about:blank'], profile);
}

/** Starts Chromium with these arguments. One of them must set the profile, which is removed at the end. */
export async function startChromiumWith(args: readonly string[], profile: string): Promise<Chromium> {
  const chromium = spawn(findChromium(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = await devToolsUrl(chromium);
  return { url, [Symbol.asyncDispose]: () => endChromium(chromium, profile) };
}

/** Returns `CHROME_PATH`, else a usual install location. All libraries use the same executable. */
export function findChromium(): string {
  const found = [process.env['CHROME_PATH'], ...usualPlaces].find((path) => path && existsSync(path));
  if (!found)
    throw new Error('No Chromium found. Install the package "chromium", or set CHROME_PATH to an executable.');
  return found;
}

function rootFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

async function devToolsUrl(chromium: ChildProcess): Promise<string> {
  if (!chromium.stderr) throw new Error('Chromium was started without a pipe for its error output.');
  const lines: string[] = [];
  for await (const line of createInterface({ input: chromium.stderr })) {
    const url = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (url) {
      chromium.stderr.resume();
      return url;
    }
    lines.push(line);
  }
  throw new Error(`Chromium exited before it was ready:\n${lines.join('\n')}`);
}

async function endChromium(chromium: ChildProcess, profile: string): Promise<void> {
  if (chromium.exitCode === null && chromium.signalCode === null) {
    const ended = once(chromium, 'exit');
    chromium.kill('SIGKILL');
    await ended;
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
