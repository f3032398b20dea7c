import { describe, expect, it } from 'vitest';
import { grouped, toolNames, ungrouped } from '../../src/model/tool-groups.ts';
import { describeTools } from '../../src/tools/describe-tools.ts';
import { POINT_TOOLS, TOOLS } from '../../src/tools/table.ts';

/** A call of a tool by its own name, and as a model makes it. */
const CALLS: readonly (readonly [string, object, string, object])[] = [
  ['click', { ref: 'e1' }, 'act', { action: 'click', ref: 'e1' }],
  ['click', { ref: 'e1', twice: true }, 'act', { action: 'doubleClick', ref: 'e1' }],
  ['click', { ref: 'e1', button: 'right' }, 'act', { action: 'rightClick', ref: 'e1' }],
  ['click', { ref: 'e1', button: 'middle' }, 'act', { action: 'click', ref: 'e1', button: 'middle' }],
  ['fill', { ref: 'e1', text: 'Ada', submit: true }, 'act', { action: 'fill', ref: 'e1', text: 'Ada', submit: true }],
  ['check', { ref: 'e1' }, 'act', { action: 'check', ref: 'e1' }],
  ['check', { ref: 'e1', on: false }, 'act', { action: 'uncheck', ref: 'e1' }],
  ['press', { keys: 'Enter' }, 'act', { action: 'press', keys: 'Enter' }],
  ['scroll', { to: 'down' }, 'act', { action: 'scroll', to: 'down' }],
  ['back', {}, 'act', { action: 'back' }],
  ['clickAt', { x: 0, y: 4 }, 'act', { action: 'click', x: 0, y: 4 }],
  ['typeAt', { x: 1, y: 4, text: 'a', replace: true }, 'act', { action: 'fill', x: 1, y: 4, text: 'a' }],
  ['typeAt', { x: 1, y: 4, text: 'a' }, 'act', { action: 'type', x: 1, y: 4, text: 'a' }],
  ['find', { words: 'Total' }, 'read', { words: 'Total' }],
  ['expand', { ref: 'e80' }, 'read', { ref: 'e80' }],
  [
    'extract',
    { instruction: 'rows', fields: ['a'], ref: 'e1' },
    'read',
    { instruction: 'rows', fields: ['a'], ref: 'e1' },
  ],
  ['zoom', { ref: 'e1' }, 'screenshot', { ref: 'e1' }],
  ['screenshot', { whole: true }, 'screenshot', { whole: true }],
  ['navigate', { url: '#3' }, 'navigate', { url: '#3' }],
  ['weather', { action: 'click' }, 'weather', { action: 'click' }],
];

describe('grouped tool calls', () => {
  it.each(CALLS)('converts %s %j to its group and back', (tool, input, group, called) => {
    expect(ungrouped({ tool: group, input: called })).toEqual({ tool, input });
    expect(grouped({ tool, input })).toEqual({ tool: group, input: called });
  });

  it.each([
    ['an unknown action', { tool: 'act', input: { action: 'smash', ref: 'e1' } }],
    ['no action', { tool: 'act', input: { ref: 'e1' } }],
    ['a string as input', { tool: 'act', input: 'click e1' }],
    ['an `Object.prototype` property as tool name', { tool: 'constructor', input: { action: 'click' } }],
  ])('leaves a call with %s unchanged', (_what, call) => {
    expect(ungrouped(call)).toEqual(call);
  });

  it('ignores empty fields when choosing the tool', () => {
    expect(ungrouped({ tool: 'read', input: { words: 'Total', ref: '' } }).tool).toBe('find');
    expect(ungrouped({ tool: 'act', input: { action: 'click', ref: 'e1', x: null, y: null } }).tool).toBe('click');
  });

  it('`toolNames()` returns every described tool', () => {
    const tools = [...TOOLS, ...POINT_TOOLS];
    expect([...toolNames(describeTools(tools))].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('`toolNames()` omits tools that are not described', () => {
    const names = toolNames(describeTools(TOOLS.filter(({ name }) => name !== 'back' && name !== 'check')));
    expect(names).not.toContain('back');
    expect(names).not.toContain('check');
    expect(names).not.toContain('clickAt');
    expect(names).toContain('find');
  });
});
