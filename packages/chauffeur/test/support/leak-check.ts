/**
 * Runs before each test file and, when all of it is done, looks at what is left: browsers and watchdogs, profiles,
 * sockets to browsers, and in the browsers themselves sessions and objects that nobody released.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { childrenOf, commandLine } from './processes.ts';
import { recordWire, type SocketRecord, socketRecords } from './wire-record.ts';

/** A killed process and a closed socket are gone a moment after. */
const GONE_WITHIN = { timeout: 5000, interval: 20 };
/** What one driver's pages may hold at its end: a few handles of calls that their end cut short. */
const MAX_OBJECTS = 10;

const outerFolder = process.env['TMPDIR'];
let folder: string;

recordWire();

beforeAll(() => {
  // A short name: sockets of browsers stand below it, whose paths have at most 107 characters.
  folder = mkdtempSync(join(tmpdir(), 'ch-'));
  process.env['TMPDIR'] = folder;
});

afterAll(async () => {
  if (outerFolder === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = outerFolder;
  try {
    await vi.waitFor(checkLeaks, GONE_WITHIN);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});

function checkLeaks(): void {
  const leaks = [
    ...helpers().map((line) => `runs: ${line}`),
    ...readdirSync(folder)
      .filter((name) => name.startsWith('chauffeur-profile-'))
      .map((name) => `profile: ${name}`),
    ...socketRecords().flatMap(leaksOf),
  ];
  if (leaks.length > 0) throw new TypeError(`This test file leaves behind:\n${leaks.join('\n')}`);
}

/** The browsers and watchdogs that this process started and that still run. */
function helpers(): string[] {
  return childrenOf(process.pid)
    .map((pid) => commandLine(pid).join(' '))
    .filter((line) => line.includes('--remote-debugging-port=') || /watchdog\.[jt]s/.test(line));
}

function leaksOf({ url, objects, doubled, isOpen }: SocketRecord): string[] {
  return [
    ...(isOpen ? [`socket: ${url}`] : []),
    ...doubled.map((target) => `two sessions: target ${target}`),
    ...(objects.length > MAX_OBJECTS ? objects.map((command) => `not released: ${command}`) : []),
  ];
}
