import { describe, expect, test } from 'vitest';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { ask, line } from './ask-model.ts';

/** Years, people under the heading of their state, and a footer. */
const SITE: readonly SnapshotNode[] = [
  line('heading', 'Our story', [], 1),
  line('heading', 'Online', [], 4),
  line('text', 'Ada Byron'),
  line('heading', 'Offline', [], 4),
  line('text', 'Bob Stone'),
  line('heading', '2009-2011', [], 4),
  line('text', 'The first years'),
  line('heading', 'Get in touch', [], 4),
  line('contentinfo', 'Copyright 2023 - Company Name'),
];
const CODE = [line('text', 'setup({ speed: 300, cursor: true });')];
const SKINS = [line('text', 'iCheck skins: 6')];

describe('extract', () => {
  test.each([
    ['a fragment of code', 'the setup speed', 'speed', CODE],
    ['a label without the name of the field', 'the version of iCheck', 'version', SKINS],
    ['a span of years for a telephone number', 'the phone number', 'phone', SITE],
    ['a heading over the footer', 'the name of the company', 'name', SITE],
    ['the words of the question', 'who is offline', 'name', SITE],
  ])('does not answer with %s', async (_what, instruction, field, nodes) => {
    const schema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] };
    await expect(ask('extract', instruction, { nodes, schema })).rejects.toMatchObject({ code: 'EXTRACT' });
  });
});
