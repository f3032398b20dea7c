import { describe, expect, it } from 'vitest';
import { Conversation } from '../../src/agent/conversation.ts';
import { digestOf, readingResults } from '../../src/agent/digest.ts';
import { LoopDetector } from '../../src/agent/loop-detector.ts';
import { PartStream } from '../../src/agent/streaming-agent.ts';
import type { AgentAction, ModelMessage } from '../../src/index.ts';
import { readAll } from './steps-for-test.ts';

const RULES: readonly ModelMessage[] = [{ role: 'system', text: 'Rules', isStable: true }];
const TASK: ModelMessage = { role: 'user', text: 'Task: buy milk' };

/** The messages as a provider's cache compares them. */
function texts(conversation: Conversation): string[] {
  return conversation.messages.map(({ isStable: _isStable, ...message }) => JSON.stringify(message));
}

/** One step: an answer, its result, the page. */
function addStep(conversation: Conversation, page: string, isWhole = false): void {
  const calls = [{ id: 'a', tool: 'click', input: { ref: 'e1' } }];
  conversation.addAnswer({ text: '', calls, original: { signed: 'thoughts' } });
  conversation.addResults([{ id: 'a', tool: 'click', text: 'Done' }]);
  conversation.addPage({ text: page, isWhole });
}

describe('Conversation', () => {
  it('is append-only, and marks its rules and last message as stable', () => {
    const conversation = new Conversation(RULES, TASK);
    conversation.addPage({ text: 'The page', isWhole: true });
    let before = texts(conversation);
    for (let step = 0; step < 30; step += 1) {
      addStep(conversation, `change ${step}`);
      expect(texts(conversation).slice(0, before.length)).toEqual(before);
      before = texts(conversation);
      const marked = conversation.messages.flatMap(({ isStable }, index) => (isStable ? [index] : []));
      expect(marked).toEqual([0, before.length - 1]);
    }
  });

  it('removes earlier long pages when it adds the whole page again', () => {
    const conversation = new Conversation(RULES, TASK);
    conversation.addPage({ text: 'short', isWhole: true });
    addStep(conversation, 'short again', true);
    expect(texts(conversation).join('\n')).toContain('"short"');
    addStep(conversation, 'x'.repeat(9000));
    const frozen = texts(conversation).slice(0, 2);
    addStep(conversation, 'the new page', true);
    const told = texts(conversation).join('\n');
    expect(told).not.toContain('xxx');
    expect(told).not.toContain('"short"');
    expect(told).toContain('the new page');
    expect(texts(conversation).slice(0, 2)).toEqual(frozen);
  });

  it('continues earlier messages, and keeps a digest and the last step after compact()', () => {
    const earlier: ModelMessage[] = [
      { role: 'user', text: 'Task: before' },
      { role: 'assistant', text: 'ok', isStable: true },
    ];
    const conversation = new Conversation(RULES, TASK, earlier);
    expect(conversation.messages.map(({ text }) => text)).toEqual(['Rules', 'Task: before', 'ok', 'Task: buy milk']);
    addStep(conversation, 'x'.repeat(4000));
    expect(conversation.tokens).toBeGreaterThan(1000);
    conversation.compact('Your actions so far: nothing');
    expect(conversation.tokens).toBeLessThan(50);
    expect(conversation.history).toMatchObject([
      TASK,
      { role: 'user', text: 'Your actions so far: nothing' },
      { role: 'assistant', calls: [{ id: 'a' }] },
      { role: 'tool', results: [{ id: 'a' }] },
    ]);
  });

  it('returns reasoning unchanged until an earlier message is removed', () => {
    const thoughts = (conversation: Conversation): unknown[] =>
      conversation.messages.flatMap(({ original }) => (original === undefined ? [] : [original]));
    const conversation = new Conversation(RULES, TASK);
    addStep(conversation, 'x'.repeat(9000), true);
    addStep(conversation, 'short');
    expect(thoughts(conversation)).toEqual([{ signed: 'thoughts' }, { signed: 'thoughts' }]);
    addStep(conversation, 'the new page', true);
    expect(thoughts(conversation)).toEqual([]);
    addStep(conversation, 'a change');
    expect(thoughts(conversation)).toHaveLength(1);
    expect(thoughts(new Conversation(RULES, TASK, conversation.history))).toEqual([]);
    conversation.compact('Your actions so far');
    expect(thoughts(conversation)).toEqual([]);
  });

  it('adds an error result for each unanswered call in finish()', () => {
    const conversation = new Conversation(RULES, TASK);
    addStep(conversation, 'a page');
    const { length } = conversation.history;
    conversation.finish([]);
    expect(conversation.history).toHaveLength(length);
    const calls = ['b', 'c'].map((id) => ({ id, tool: 'click', input: {} }));
    conversation.addAnswer({ text: '', calls, original: undefined });
    conversation.finish([{ id: 'b', tool: 'click', text: 'Done' }]);
    expect(conversation.history.at(-1)?.results).toMatchObject([{ text: 'Done' }, { id: 'c', isError: true }]);
  });
});

