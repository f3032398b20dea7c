import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { DriverInitError } from '../errors.ts';
import { writePreferences } from './preferences.ts';
import { reasonOf } from '../util/error-facts.ts';
import { makeFolder } from '../util/make-folder.ts';

interface ProfileSettings {
  readonly userDataDir: string | undefined;
  /** The browser outlives this process. */
  readonly keepAlive: boolean;
  /** Of a profile that is new; default those of a browser of one's own. */
  readonly preferences?: object | undefined;
}

/** The folder in which a browser keeps what it remembers. */
export interface Profile {
  readonly path: string;
  /** Removed with its browser. */
  readonly isTemporary: boolean;
  /**
   * Folder for the temporary files of its browser, removed with all that one that was killed left there: some of these have
   * the name of no browser. A temporary profile itself; none for a browser that nobody will remove it after.
   */
  readonly temporaryFiles: string | undefined;
  /** Folder for what its browser downloads, always temporary; the browser makes it when it needs it. */
  readonly downloads: string;
  readonly preferences?: object | undefined;
}

/** `sun_path` of Linux, with the zero at its end; longer paths of sockets are refused. Temporary folders of macOS are too long for it. */
const SOCKET_PATH_SIZE = 108;
const PROFILE_PREFIX = 'chauffeur-profile-';
const FILES_PREFIX = 'chauffeur-files-';
/** Children of the browser may outlive it by a moment and still write there. Only `rm` waits between its tries: `rmSync` makes them all at once. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/** The user's folder, made when it is not there, or the name of a temporary one: `makeProfile` makes what is only named. */
export async function openProfile({ userDataDir, keepAlive, preferences }: ProfileSettings): Promise<Profile> {
  if (userDataDir === undefined) return temporaryProfile(preferences);
  const path = resolve(userDataDir);
  try {
    await makeFolder(path);
    await access(join(path, sep), constants.W_OK);
    writePreferences(path, preferences);
  } catch (error) {
    // A browser that cannot use its folder takes another one, and says nothing.
    throw new DriverInitError(
      `userDataDir ${path} cannot be used as a profile folder: ${reasonOf(error)}. Give a folder that this process may write to.`,
      { cause: error },
    );
  }
  const temporaryFiles = keepAlive ? undefined : temporaryName(FILES_PREFIX);
  const downloads = temporaryFiles === undefined ? downloadsFolder() : downloadsIn(temporaryFiles);
  return { path, isTemporary: false, temporaryFiles, downloads };
}

function downloadsIn(folder: string): string {
  return join(folder, 'chauffeur-downloads');
}

/** A folder for downloads that is nobody's yet. */
export function downloadsFolder(): string {
  return join(tmpdir(), `chauffeur-downloads-${randomUUID()}`);
}

function temporaryProfile(preferences: object | undefined): Profile {
  const path = temporaryName(PROFILE_PREFIX);
  return { path, isTemporary: true, temporaryFiles: path, downloads: downloadsIn(path), preferences };
}

/** Nobody else's: of 48 random bits. */
function temporaryName(prefix: string): string {
  return join(tmpdir(), prefix + randomBytes(6).toString('base64url'));
}

/** Makes the temporary folders of a profile. */
export function makeProfile(
  { path, isTemporary, temporaryFiles, preferences }: Profile,
  user?: { readonly uid: number; readonly gid: number },
): void {
  if (temporaryFiles !== undefined) mkdirSync(temporaryFiles, { mode: 0o700 });
  if (isTemporary) writePreferences(path, preferences);
  if (!isTemporary || !user) return;
  const made = [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))];
  for (const each of made) chownSync(each, user.uid, user.gid);
}

/** Tells a browser where its temporary files go, as an environment variable. */
export function temporaryFolder({ temporaryFiles = '' }: Profile): { readonly TMPDIR?: string } {
  const socket = join(temporaryFiles, 'org.chromium.Chromium.XXXXXX/SingletonSocket');
  return temporaryFiles !== '' && socket.length < SOCKET_PATH_SIZE ? { TMPDIR: temporaryFiles } : {};
}

/** Removes a temporary profile, and what a browser that was killed left in the folder for temporary files. */
export async function removeProfile(profile: Profile, pid: number | undefined): Promise<void> {
  await removeLock(profile, pid);
  await rm(profile.temporaryFiles ?? profile.downloads, REMOVAL);
}

/**
 * On Linux and macOS a browser locks its profile by the link `SingletonLock`, `host-pid`, and keeps a socket in a folder
 * of its own among the temporary files. One that is killed leaves both.
 */
async function removeLock({ path, isTemporary }: Profile, pid: number | undefined): Promise<void> {
  // Another browser's lock on the user's folder is not ours to remove.
  if (!isTemporary && !linkIn(path, 'SingletonLock')?.endsWith(`-${pid}`)) return;
  const socketFolder = dirname(linkIn(path, 'SingletonSocket') ?? '');
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) rmSync(join(path, name), { force: true });
  if (/^\.?(org\.chromium|com\.google)\./.test(basename(socketFolder))) await rm(socketFolder, REMOVAL);
}

function linkIn(folder: string, name: string): string | undefined {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    // Its browser ended in order and took it along, or never made it.
    return undefined;
  }
}
