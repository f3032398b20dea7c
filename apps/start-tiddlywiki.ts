import { startChildApp } from './child-app.ts';
import type { RunningApp } from './running-app.ts';

/**
 * Starts TiddlyWiki's server with the notebook of a small bookshop. Saved tiddlers can be read over HTTP:
 * `GET /recipes/default/tiddlers.json` and `GET /recipes/default/tiddlers/<title>`.
 */
export function startTiddlywiki(): Promise<RunningApp> {
  return startChildApp('tiddlywiki', new URL('./tiddlywiki/server.ts', import.meta.url));
}
