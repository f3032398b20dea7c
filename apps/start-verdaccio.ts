import { startChildApp } from './child-app.ts';
import type { RunningApp } from './running-app.ts';

/**
 * Starts Verdaccio, a package registry, with the packages of a harbour office and nothing behind it: it asks no other registry.
 * `robin` with the password `low-tide-42` published them. Its API is npm's: `GET /tide-tables`, `PUT /-/user/org.couchdb.user:<name>`.
 */
export function startVerdaccio(): Promise<RunningApp> {
  return startChildApp('verdaccio', new URL('./verdaccio/server.ts', import.meta.url));
}
