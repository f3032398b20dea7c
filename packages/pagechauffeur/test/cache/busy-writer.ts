/** Writes an entry of its own and, again and again, one that others write too; ends with 1 when it reads a broken one. */
import { FileStore } from '../../src/cache/file-store.ts';
import { VerbCache } from '../../src/cache/verb-cache.ts';
import { Log } from '../../src/util/log.ts';

const ROUNDS = 60;
const [folder = '', writer = ''] = process.argv.slice(2);
let faults = 0;
const log = new Log({ verbose: 2, logger: () => (faults += 1), disableLoggerBackend: false });
const cache = new VerbCache({ store: new FileStore(folder), log, countedParameters: 'all', mask: (text) => text });
const key = { verb: 'act', url: 'https://shop.example/mugs' } as const;

await cache.write({ ...key, instruction: writer }, writer);
for (let round = 0; round < ROUNDS; round += 1) {
  await cache.write({ ...key, instruction: 'shared' }, { writer, padding: 'x'.repeat(20_000) });
  const read = await cache.read({ ...key, instruction: 'shared' }, (content) => content as { padding: string });
  if (read?.padding.length !== 20_000) faults += 1;
}
process.exitCode = faults === 0 ? 0 : 1;
