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
  /** True if the browser outlives this process. */
  readonly keepAlive: boolean;
  /** Preferences of a new profile. Default: those for a browser used by one driver. */
  readonly preferences?: object | undefined;
}

/** A browser's profile folder. */
export interface Profile {
  readonly path: string;
  /** True if the profile is removed with its browser. */
  readonly isTemporary: boolean;
  /**
   * Folder for the browser's temporary files. It is removed as a whole, because some files of a killed browser have no
   * recognizable name. Equals `path` for a temporary profile. Undefined if nobody cleans up after the browser.
   */
  readonly temporaryFiles: string | undefined;
  /** Temporary folder for downloads, which the browser creates on first use. */
  readonly downloads: string;
  readonly preferences?: object | undefined;
}

/**
 * Size of `sun_path` on Linux, including the final zero. Longer socket paths are rejected. Temporary folders on macOS
 * have paths that are too long.
 */
const SOCKET_PATH_SIZE = 108;
const PROFILE_PREFIX = 'chauffeur-profile-';
const FILES_PREFIX = 'chauffeur-files-';
/**
 * Options for removing folders. Child processes may outlive the browser for a moment and still write files. Retries
 * need `rm`, because `rmSync` does not pause between them.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/** Opens the user's profile folder, creating it if needed, or chooses the name of a temporary one for `makeProfile`. */
export async function openProfile({ userDataDir, keepAlive, preferences }: ProfileSettings): Promise<Profile> {
  if (userDataDir === undefined) return temporaryProfile(preferences);
  const path = resolve(userDataDir);
  try {
    await makeFolder(path);
    await access(join(path, sep), constants.W_OK);
    writePreferences(path, preferences);
  } catch (error) {
    // A browser that cannot use its profile folder silently uses another one.
    throw new DriverInitError(
      `Cannot use userDataDir ${path} as a profile folder: ${reasonOf(error)}. Pass a folder that this process can write to.`,
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

/** Returns an unused folder name for downloads. */
export function downloadsFolder(): string {
  return join(tmpdir(), `chauffeur-downloads-${randomUUID()}`);
}

function temporaryProfile(preferences: object | undefined): Profile {
  const path = temporaryName(PROFILE_PREFIX);
  return { path, isTemporary: true, temporaryFiles: path, downloads: downloadsIn(path), preferences };
}

/** Returns a unique path with 48 random bits. */
function temporaryName(prefix: string): string {
  return join(tmpdir(), prefix + randomBytes(6).toString('base64url'));
}

/** Creates the temporary folders of a profile. */
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

/** Returns the environment variable for the browser's temporary files. */
export function temporaryFolder({ temporaryFiles = '' }: Profile): { readonly TMPDIR?: string } {
  const socket = join(temporaryFiles, 'org.chromium.Chromium.XXXXXX/SingletonSocket');
  return temporaryFiles !== '' && socket.length < SOCKET_PATH_SIZE ? { TMPDIR: temporaryFiles } : {};
}

/** Removes a temporary profile, and the files that a killed browser left in the folder for temporary files. */
export async function removeProfile(profile: Profile, pid: number | undefined): Promise<void> {
  await removeLock(profile, pid);
  await rm(profile.temporaryFiles ?? profile.downloads, REMOVAL);
}

/**
 * Removes the lock of a killed browser. On Linux and macOS, that is the link `SingletonLock` to `host-pid` in the
 * profile, and a socket in a temporary folder of its own.
 */
async function removeLock({ path, isTemporary }: Profile, pid: number | undefined): Promise<void> {
  // The lock in the user's folder may be that of another browser.
  if (!isTemporary && !linkIn(path, 'SingletonLock')?.endsWith(`-${pid}`)) return;
  const socketFolder = dirname(linkIn(path, 'SingletonSocket') ?? '');
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie']) rmSync(join(path, name), { force: true });
  if (/^\.?(org\.chromium|com\.google)\./.test(basename(socketFolder))) await rm(socketFolder, REMOVAL);
}

function linkIn(folder: string, name: string): string | undefined {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    // The browser removed the link on exit, or never created it.
    return undefined;
  }
}
