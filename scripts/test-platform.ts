import { type Platform, startPlatform } from '../packages/platform/src/platform.ts';
import { findGridMachine } from './grid/grid-requirements.ts';
import { type Grid, startGrid } from './grid/start-grid.ts';

/**
 * Starts a platform for tests, with a Grid if `env` is `GRID`. Tests find the platform through environment variables,
 * as users do.
 */
export async function startTestPlatform(env: string): Promise<() => Promise<void>> {
  const grid = env === 'GRID' ? await startTestGrid() : undefined;
  const platform = await startPlatform({
    database: ':memory:',
    port: 0,
    logLevel: 'warn',
    allowNoSandbox: true,
    capacity: 8,
    // Test pages come from this machine.
    allowNetworks: ['127.0.0.0/8', '::1/128'],
    ...(grid ? { grid: [grid.url], egressPort: 0 } : {}),
  });
  process.env['REMOTE_API_URL'] = platform.url;
  process.env['REMOTE_API_KEY'] = platform.firstKey ?? '';
  return () => close(platform, grid);
}

async function startTestGrid(): Promise<Grid> {
  const machine = findGridMachine();
  if (typeof machine === 'string') throw new TypeError(`No grid can run here: ${machine}.`);
  return startGrid({ machine, slots: 8 });
}

async function close(platform: Platform, grid: Grid | undefined): Promise<void> {
  await platform.close();
  await grid?.close();
}
