import { LLMResponseError } from '../../../errors.ts';
import type { ModelRequest } from '../../model-client.ts';
import type { PageIndex } from '../page/page-index.ts';
import { isGenericNoun, isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import { answerText } from './answer-text.ts';
import { type Field, readField } from './field.ts';
import { fillObject } from './fill.ts';
import type { Filling } from './filling.ts';
import { recordNamed } from './find-record.ts';
import { recordGroups } from './record-groups.ts';
import { Segment } from './segment.ts';

/** Answers `extract`: data of the request's schema, read off the page; throws when a required field is not there. */
export function answerExtract(
  page: PageIndex,
  { instruction, schema }: Pick<ModelRequest, 'instruction' | 'schema'>,
): unknown {
  const root = readField(schema, { name: '', isRequired: true, root: schema });
  const groups = recordGroups(page);
  const filling: Filling = {
    page,
    instruction,
    words: tellingWords(instruction),
    segment: new Segment(page, page.lines),
    isRecord: false,
    groups,
    missing: [],
  };
  if (isTextAnswer(root)) return { extraction: answerText(filling) };
  const meant = withInstruction(root, filling);
  return fillThing(meant, filling) ?? fillObject(meant, filling) ?? notFound(filling);
}

function isTextAnswer({ fields }: Field): boolean {
  return fields.length === 1 && fields[0]?.name === 'extraction' && fields[0].kind === 'text';
}

/** A field without a telling name means what the instruction says. */
function withInstruction(root: Field, { words }: Filling): Field {
  const named = (field: Field): Field =>
    field.stems.length === 0 && field.hints.length === 0 && field.kind !== 'object'
      ? { ...field, hints: words }
      : field;
  return { ...root, fields: root.fields.map(named) };
}

/** "the blue mug": an object of plain fields about one record. */
function fillThing(root: Field, filling: Filling): unknown {
  if (root.fields.some(({ kind }) => kind === 'list')) return undefined;
  const own = new Set(root.fields.flatMap(({ stems }) => stems));
  const record = recordNamed(
    filling.groups,
    filling.words.filter((word) => !own.has(word)),
  );
  return record && fillObject(root, { ...filling, segment: record, isRecord: true, missing: [] });
}

function notFound({ missing, instruction }: Filling): never {
  const names = [...new Set(missing)].join(', ') || 'the value';
  throw new LLMResponseError(
    `offline/lexical could not find ${names} on the page for ${JSON.stringify(instruction)}. It reads labelled values, tables and repeated structures; make the field optional, name it as the page does, or use another model.`,
  );
}

const ASKING_WORDS: ReadonlySet<string> = new Set([
  'extract',
  'collect',
  'return',
  'fetch',
  'grab',
  'scrape',
  'data',
  'information',
  'info',
  'details',
  'value',
  'values',
  'all',
  'each',
  'every',
  'first',
  'top',
  'last',
  'current',
  'number',
  'count',
]);

function tellingWords(instruction: string): readonly string[] {
  const words = wordsOf(instruction).filter(
    ({ text }) => !isStopWord(text) && !isWeakVerb(text) && !ASKING_WORDS.has(text) && !/^\d/.test(text),
  );
  const specific = words.filter(({ stem }) => !isGenericNoun(stem));
  return [...new Set((specific.length > 0 ? specific : words).map(({ stem }) => stem))];
}
