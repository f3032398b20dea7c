import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InferenceFile } from '../../src/driver/inference-file.ts';
import { LLMResponseError } from '../../src/errors.ts';
import { NO_USAGE } from '../../src/model/model-usage.ts';
import { Log, type LogLine } from '../../src/util/log.ts';
import { ValueMask } from '../../src/util/value-mask.ts';
import type { InferenceRecord } from '../../src/model/model-service.ts';
import { modelRequest } from './model-request.ts';

let parent: string;
let lines: LogLine[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'inference-'));
  lines = [];
});
afterEach(() => rm(parent, { recursive: true }));

function fileIn(folder: string): InferenceFile {
  const mask = new ValueMask();
  mask.learn('word', 'the mug');
  const log = new Log({ verbose: 1, logger: (line) => void lines.push(line), disableLoggerBackend: false });
  return new InferenceFile({ log, mask, folder });
}

function recordOf(outcome: Pick<InferenceRecord, 'output' | 'error'>): InferenceRecord {
  const request = modelRequest();
  return { verb: 'act', modelName: 'a/b', usage: NO_USAGE, milliseconds: 1.6, request, ...outcome };
}

test('writes one masked JSON line per request to a file that only the user can read', async () => {
  const file = fileIn(join(parent, 'deep', 'inside'));
  file.write(recordOf({ output: { ref: 'the mug' } }));
  file.write(recordOf({ output: undefined, error: new LLMResponseError('no the mug') }));
  const [first, second] = (await readFile(file.path, 'utf8')).trimEnd().split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({ model: 'a/b', milliseconds: 2, output: { ref: '%word%' } });
  expect(JSON.parse(second ?? '')).toMatchObject({ error: { code: 'LLM_RESPONSE', message: 'no %word%' } });
  expect(first).toContain('add %word%');
  expect((await stat(file.path)).mode & 0o077).toBe(0);
});

test('logs once that the inference log cannot be written, and does not throw', async () => {
  const occupied = join(parent, 'occupied');
  await writeFile(occupied, '');
  const file = fileIn(occupied);
  file.write(recordOf({ output: 1 }));
  file.write(recordOf({ output: 2 }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ category: 'model', level: 0 });
  expect(lines[0]?.message).toMatch(/^Cannot write the inference log .*occupied.*: /);
});
