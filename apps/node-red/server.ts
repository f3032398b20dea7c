import { once, type EventEmitter } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportUrl } from '../report-url.ts';

/** The part of Node-RED's module that is used here. */
interface NodeRed {
  readonly httpAdmin: RequestListener;
  readonly httpNode: RequestListener;
  readonly events: EventEmitter;
  init(server: object, settings: object): void;
  start(): Promise<void>;
}

const require = createRequire(import.meta.url);
const nodeRed = require('node-red') as NodeRed;
const express = require('express') as () => RequestListener & { use(path: string, app: RequestListener): void };

const [userDir = process.cwd()] = process.argv.slice(2);
copyFileSync(fileURLToPath(new URL('./flows.json', import.meta.url)), join(userDir, 'flows.json'));

const app = express();
const server = createServer(app);
nodeRed.init(server, {
  userDir,
  flowFile: 'flows.json',
  credentialSecret: false,
  httpAdminRoot: '/',
  httpNodeRoot: '/',
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { palette: { allowInstall: false }, modules: { allowInstall: false } },
  editorTheme: { tours: false, projects: { enabled: false }, palette: { catalogues: [] } },
  logging: { console: { level: 'warn', metrics: false, audit: false } },
});
app.use('/', nodeRed.httpAdmin);
app.use('/', nodeRed.httpNode);
const flowsStarted = once(nodeRed.events, 'flows:started');
await nodeRed.start();
await flowsStarted;
server.listen(0, '127.0.0.1', () => reportUrl(server, userDir));