function action(step: number, parts: Partial<AgentAction>): AgentAction {
  const nothing = {
    tool: 'click',
    input: { ref: 'e1' },
    result: 'Done',
    success: true,
    url: 'about:blank',
    timestamp: '',
  };
  return { ...nothing, step, ...parts };
}

describe('digest of a run', () => {
  const actions = [
    action(1, { result: `Done: click on button "Save".\n${'y'.repeat(500)}` }),
    action(2, { tool: 'extract', input: {}, result: `[${'1,'.repeat(300)}]` }),
    action(3, { tool: 'find', success: false, result: 'no' }),
  ];

  it('has one line per action, and more characters of extracted data', () => {
    const lines = digestOf({ earlier: [], actions, mostCharacters: 10_000 }).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^step 1: click \{"ref":"e1"\} → Done: click on button "Save"\. y+…$/);
    expect(lines[1]).toContain('1,]');
  });

  it('omits the first actions of a run that exceeds `mostCharacters`', () => {
    expect(digestOf({ earlier: [], actions, mostCharacters: 40 })).toBe('… 2 earlier\nstep 3: find {"ref":"e1"} → no');
  });

  it('contains only extracted data in readingResults()', () => {
    expect(readingResults(actions)).toMatch(/^\[1,1/);
    expect(readingResults([])).toBe('');
    expect(readingResults([action(1, { tool: 'stock', result: 'stock returned:\n12' })])).toBe('stock returned: 12');
  });
});

describe('LoopDetector', () => {
  it('warns after 3 repetitions, asks for a new plan after 5, and stops the run after 7', () => {
    const loops = new LoopDetector();
    const kinds = Array.from({ length: 7 }, () => loops.note('click e1', 'page'));
    expect(kinds.map(({ kind }) => kind)).toEqual(['go-on', 'go-on', 'tell', 'tell', 'tell', 'tell', 'stop']);
    expect(kinds[2]).toMatchObject({ text: expect.stringContaining('Try something else') });
    expect(kinds[4]).toMatchObject({ text: expect.stringContaining('Make a new plan') });
  });

  it('detects a cycle of two calls, but no loop while the page changes', () => {
    const turns = new LoopDetector();
    const kinds = Array.from({ length: 6 }, (_, index) => turns.note(`click e${index % 2}`, 'page').kind);
    expect(kinds).toEqual(['go-on', 'go-on', 'go-on', 'go-on', 'tell', 'tell']);
    const changing = new LoopDetector();
    for (let index = 0; index < 30; index += 1) expect(changing.note('click next', `page ${index}`).kind).toBe('go-on');
  });
});

describe('PartStream', () => {
  it('yields all parts to live and late readers', async () => {
    const parts = new PartStream();
    const early = readAll(parts.all());
    parts.add({ type: 'step-start', step: 1 });
    parts.add({ type: 'text', step: 1, text: 'Hel' });
    const words = readAll(parts.texts());
    await Promise.resolve();
    parts.add({ type: 'text', step: 1, text: 'lo' });
    parts.end();
    expect((await early).map(({ type }) => type)).toEqual(['step-start', 'text', 'text']);
    expect((await words).join('')).toBe('Hello');
    expect(await readAll(parts.all())).toHaveLength(3);
  });

  it('yields all earlier parts before it throws the error of the run', async () => {
    const parts = new PartStream();
    parts.add({ type: 'text', step: 1, text: 'Hello' });
    parts.fail(new RangeError('gone'));
    const read: string[] = [];
    const reading = (async () => {
      for await (const text of parts.texts()) read.push(text);
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(read).toEqual(['Hello']);
  });
});
