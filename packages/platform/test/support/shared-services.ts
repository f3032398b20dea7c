import { afterAll, beforeAll } from 'vitest';
import type { BrowserBackend } from '../../src/browsers/browser-backend.ts';
import type { PlatformOptions } from '../../src/options.ts';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import type { LocalService } from './local-service.ts';
import { hasPostgres, startPostgres } from './postgres-server.ts';
import { hasRedis, startRedis } from './redis-server.ts';
import { type BackendKind, simulatedBackend } from './simulated-backend.ts';
import { simulateBrowsers, type SimulatedBrowsers } from './simulated-browsers.ts';

/** True if PostgreSQL and Redis are installed. */
export const hasSharedServices: boolean = hasPostgres && hasRedis;

/** Services shared by the servers of a test file. */
export interface SharedServices {
  readonly postgres: LocalService;
  readonly redis: LocalService;
  readonly browsers: SimulatedBrowsers;
  readonly balancer: Balancer;
  /** Starts a server behind the load balancer. Stopped at the end of the file at the latest. */
  server(browsers: BackendKind | BrowserBackend, options?: Partial<PlatformOptions>): Promise<Platform>;
}

/** Starts PostgreSQL, Redis, simulated browsers and a load balancer for a test file. */
export function useSharedServices(): SharedServices {
  const stack = new AsyncDisposableStack();
  let postgres: LocalService;
  let redis: LocalService;
  let browsers: SimulatedBrowsers;
  let balancer: Balancer;
  beforeAll(async () => {
    if (!hasSharedServices) return;
    postgres = stack.use(await startPostgres());
    redis = stack.use(await startRedis());
    browsers = stack.use(await simulateBrowsers());
    balancer = stack.use(await startBalancer());
  }, 60_000);
  afterAll(() => stack.disposeAsync());
  return {
    get postgres() {
      return postgres;
    },
    get redis() {
      return redis;
    },
    get browsers() {
      return browsers;
    },
    get balancer() {
      return balancer;
    },
    server: async (given, options = {}) => {
      const shared = { database: postgres.url, redis: redis.url, publicUrl: balancer.url, port: 0, logLevel: 'silent' };
      const backend =
        typeof given === 'string' ? simulatedBackend(browsers.origin, given, options.capacity ?? 50) : given;
      const platform = await startPlatform({ ...shared, ...options }, backend);
      stack.use(platform);
      balancer.targets.push(platform.port);
      return platform;
    },
  };
}
