import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MissingLLMConfigurationError } from '../../src/errors.ts';
import { readSchema } from '../../src/extract/schema.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import { modelRequest } from './model-request.ts';

/** A package of the AI SDK's form, whose models answer with the settings that its factory got. */
const PROVIDER = `
export function createSomethingElse() { return undefined; }
export function createHomeGrown({ apiKey = process.env.HOME_GROWN_API_KEY, ...settings }) {
  const doGenerate = async ({ responseFormat }) => {
    if (!apiKey) {
      const error = new Error('Home Grown API key is missing. Set HOME_GROWN_API_KEY.');
      throw Object.assign(error, { [Symbol.for('vercel.ai.error')]: true, [Symbol.for('vercel.ai.error.AI_LoadAPIKeyError')]: true });
    }
    return {
      content: [{ type: 'text', text: JSON.stringify({ apiKey, settings, schemaName: responseFormat.name }) }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
      warnings: [],
    };
  };
  return { languageModel: (modelId) => ({ specificationVersion: 'v4', provider: 'home-grown', modelId, supportedUrls: {}, doGenerate }) };
}`;

const CONVERTER = `
export function toJsonSchema(schema, { typeMode }) {
  return { type: 'string', description: schema.about + ' by ' + typeMode };
}`;

describe('packages of the project', () => {
  const workingDirectory = process.cwd();
  let project: string;

  beforeEach(async () => {
    project = await realpath(await mkdtemp(join(tmpdir(), 'project-')));
    await addPackage('@ai-sdk/home-grown', PROVIDER);
    await addPackage('@valibot/to-json-schema', CONVERTER);
    process.chdir(project);
  });
  afterEach(async () => {
    process.chdir(workingDirectory);
    await rm(project, { recursive: true });
  });

  async function addPackage(name: string, source: string): Promise<void> {
    const folder = join(project, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name, type: 'module', exports: { default: './index.js' } }),
    );
    await writeFile(join(folder, 'index.js'), source);
  }

  test('loads a provider package by the name in the model string', async () => {
    const client = await resolveModel({ modelName: 'home-grown/large', apiKey: 'k', region: 'eu' }, {});
    const { output, usage } = await client.generate(modelRequest());
    expect(output).toEqual({ apiKey: 'k', settings: { region: 'eu' }, schemaName: 'choice' });
    expect(usage).toEqual({ promptTokens: 3, completionTokens: 2, reasoningTokens: 0, cachedInputTokens: 0 });
  });

  test('reports a missing API key with the message of the provider package', async () => {
    const client = await resolveModel('home-grown/large', {});
    const answer = client.generate(modelRequest());
    await expect(answer).rejects.toThrow(MissingLLMConfigurationError);
    await expect(answer).rejects.toThrow('home-grown/large: Home Grown API key is missing. Set HOME_GROWN_API_KEY.');
  });

  test('converts a Valibot schema with `@valibot/to-json-schema`', async () => {
    const schema: StandardSchemaV1 & { about: string } = {
      about: 'a name',
      '~standard': { version: 1, vendor: 'valibot', validate: (value) => ({ value }) },
    };
    expect((await readSchema(schema)).jsonSchema).toEqual({ type: 'string', description: 'a name by input' });
  });
});
