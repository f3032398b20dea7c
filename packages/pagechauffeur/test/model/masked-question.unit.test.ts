import { describe, expect, test } from 'vitest';
import type { AnswerRules } from '../../src/model/generate-checked.ts';
import { shownRefs } from '../../src/model/page-view.ts';
import { ScriptedModel } from '../../src/model/scripted-model.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { modelServiceForTest } from './model-service-for-test.ts';
import { modelRequest } from './model-request.ts';

/** A question about a page that shows these words in its address, title, text and tree. */
function pageWith(words: string, instruction = 'who is it?'): ModelRequest {
  return modelRequest({
    instruction,
    page: {
      url: `http://127.0.0.1/?q=${words}`,
      title: words,
      text: `- ${words}`,
      nodes: [
        {
          role: 'combobox',
          name: words,
          ref: 'e4',
          states: [],
          value: words,
          placeholder: words,
          description: words,
          url: `http://127.0.0.1/${words}`,
          options: [words, 'other'],
          children: [{ role: 'text', name: words, states: [], children: [] }],
        },
      ],
    },
    messages: [
      { role: 'system', text: 'You choose elements.' },
      { role: 'user', text: `- ${words}` },
      { role: 'user', text: instruction },
    ],
  });
}

/** The shape `{ is }` of a text. */
const SHAPE = { type: 'object', properties: { is: { type: 'string' } }, required: ['is'] };

async function answerWith(
  answer: unknown,
  { values, page, schema = SHAPE }: { values: Record<string, string>; page: ModelRequest; schema?: object },
): Promise<{ asked: ModelRequest | undefined; value: unknown }> {
  const modelService = modelServiceForTest();
  for (const [name, value] of Object.entries(values)) modelService.mask.learn(name, value);
  const model = new ScriptedModel(() => answer);
  const rules: AnswerRules<unknown> = { check: (value) => ({ value }) };
  const value = await modelService.ask(model, { ...page, schema: { ...schema } }, { rules, restoresValues: true });
  return { asked: model.requests[0], value };
}

test('masks values that a page shows in URL, title, text, tree and messages', async () => {
  const { asked } = await answerWith({ is: '' }, { values: { user: 'alice-one' }, page: pageWith('Hello alice-one!') });
  expect(asked?.page.nodes[0]?.options).toEqual(['Hello %user%!', 'other']);
  expect(shownRefs(asked?.page ?? { nodes: [] })).toEqual(new Set(['e4']));
  expect(JSON.stringify(asked)).not.toContain('alice-one');
  expect(JSON.stringify([asked?.page, asked?.messages]).match(/%user%/g)).toHaveLength(11);
});

test('masks the value in the description of a variable', async () => {
  const variables = [{ name: 'user', description: 'not alice-one, but her login' }, { name: 'other' }];
  const page = { ...pageWith('nobody'), variables };
  const { asked } = await answerWith({ is: '' }, { values: { user: 'alice-one' }, page });
  expect(asked?.variables).toEqual([{ name: 'user', description: 'not %user%, but her login' }, { name: 'other' }]);
});

test('keeps a value that the instruction names', async () => {
  const page = pageWith('alice-one', 'is it alice-one?');
  const { asked } = await answerWith({ is: '' }, { values: { user: 'alice-one', pin: '471100' }, page });
  expect(asked?.page.text).toBe('- alice-one');
});

describe('answer with `restoresValues`', () => {
  test('replaces placeholders with the values that the page shows', async () => {
    const page = pageWith('alice-one');
    const { value } = await answerWith({ is: 'it is %user%.' }, { values: { user: 'alice-one' }, page });
    expect(value).toEqual({ is: 'it is alice-one.' });
  });

  test('restores each of two values of one variable', async () => {
    const modelService = modelServiceForTest();
    for (const value of ['alice-one', 'bob-two']) modelService.mask.learn('user', value);
    const model = new ScriptedModel(() => ['%user%', '%user-2%']);
    const page = pageWith('alice-one and bob-two');
    const schema = { type: 'array', items: { type: 'string' } };
    expect(await modelService.ask(model, { ...page, schema }, { restoresValues: true })).toEqual([
      'bob-two',
      'alice-one',
    ]);
  });

  test('keeps a placeholder that the page itself contains', async () => {
    const page = pageWith('alice-one %user%');
    const { value } = await answerWith({ is: '%user%' }, { values: { user: 'alice-one' }, page });
    expect(value).toEqual({ is: '%user%' });
  });

  test('keeps the placeholder of a value that the page does not show', async () => {
    const { value } = await answerWith({ is: '%user%' }, { values: { user: 'alice-one' }, page: pageWith('nobody') });
    expect(value).toEqual({ is: '%user%' });
  });

  test('restores numbers in number fields and strings in string fields', async () => {
    const schema = {
      type: 'object',
      properties: { amount: { type: 'number' }, code: { type: 'string' } },
      required: ['amount', 'code'],
    };
    const values = { amount: '1500.5' };
    const answer = { amount: '%amount% as a number', code: '%amount%' };
    const { value, asked } = await answerWith(answer, { values, page: pageWith('1500.5'), schema });
    expect(value).toEqual({ amount: 1500.5, code: '1500.5' });
    expect(asked?.schema['properties']).toMatchObject({
      amount: { anyOf: [{ type: 'number' }, { enum: ['%amount% as a number'] }] },
      code: { type: 'string' },
    });
  });
});

test('keeps placeholders in an answer without `restoresValues`', async () => {
  const modelService = modelServiceForTest();
  modelService.mask.learn('user', 'alice-one');
  const model = new ScriptedModel(() => ({ is: '%user%' }));
  expect(await modelService.ask(model, { ...pageWith('alice-one'), schema: SHAPE })).toEqual({ is: '%user%' });
});
