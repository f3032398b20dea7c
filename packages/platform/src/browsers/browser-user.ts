import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { BrowserUser } from 'pagechauffeur/internal';
import { PlatformError, reasonOf } from '../errors.ts';

/** An id that Linux does not use: it is between those of user accounts and those that systemd allocates. */
const BROWSER_USER: BrowserUser = { uid: 61_000, gid: 61_000 };
const OTHERS_ENTER = 0o001;

/** Hint for errors that require a sandbox. */
export const HOW_TO_GO_WITHOUT =
  'For tests, pass --allow-no-sandbox (`allowNoSandbox: true` of `startPlatform`): a page that breaks out of its browser can then read the store.';

/**
 * Returns the user that runs browsers. It can read neither the store nor the keys. Without root this is the current user, and Chromium's
 * sandbox protects them. Root would need --no-sandbox, so browsers run as a separate user.
 * @throws PlatformError if that is not possible.
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
  if (error) throw noUser(`cannot be used: ${reasonOf(error)}`);
  return BROWSER_USER;
}

/** Returns the first folder of the path, or the path itself, that other users may not enter or run. */
function closedFolder(path: string): string | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & OTHERS_ENTER) === 0) return at;
    if (at === dirname(at)) return undefined;
  }
}

function noUser(reason: string): PlatformError {
  return new PlatformError(
    'invalid_request',
    `A server that runs as root runs its browsers as the separate user ${BROWSER_USER.uid}, who ${reason}. ` +
      `Start the server as another user, or give the browsers access: set TMPDIR to the folder for profiles, and --browser to the program. ${HOW_TO_GO_WITHOUT}`,
  );
}
