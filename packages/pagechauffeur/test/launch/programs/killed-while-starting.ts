/**
 * Starts two browsers, one after the other, and is killed right after one of the steps of their start: a process spawned, a
 * folder made, a file written. Argument: which one, from 1. Where there are not so many, it says so and waits.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(process.argv[2]);
let steps = 0;

/** The function, which kills this process once it has done the last step. */
function counted<F extends (...given: never[]) => unknown>(step: F): F {
  return ((...given: Parameters<F>) => {
    const result = step(...given);
    steps += 1;
    if (steps === last) process.kill(process.pid, 'SIGKILL');
    return result;
  }) as F;
}

childProcess.spawn = counted(childProcess.spawn);
fs.mkdirSync = counted(fs.mkdirSync);
fs.writeFileSync = counted(fs.writeFileSync);
syncBuiltinESMExports();

const { Driver } = await import('../../../src/index.ts');
for (let browser = 0; browser < 2; browser++) await new Driver({ env: 'LOCAL', disableLoggerBackend: true }).init();
process.stdout.write(`${JSON.stringify({ steps })}\n`);
setInterval(() => undefined, 60_000);
