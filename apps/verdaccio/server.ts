import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportUrl } from '../report-url.ts';
import { publishPackages } from './packages.ts';

/** The part of Verdaccio's module that is used here. */
interface Verdaccio {
  runServer(configFile: string): Promise<Server>;
}

const verdaccio = createRequire(import.meta.url)('verdaccio') as Verdaccio;

const [directory = process.cwd()] = process.argv.slice(2);
const configFile = join(directory, 'config.yaml');
copyFileSync(fileURLToPath(new URL('./config.yaml', import.meta.url)), configFile);

const server = await verdaccio.runServer(configFile);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
await publishPackages(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
reportUrl(server, directory);
