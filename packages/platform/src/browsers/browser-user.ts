import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { BrowserUser } from 'pagechauffeur/internal';
import { PlatformError, reasonOf } from '../errors.ts';

/** Nobody's on Linux: between the accounts of people and those that systemd makes up. */
const BROWSER_USER: BrowserUser = { uid: 61_000, gid: 61_000 };
const OTHERS_ENTER = 0o001;

/** How to start without a sandbox, for the errors that refuse to. */
export const HOW_TO_GO_WITHOUT =
  'For tests, pass --allow-no-sandbox (`allowNoSandbox: true` of `startPlatform`): a page that breaks out of its browser can then read the store.';

/**
 * The user that browsers run as, who can read neither store nor keys: this process's own, with Chromium's sandbox, unless that is root. Root
 * would have to start them without a sandbox, so they are another user's then. A `PlatformError` where that cannot be.
 */
export function browserUser(executablePath: string): BrowserUser | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  for (const path of [tmpdir(), executablePath]) {
    const closed = closedFolder(path);
    if (closed !== undefined)
      throw noUser(`may not enter ${closed}, where ${path === executablePath ? 'the browser' : 'its profile'} lies`);
  }
  const { error } = spawnSync('/bin/true', { ...BROWSER_USER, cwd: '/' });
  if (error) throw noUser(`cannot be taken on: ${reasonOf(error)}`);
  return BROWSER_USER;
}

/** A folder on the way to a path, or the path itself, that others may not enter or run. */
function closedFolder(path: string): string | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & OTHERS_ENTER) === 0) return at;
    if (at === dirname(at)) return undefined;
  }
}

function noUser(reason: string): PlatformError {
  return new PlatformError(
    'invalid_request',
    `Browsers of a server that runs as root run as a user of their own, number ${BROWSER_USER.uid}, who ${reason}. ` +
      `Start the server as another user, or give browsers what they need: TMPDIR names the folder of their profiles, --browser the program. ${HOW_TO_GO_WITHOUT}`,
  );
}
