import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startNodeRed } from '../../../../apps/start-node-red.ts';
import { startShoelace } from '../../../../apps/start-shoelace.ts';
import { startSwaggerUi } from '../../../../apps/start-swagger-ui.ts';
import { startTiddlywiki } from '../../../../apps/start-tiddlywiki.ts';
import { startVerdaccio } from '../../../../apps/start-verdaccio.ts';

const areInstalled = existsSync(join(import.meta.dirname, '../../../../apps/node_modules'));

describe.skipIf(!areInstalled)('bundled application', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chauffeur-apps-'));
    vi.stubEnv('TMPDIR', folder);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['Node-RED', startNodeRed, 'greeting', 'Good morning from the order desk'],
    ['TiddlyWiki', startTiddlywiki, 'recipes/default/tiddlers.json', 'Opening hours'],
    ['Swagger UI', startSwaggerUi, 'api/tools?category=garden', 'Hedge shears'],
    ['Verdaccio', startVerdaccio, 'tide-tables', 'High and low water'],
    ['Shoelace', startShoelace, 'shoelace/shoelace.js', 'import'],
  ])('%s serves 127.0.0.1 until close(), and leaves no temporary files', async (_name, start, path, text) => {
    const app = await start();
    expect(new URL(app.url).hostname).toBe('127.0.0.1');
    expect(await fetchText(app.url + path)).toContain(text);
    await app.close();
    await expect(fetchText(app.url)).rejects.toThrow('fetch failed');
    expect(await readdir(folder)).toEqual([]);
  });
});

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url);
  return response.text();
}
