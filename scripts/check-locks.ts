/** Checks that each lock file works on every platform and with every registry. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Returns the faults of a lock file. `npm ci` rejects a lock file that lacks a package for another platform, and npm
 * omits packages that the registry does not have. A host in `resolved` overrides the configured registry.
 */
export function lockFaults({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { resolved, optionalDependencies = {} }]) => {
    const missing = Object.keys(optionalDependencies).filter((name) => !isLocked(name, path, packages));
    return [
      ...missing.map((name) => `${path || 'the root'} needs ${name} on some platform, which is not locked`),
      ...(resolved?.includes('://') ? [`${path} names a host: ${resolved}`] : []),
    ];
  });
}

/** True if a package is locked in the `node_modules` of its dependent or above. */
function isLocked(name: string, dependent: string, packages: Lock['packages']): boolean {
  if (`${dependent ? `${dependent}/` : ''}node_modules/${name}` in packages) return true;
  if (dependent === '') return false;
  return isLocked(name, dependent.slice(0, Math.max(0, dependent.lastIndexOf('/node_modules/'))), packages);
}

if (import.meta.main) {
  process.chdir(fileURLToPath(new URL('../', import.meta.url)));
  for (const file of globSync(['package-lock.json', '*/package-lock.json'])) {
    const faults = lockFaults(JSON.parse(await readFile(file, 'utf8')) as Lock);
    for (const fault of faults) console.log(`${file}: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
