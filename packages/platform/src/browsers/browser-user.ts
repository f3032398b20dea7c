import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { BrowserUser } from 'pagechauffeur/internal';
import { PlatformError, reasonOf } from '../errors.ts';

/** Linux uses lower ids for user accounts (up to 60000) and higher ones for systemd's dynamic users (from 61184). */
const BROWSER_USER: BrowserUser = { uid: 61_000, gid: 61_000 };
const OTHERS_ENTER = 0o001;

export const NO_SANDBOX_ADVICE =
  'For tests, pass --allow-no-sandbox (`allowNoSandbox: true` of `startPlatform`): a page that breaks out of its browser can then read the store.';

/**
 * Returns the user that runs browsers if the server runs as root. Chromium refuses to run as root with a sandbox, and
 * this user can read neither the store nor the keys. Returns `undefined` for other servers, whose store the sandbox
 * protects.
 *
 * @throws PlatformError if browsers cannot run as this user.
 */
export function browserUser(executablePath: string): BrowserUser | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  for (const path of [tmpdir(), executablePath]) {
    const closed = closedFolder(path);
    if (closed !== undefined)
      throw noUser(
        `cannot access ${closed}, which contains ${path === executablePath ? 'the browser' : 'its profile'}`,
      );
  }
  const { error } = spawnSync('/bin/true', { ...BROWSER_USER, cwd: '/' });
  if (error) throw noUser(`cannot run programs: ${reasonOf(error)}`);
  return BROWSER_USER;
}

/** Returns the innermost part of the path that other users cannot enter (a folder) or run (a file). */
function closedFolder(path: string): string | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & OTHERS_ENTER) === 0) return at;
    if (at === dirname(at)) return undefined;
  }
}

function noUser(reason: string): PlatformError {
  return new PlatformError(
    'invalid_request',
    `This server runs as root, so its browsers run as the separate user ${BROWSER_USER.uid}, who ${reason}. ` +
      'Start the server as another user, or give that user access: set TMPDIR to a folder for profiles, ' +
      `and pass the browser as --browser. ${NO_SANDBOX_ADVICE}`,
  );
}
