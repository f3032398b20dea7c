import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DriverInvalidArgumentError, LLMResponseError } from '../../src/errors.ts';
import type { ModelPageView, ModelRequest } from '../../src/model/model-client.ts';
import { RecordingModel, refOf, ScriptedModel } from '../../src/testing.ts';
import { modelRequest } from './model-request.ts';

describe('ScriptedModel', () => {
  test('answers from its list in order and records the requests', async () => {
    const model = new ScriptedModel([
      { ref: 'e4' },
      (request: ModelRequest) => ({ ref: refOf(request, { role: 'link', name: 'help' }) }),
    ]);
    const first = await model.generate(modelRequest());
    const second = await model.generate(modelRequest({ instruction: 'open help' }));
    expect([first.output, second.output]).toEqual([{ ref: 'e4' }, { ref: 'e5' }]);
    expect(model.requests.map(({ instruction }) => instruction)).toEqual(['add the mug', 'open help']);
  });

  test('answers from a function, with the given usage', async () => {
    const model = new ScriptedModel(({ instruction }) => instruction.length, { usage: { promptTokens: 7 } });
    expect(await model.generate(modelRequest())).toEqual({
      output: 11,
      usage: { promptTokens: 7, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 },
    });
  });

  test('throws an error from its list', async () => {
    const model = new ScriptedModel([new LLMResponseError('the provider is down')]);
    await expect(model.generate(modelRequest())).rejects.toThrow('the provider is down');
  });

  test('throws when its list is used up', async () => {
    const model = new ScriptedModel([]);
    await expect(model.generate(modelRequest())).rejects.toThrow(
      'the script has 0 responses, and this is request 1: act "add the mug" on http://127.0.0.1:8080/shop.',
    );
  });

  test('throws for a ref that is not on the page, unless `allowUnknownRefs` is set', async () => {
    const answer = { action: { ref: 'e99' }, candidates: ['e4', 'f1e2'] };
    const strict = new ScriptedModel([answer]);
    await expect(strict.generate(modelRequest())).rejects.toThrow(
      'has refs that are not on the page: e99, f1e2. Lines of the page: e4 button "Add to cart", e5 link "Help".',
    );
    const lenient = new ScriptedModel([answer], { allowUnknownRefs: true });
    expect((await lenient.generate(modelRequest())).output).toBe(answer);
  });
});

describe('refOf()', () => {
  const nested: ModelPageView = {
    ...modelRequest().page,
    nodes: [
      {
        role: 'list',
        name: '',
        states: [],
        children: [
          { role: 'button', name: 'Save draft', ref: 'e1', states: [], children: [] },
          { role: 'button', name: 'Save', ref: 'e2', states: [], children: [] },
          { role: 'text', name: 'Save now', states: [], children: [] },
        ],
      },
    ],
  };

  test('prefers a full name match to a partial one, at any depth', () => {
    expect(refOf({ page: nested }, { name: 'save' })).toBe('e2');
    expect(refOf({ page: nested }, { name: 'draft' })).toBe('e1');
    expect(refOf({ page: nested }, { role: 'button', name: /^Save/ })).toBe('e1');
  });

  test('throws with the lines of the page when nothing matches', () => {
    expect(() => refOf({ page: nested }, { role: 'link', name: 'Save' })).toThrow(DriverInvalidArgumentError);
    expect(() => refOf({ page: nested }, { role: 'link', name: 'Save' })).toThrow(
      'no line on the page matches link Save. Lines of the page: e1 button "Save draft", e2 button "Save".',
    );
  });
});

