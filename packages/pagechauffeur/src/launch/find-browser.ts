import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DriverInitError } from '../errors.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The search reads `CHROME_PATH`, `CHAUFFEUR_CACHE_DIR`, `PATH`, `HOME` and the program folders of Windows. */
  readonly environment: NodeJS.ProcessEnv;
}

export function thisMachine(): Machine {
  return { platform: process.platform, environment: process.env };
}

/**
 * Returns the path of a Chromium or Chrome executable, or `undefined`. Checks `CHROME_PATH`, then the usual install
 * locations, then the download folder of `installBrowser`.
 * @throws DriverInitError if `CHROME_PATH` is set, but is not an executable file.
 */
export function findBrowser(machine: Machine = thisMachine()): string | undefined {
  return locateBrowser(machine)?.executablePath;
}

export interface LocatedBrowser {
  readonly executablePath: string;
  readonly foundBy: 'CHROME_PATH' | 'the usual install locations' | 'the download folder';
}

/** Like {@link findBrowser}, but also returns which search found the browser. */
export function locateBrowser(machine: Machine = thisMachine()): LocatedBrowser | undefined {
  const chosen = machine.environment['CHROME_PATH'];
  if (chosen) return { executablePath: chosenBrowser(chosen), foundBy: 'CHROME_PATH' };
  const installed = installedPlaces(machine).find(isExecutable);
  if (installed !== undefined) return { executablePath: installed, foundBy: 'the usual install locations' };
  const downloaded = downloadedPlaces(machine).find(isExecutable);
  return downloaded === undefined ? undefined : { executablePath: downloaded, foundBy: 'the download folder' };
}

function chosenBrowser(path: string): string {
  if (isExecutable(path)) return path;
  throw new DriverInitError(
    `CHROME_PATH must be an executable file. Received ${JSON.stringify(path)}. ` +
      'Set it to the executable of a Chromium or Chrome, or unset it to search for one.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The file does not exist or is not executable.
    return false;
  }
}

/** Returns paths where Chromium or Chrome may be installed, preferred first. */
export function installedPlaces({ platform, environment }: Machine): string[] {
  if (platform === 'darwin') return macPlaces(environment);
  if (platform === 'win32') return windowsPlaces(environment);
  const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return [
    ...commands.flatMap((command) => placesInPath(command, environment)),
    ...commands.map((command) => `/usr/bin/${command}`),
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ];
}

function placesInPath(command: string, environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command));
}

export function isInPath(command: string): boolean {
  return placesInPath(command, process.env).some(isExecutable);
}

function macPlaces(environment: NodeJS.ProcessEnv): string[] {
  const folders = ['/Applications', join(environment['HOME'] ?? homedir(), 'Applications')];
  const apps = ['Chromium', 'Google Chrome', 'Google Chrome for Testing', 'Google Chrome Canary'];
  return apps.flatMap((app) => folders.map((folder) => `${folder}/${app}.app/Contents/MacOS/${app}`));
}

function windowsPlaces(environment: NodeJS.ProcessEnv): string[] {
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => environment[name]);
  const apps = ['Chromium', 'Google\\Chrome', 'Google\\Chrome SxS'];
  return apps.flatMap((app) => folders.filter(Boolean).map((folder) => `${folder}\\${app}\\Application\\chrome.exe`));
}

/** Returns the folder for downloaded browsers, in `CHAUFFEUR_CACHE_DIR` or `~/.cache/chauffeur`. */
export function downloadFolder({ environment }: Machine): string {
  const cache = environment['CHAUFFEUR_CACHE_DIR'] || join(environment['HOME'] ?? homedir(), '.cache', 'chauffeur');
  return join(cache, 'browsers');
}

/**
 * Returns the path of a file that names the downloaded executable, relative to the download folder. The file is written
 * last, so it marks a complete download.
 */
export function downloadRecord(machine: Machine): string {
  return join(downloadFolder(machine), 'executable.txt');
}

function downloadedPlaces(machine: Machine): string[] {
  try {
    return [join(downloadFolder(machine), readFileSync(downloadRecord(machine), 'utf8').trim())];
  } catch {
    // Nothing was downloaded.
    return [];
  }
}
