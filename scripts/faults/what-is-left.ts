import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RedisConnection } from '../../packages/platform/src/sessions/redis-connection.ts';
import { silentLog } from '../../packages/platform/test/support/silent-log.ts';
import { processesOf } from '../leftovers.ts';
import type { Stage } from './stage.ts';

/** Number of resources left over although no session should exist, by kind. */
export interface Left {
  readonly browsers: number;
  readonly gridSessions: number;
  readonly rows: number;
  /** Leases of dead servers. */
  readonly leases: number;
  readonly places: number;
  readonly files: number;
  readonly profiles: number;
}

/** How long to wait until nothing is left. */
const LONGEST_MS = 60_000;
const LOOK_AGAIN_MS = 250;
const TIMEOUT_MS = 10_000;
const PLACES = `
local places = 0
for _, key in ipairs(redis.call('KEYS', '{chauffeur}:pool:*')) do places = places + redis.call('ZCARD', key) end
return places`;

/** Waits until nothing is left. Returns the counts and the time it took. */
export async function whatIsLeft(stage: Stage): Promise<{ readonly left: Left; readonly ms: number }> {
  const start = performance.now();
  for (;;) {
    const left = await countLeftovers(stage);
    const ms = performance.now() - start;
    if (ms > LONGEST_MS || Object.values(left).every((count) => count === 0)) return { left, ms };
    await pause(LOOK_AGAIN_MS);
  }
}

/** Describes what is left. */
export function tellLeft(left: Left): string {
  const there = Object.entries(left).filter(([, count]) => count > 0);
  return there.length === 0 ? 'nothing' : there.map(([what, count]) => `${count} ${what}`).join(', ');
}

async function countLeftovers(stage: Stage): Promise<Left> {
  const { grid, database, servers } = stage;
  const count = async (sql: string): Promise<number> => Number((await database.query(sql))[0]?.['count']);
  return {
    browsers: (await processesOf(grid.folder)).filter(({ command }) => !command.startsWith('java ')).length,
    gridSessions: await sessionsOf(stage),
    rows: await count('SELECT count(*) FROM sessions WHERE ended_at IS NULL'),
    leases: (await count('SELECT count(*) FROM servers')) - servers.filter(({ isRunning }) => isRunning).length,
    places: await placesOf(stage),
    files: await count('SELECT count(*) FROM session_files'),
    profiles: (await readdir(grid.folder)).filter((name) => existsSync(join(grid.folder, name, 'Local State'))).length,
  };
}

async function sessionsOf({ grid }: Stage): Promise<number> {
  const { value } = (await (await grid.ask('/status')).json()) as {
    readonly value: { readonly nodes?: readonly { readonly slots: readonly { readonly session: unknown }[] }[] };
  };
  return (value.nodes ?? []).flatMap(({ slots }) => slots.filter(({ session }) => session)).length;
}

async function placesOf({ redis }: Stage): Promise<number> {
  const link = new RedisConnection(redis.url, silentLog, TIMEOUT_MS);
  try {
    await link.open('nothing', () => undefined);
    return Number(await link.run(PLACES, []));
  } finally {
    link.close();
  }
}
