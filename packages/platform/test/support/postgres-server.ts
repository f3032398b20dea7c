import { execFile } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type LocalService, startService } from './local-service.ts';

const folderOfPrograms = globSync('/usr/lib/postgresql/*/bin/postgres').map(dirname).toSorted().at(-1);

/** True if PostgreSQL is installed. */
export const hasPostgres: boolean = folderOfPrograms !== undefined;

/** Starts PostgreSQL with a new database. Removed when it stops. */
export async function startPostgres(): Promise<LocalService> {
  const programs = folderOfPrograms ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  const user = unprivileged();
  if (user) await giveTo(folder, user);
  const options = { cwd: folder, ...user };
  // Durability is not needed.
  const settings = [
    '--no-sync',
    '--no-instructions',
    '--auth=trust',
    '--username=test',
    '--encoding=UTF8',
    '--locale=C',
  ];
  await promisify(execFile)(join(programs, 'initdb'), ['-D', folder, ...settings], options);
  const port = await freePort();
  const fast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'shared_buffers=16MB'];
  const quiet = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'log_min_messages=panic'];
  const args = ['-D', folder, '-p', String(port), ...[...fast, ...quiet].flatMap((setting) => ['-c', setting])];
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  return startService({ command: join(programs, 'postgres'), args, port, url, folder, options });
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. Debian creates a user for it. */
function unprivileged(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Changes the owner of a folder and lets them enter its parents. */
async function giveTo(folder: string, { uid, gid }: User): Promise<void> {
  await chown(folder, uid, gid);
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const { mode } = statSync(above);
    if ((mode & 0o001) === 0) await chmod(above, (mode & 0o777) | 0o001);
  }
}
