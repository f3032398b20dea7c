import { extractAny } from '../extract/extract.ts';
import type { JsonSchema } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { isRecord } from '../util/is-record.ts';
import { missingVariables, unknownRef } from './act-on-element.ts';
import { list, optional, ref, text } from './fields.ts';
import { foundLines } from './found-lines.ts';
import { selectorOf } from './selector-of.ts';
import { type Tool, tool } from './tool.ts';

/** Searches the page text, including folded content. */
export const find: Tool = tool({
  name: 'find',
  description: 'words: the lines of the whole page that contain them.',
  kind: 'read',
  fields: { words: text() },
  run: async (context, { words }) => {
    const refusal = missingVariables(context, [words]);
    if (refusal) return refusal;
    const { page, progress, shown, variables } = context;
    const everything = { tokenBudget: Infinity, ...(shown && { earlier: shown }) };
    const snapshot = await takeSnapshot(progress, page.target, everything);
    const { text: lines, count } = foundLines(snapshot.text, variables.expand(words, 'driver'));
    if (count === 0)
      return { text: `No line of the page contains ${JSON.stringify(words)}. Search for fewer or other words.` };
    context.noteShown(snapshot);
    return {
      text: `${count === 1 ? 'One line contains' : `${count} lines contain`} these words:`,
      quoted: withAddresses(lines, { shown, snapshot }),
    };
  },
});

/** Adds the URLs of links that have no number in the last snapshot that the model received. */
function withAddresses(lines: string, { shown, snapshot }: Record<'shown' | 'snapshot', Snapshot | undefined>): string {
  const numbers = [...lines.matchAll(/ #(\d+)(?!\S)/g)].map(([, number]) => Number(number));
  const unknown = [...new Set(numbers)].filter((number) => number >= (shown?.urls.length ?? 0));
  return [lines, ...unknown.map((number) => `#${number} is ${snapshot?.urls[number] ?? ''}`)].join('\n');
}

export const expand: Tool = tool({
  name: 'expand',
  description: 'ref: expands "… 993 more (e80–e1072)", from that ref on.',
  kind: 'read',
  fields: { ref: ref() },
  run: (context, { ref: name }) => {
    if (!context.shown?.refs.has(name)) return Promise.resolve(unknownRef(name));
    context.expand(name);
    return Promise.resolve({ text: `The page is expanded from ${name} on.` });
  },
});

export const extract: Tool = tool({
  name: 'extract',
  description: 'instruction, fields: extracts much data, such as a long table, with another model.',
  kind: 'read',
  fields: {
    instruction: text(),
    fields: list(text()),
    ref: optional(ref()),
  },
  run: async (context, { instruction, fields, ref: name }) => {
    const { verbs, progress } = context;
    const part = name === undefined ? undefined : context.element(name);
    const selector = part && (await selectorOf(context, part));
    if (name !== undefined && selector === undefined) return unknownRef(name);
    const limits = { timeout: progress.remaining, signal: progress.signal };
    const question = { instruction, schema: listSchema(fields) };
    const data = await extractAny(verbs, question, { ...limits, ...(selector !== undefined && { selector }) });
    return { text: `${countIn(data)} read:`, quoted: JSON.stringify(data), data };
  },
});

function countIn(data: unknown): string {
  const { found } = isRecord(data) ? data : {};
  const count = Array.isArray(found) ? found.length : 0;
  return `${count} ${count === 1 ? 'entry' : 'entries'}`;
}

/** Schema for a list of objects with these string fields. */
function listSchema(fields: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]));
  const itemSchema = { type: 'object', properties, required: [...new Set(fields)], additionalProperties: false };
  return {
    type: 'object',
    properties: { found: { type: 'array', items: itemSchema } },
    required: ['found'],
    additionalProperties: false,
  };
}
