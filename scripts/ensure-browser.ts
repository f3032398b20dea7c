/** Prints the path of a Chromium, and installs one if needed. */
import { DriverError } from '../packages/pagechauffeur/src/errors.ts';
import { findBrowser } from '../packages/pagechauffeur/src/launch/find-browser.ts';
import { installBrowser } from '../packages/pagechauffeur/src/launch/install-browser.ts';

const log = (line: string): void => console.error(`setup: ${line}`);

try {
  const executable = findBrowser() ?? (await installBrowser({ log }));
  console.log(executable);
} catch (error) {
  if (!(error instanceof DriverError)) throw error;
  log(error.message);
  process.exitCode = 1;
}
