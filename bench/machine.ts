import { execFile } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findChromium } from './chromium.ts';
import type { Library } from './library.ts';

/** Returns lines about hardware, load and versions. */
export async function describeMachine(libraries: readonly Library[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(findChromium(), ['--version']);
  const load = loadavg()[0] ?? 0;
  return [
    `Libraries: ${libraries.map(({ name, version }) => `${name} ${version}`).join(', ')}`,
    `Browser: ${stdout.trim()}`,
    `Node: ${process.versions.node}`,
    `Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; load before the run ${load.toFixed(1)}`,
  ];
}
