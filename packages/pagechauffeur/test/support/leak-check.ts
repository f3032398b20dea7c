/**
 * Runs before each test file and, when all of it is done, looks at what is left: browsers and watchdogs, profiles,
 * sockets to browsers, and in the browsers themselves sessions and objects that nobody released.
 */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, vi } from 'vitest';
import { childrenOf, commandLine } from './processes.ts';
import { makeTestFolder, removeTestFolder, testFolder } from './test-folder.ts';
import { forgetSockets, recordWire, type SocketRecord, socketRecords } from './wire-record.ts';

/** A killed process and a closed socket are gone a moment after. */
const GONE_WITHIN = { timeout: 5000, interval: 50 };
/** What one driver's pages may hold at its end: a few handles of calls that their end cut short. */
const MAX_OBJECTS = 10;

recordWire();
makeTestFolder();

// Processes serve several test files, one after the other.
beforeAll(forgetSockets);

afterAll(async () => {
  try {
    await vi.waitFor(checkLeaks, GONE_WITHIN);
  } finally {
    // What leaked is told once, not for each file that follows.
    for (const pid of helpers()) process.kill(pid, 'SIGKILL');
    await removeTestFolder();
  }
});

function checkLeaks(): void {
  const leaks = [
    ...helpers().map((pid) => `runs: ${commandLine(pid).join(' ')}`),
    ...readdirSync(testFolder())
      .filter((name) => /^chauffeur-(profile|files)-/.test(name))
      .map((name) => `folder: ${name}`),
    ...socketRecords().flatMap(leaksOf),
  ];
  if (leaks.length > 0) throw new TypeError(`This test file leaves behind:\n${leaks.join('\n')}`);
}

/** The browsers and watchdogs that this process started and that still run. */
function helpers(): number[] {
  return childrenOf(process.pid).filter((pid) => {
    const line = commandLine(pid).join(' ');
    return line.includes('--remote-debugging-port=') || /watchdog\.[jt]s/.test(line);
  });
}

function leaksOf({ url, objects, doubled, isOpen }: SocketRecord): string[] {
  return [
    ...(isOpen ? [`socket: ${url}`] : []),
    ...doubled.map((target) => `two sessions: target ${target}`),
    ...(objects.length > MAX_OBJECTS ? objects.map((command) => `not released: ${command}`) : []),
  ];
}
