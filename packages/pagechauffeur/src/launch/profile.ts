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
  readonly keepAlive: boolean;
  readonly preferences?: object | undefined;
}

/** A profile folder and the folders that are removed with its browser. */
export interface Profile {
  readonly path: string;
  /** True if the profile is removed with its browser. */
  readonly isTemporary: boolean;
  /**
   * Folder for the browser's temporary files. It is removed as a whole, because a killed browser leaves files without
   * recognizable names. Equals `path` for a temporary profile. Undefined for `userDataDir` with `keepAlive`, because
   * nobody cleans up after the browser.
   */
  readonly temporaryFiles: string | undefined;
  /** The browser creates this folder on the first download. */
  readonly downloads: string;
  readonly preferences?: object | undefined;
}

/**
 * `sizeof(sun_path)` on Linux, including the final zero. Longer socket paths are rejected. Sockets in temporary folders
 * on macOS exceed this limit.
 */
const SOCKET_PATH_SIZE = 108;
const PROFILE_PREFIX = 'chauffeur-profile-';
const FILES_PREFIX = 'chauffeur-files-';
/**
 * Child processes outlive the browser for a moment and may still write files. Only `rm` pauses between retries;
 * `rmSync` does not.
 */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

/**
 * Opens or creates `userDataDir`. Without one, only picks the path of a temporary profile, which `makeProfile` creates.
 */
export async function openProfile({ userDataDir, keepAlive, preferences }: ProfileSettings): Promise<Profile> {
  if (userDataDir === undefined) return temporaryProfile(preferences);
  const path = resolve(userDataDir);
  try {
    await makeFolder(path);
    await access(join(path, sep), constants.W_OK);
    writePreferences(path, preferences);
  } catch (error) {
    // Chromium would silently use another profile folder.
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

/** Returns a unique path. The folder does not exist yet. */
export function downloadsFolder(): string {
  return join(tmpdir(), `chauffeur-downloads-${randomUUID()}`);
}

function temporaryProfile(preferences: object | undefined): Profile {
  const path = temporaryName(PROFILE_PREFIX);
  return { path, isTemporary: true, temporaryFiles: path, downloads: downloadsIn(path), preferences };
}

function temporaryName(prefix: string): string {
  return join(tmpdir(), prefix + randomBytes(6).toString('base64url'));
}

/** Creates the temporary folders. With `user`, that user owns the temporary profile. */
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

/** Returns `TMPDIR` for the browser, unless there is no folder or the path of Chromium's socket would be too long. */
export function temporaryFolder({ temporaryFiles = '' }: Profile): { readonly TMPDIR?: string } {
  const socket = join(temporaryFiles, 'org.chromium.Chromium.XXXXXX/SingletonSocket');
  return temporaryFiles !== '' && socket.length < SOCKET_PATH_SIZE ? { TMPDIR: temporaryFiles } : {};
}

/** Removes the temporary folders, and a lock that a killed browser left in the profile. */
export async function removeProfile(profile: Profile, pid: number | undefined): Promise<void> {
  await removeLock(profile, pid);
  await rm(profile.temporaryFiles ?? profile.downloads, REMOVAL);
}

/**
 * On Linux and macOS, the lock consists of the symlinks `SingletonLock` to `host-pid` and `SingletonSocket` to a socket
 * in a temporary folder.
 */
async function removeLock({ path, isTemporary }: Profile, pid: number | undefined): Promise<void> {
  // Another browser may hold the lock of a user's profile.
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