describe('RecordingModel', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    path = join(folder, 'deep', 'shop.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('replays a recorded answer without a model, with zero usage', async () => {
    const model = new ScriptedModel([{ ref: 'e4', note: 'e4 is it' }], { usage: { promptTokens: 9 } });
    const recorded = await new RecordingModel({ path, mode: 'record', model }).generate(modelRequest());
    const replayed = await new RecordingModel({ path }).generate(modelRequest());
    expect(replayed.output).toEqual(recorded.output);
    expect([recorded.usage.promptTokens, replayed.usage.promptTokens]).toEqual([9, 0]);
    expect(model.requests).toHaveLength(1);
  });

  test('replays on another port, with other refs and another prompt wording', async () => {
    const model = new ScriptedModel([{ action: { ref: 'e5' }, candidates: ['e4', 'e5'] }]);
    await new RecordingModel({ path, mode: 'record', model }).generate(modelRequest());
    const page: ModelPageView = {
      url: 'http://127.0.0.1:9999/shop',
      title: 'Shop',
      text: 'button "Add to cart" e40\nlink "Help" e51',
      nodes: [
        { role: 'button', name: 'Add to cart', ref: 'e40', states: [], children: [] },
        { role: 'link', name: 'Help', ref: 'e51', states: [], children: [] },
      ],
    };
    const messages = [
      { role: 'system', text: 'Choose well.' },
      { role: 'user', text: page.text },
    ] as const;
    const replayed = await new RecordingModel({ path }).generate(modelRequest({ page, messages }));
    expect(replayed.output).toEqual({ action: { ref: 'e51' }, candidates: ['e40', 'e51'] });
  });

  test('matches conversation steps by calls and results, not by call ids or boundaries', async () => {
    const step = (boundary: string, result: string): Partial<ModelRequest> => {
      const call = { id: `call-${boundary}`, tool: 'click', input: { ref: 'e4' } };
      const told = { id: call.id, tool: 'click', text: result };
      return {
        verb: 'agent',
        messages: [
          { role: 'user', text: 'Task: add the mug' },
          { role: 'assistant', text: '', calls: [call] },
          { role: 'tool', text: '', results: [told] },
          { role: 'user', text: `page-${boundary}\n* status "Added"\npage-${boundary}` },
        ],
      };
    };
    const model = new ScriptedModel([{ text: '', calls: [] }]);
    const first = modelRequest(step('01234567890123456789', 'Done.'));
    await new RecordingModel({ path, mode: 'record', model }).generate(first);
    const again = modelRequest(step('98765432109876543210', 'Done.'));
    expect((await new RecordingModel({ path }).generate(again)).output).toEqual({ text: '', calls: [] });
    const other = modelRequest(step('98765432109876543210', 'It failed.'));
    await expect(new RecordingModel({ path }).generate(other)).rejects.toThrow(LLMResponseError);
  });

  test.each<[string, Partial<ModelRequest>]>([
    ['instruction', { instruction: 'remove the mug' }],
    ['verb', { verb: 'observe' }],
    ['schema', { schema: { type: 'object' } }],
    ['variables', { variables: [{ name: 'password' }] }],
    ['page', { page: { ...modelRequest().page, title: 'Sold out' } }],
    [
      'turn',
      { messages: [...modelRequest().messages, { role: 'assistant', text: '{}' }, { role: 'user', text: 'no' }] },
    ],
  ])('rejects a request with another %s than the recorded one', async (_name, changes) => {
    const model = new ScriptedModel([{ ref: 'e4' }]);
    await new RecordingModel({ path, mode: 'record', model }).generate(modelRequest());
    const replayed = new RecordingModel({ path }).generate(modelRequest(changes));
    await expect(replayed).rejects.toThrow(/has no response for .*Run once with a model and the mode 'record'/);
  });

  test('requests only missing answers in `extend` mode, and all in `record` mode', async () => {
    const model = new ScriptedModel(['one', 'two', 'three'].map((note) => ({ note })));
    await new RecordingModel({ path, mode: 'record', model }).generate(modelRequest());
    const extending = new RecordingModel({ path, mode: 'extend', model });
    expect((await extending.generate(modelRequest())).output).toEqual({ note: 'one' });
    expect((await extending.generate(modelRequest({ instruction: 'other' }))).output).toEqual({ note: 'two' });
    await new RecordingModel({ path, mode: 'record', model }).generate(modelRequest());
    expect((await new RecordingModel({ path }).generate(modelRequest())).output).toEqual({ note: 'three' });
  });

  test('stores the answers of 20 concurrent requests, sorted by key, in one file', async () => {
    const model = new ScriptedModel(({ instruction }) => ({ note: instruction }));
    const recording = new RecordingModel({ path, mode: 'record', model });
    const instructions = Array.from({ length: 20 }, (_, index) => `question ${index}`);
    await Promise.all(instructions.map((instruction) => recording.generate(modelRequest({ instruction }))));
    const { version, recordings } = JSON.parse(await readFile(path, 'utf8'));
    expect(version).toBe(1);
    expect(Object.keys(recordings)).toEqual(Object.keys(recordings).toSorted());
    expect(Object.values(recordings)).toContainEqual({
      verb: 'act',
      instruction: 'question 7',
      page: 'Shop',
      output: { note: 'question 7' },
    });
    expect(Object.keys(recordings)).toHaveLength(20);
    expect(await readdir(join(folder, 'deep'))).toEqual(['shop.json']);
  });

  test('rejects a file that is not a recording, and leaves it unchanged', async () => {
    const own = join(folder, 'notes.json');
    await writeFile(own, '["mine"]');
    const recording = new RecordingModel({ path: own, mode: 'record', model: new ScriptedModel([{ ref: 'e4' }]) });
    await expect(recording.generate(modelRequest())).rejects.toThrow(/not a recording file/);
    expect(await readFile(own, 'utf8')).toBe('["mine"]');
  });
});
