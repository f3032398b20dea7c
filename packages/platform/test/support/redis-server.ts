import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type LocalService, startService } from './local-service.ts';

const PROGRAM = '/usr/bin/redis-server';

/** True if Redis is installed. */
export const hasRedis: boolean = existsSync(PROGRAM);

/** Starts Redis without persistence. */
export async function startRedis(): Promise<LocalService> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const kept = ['--save', '', '--appendonly', 'no', '--dir', folder];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--loglevel', 'warning', ...kept];
  return startService({ command: PROGRAM, args, port, url: `redis://127.0.0.1:${port}`, folder });
}
