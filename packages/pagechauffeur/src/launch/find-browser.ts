import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { DriverInitError } from '../errors.ts';

/** What decides where a browser may be. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Environment variables: `CHROME_PATH`, `CHAUFFEUR_CACHE_DIR`, `PATH` and the platform's folders. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The machine this runs on. */
export function thisMachine(): Machine {
  return { platform: process.platform, environment: process.env };
}

/**
 * The executable of a Chromium or Chrome on this machine, undefined when there is none. `CHROME_PATH` comes
 * first and must be right when it is set; then the usual installed places; then what `installBrowser` downloaded.
 */
export function findBrowser(machine: Machine = thisMachine()): string | undefined {
  return locateBrowser(machine)?.executablePath;
}

/** A browser of this machine, and what led to it. */
export interface LocatedBrowser {
  readonly executablePath: string;
  readonly foundBy: 'CHROME_PATH' | 'the usual places' | 'the download folder';
}

/** As {@link findBrowser}, with what led to the browser. */
export function locateBrowser(machine: Machine = thisMachine()): LocatedBrowser | undefined {
  const chosen = machine.environment['CHROME_PATH'];
  if (chosen) return { executablePath: chosenBrowser(chosen), foundBy: 'CHROME_PATH' };
  const installed = installedPlaces(machine).find(isExecutable);
  if (installed !== undefined) return { executablePath: installed, foundBy: 'the usual places' };
  const downloaded = downloadedPlaces(machine).find(isExecutable);
  return downloaded === undefined ? undefined : { executablePath: downloaded, foundBy: 'the download folder' };
}

function chosenBrowser(path: string): string {
  if (isExecutable(path)) return path;
  throw new DriverInitError(
    `CHROME_PATH is ${JSON.stringify(path)}, which is not an executable file. ` +
      'Set it to the executable of a Chromium or Chrome, or unset it to have one looked for.',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there or not ours to run: both mean that this is not the browser to take.
    return false;
  }
}

/** Where installers put Chromium and Chrome on this platform, the preferred place first. */
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

/** Whether a command without a folder names a program of this machine's `PATH`. */
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

/** The folder that `installBrowser` downloads into: below `CHAUFFEUR_CACHE_DIR`, else below `~/.cache/chauffeur`. */
export function downloadFolder({ environment }: Machine): string {
  const cache = environment['CHAUFFEUR_CACHE_DIR'] || join(environment['HOME'] ?? homedir(), '.cache', 'chauffeur');
  return join(cache, 'browsers');
}

/** The file that names the downloaded executable, relative to its own folder. It is written when the download is complete. */
export function downloadRecord(machine: Machine): string {
  return join(downloadFolder(machine), 'executable.txt');
}

function downloadedPlaces(machine: Machine): string[] {
  try {
    return [join(downloadFolder(machine), readFileSync(downloadRecord(machine), 'utf8').trim())];
  } catch {
    // No record: nothing was downloaded.
    return [];
  }
}
