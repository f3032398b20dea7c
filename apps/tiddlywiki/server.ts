import { cpSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { reportUrl } from '../report-url.ts';

/** The part of TiddlyWiki's boot kernel that is used here. */
interface TiddlyWiki {
  readonly boot: { argv: string[]; boot(): void };
  readonly hooks: { addHook(name: string, listener: (wikiServer: unknown, nodeServer: Server) => void): void };
  readonly preloadTiddlers: unknown[];
}

const require = createRequire(import.meta.url);
const { TiddlyWiki: createWiki } = require('tiddlywiki') as { TiddlyWiki(): TiddlyWiki };

const [wikiDir = process.cwd()] = process.argv.slice(2);
cpSync(fileURLToPath(new URL('.', import.meta.url)), wikiDir, { recursive: true });

const wiki = createWiki();
wiki.boot.argv = [wikiDir, '--listen', 'host=127.0.0.1', 'port=0', 'anon-username=Robin'];
wiki.hooks.addHook('th-server-command-post-start', (_wikiServer, nodeServer) => {
  nodeServer.once('listening', () => reportUrl(nodeServer, wikiDir));
});
wiki.boot.boot();
