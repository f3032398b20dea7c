import MiniSearch from 'minisearch';
import { LLMResponseError } from '../../../errors.ts';
import { isGenericNoun, isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { similarity } from '../text/concepts.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import { fillList } from './fill.ts';
import type { Filling } from './filling.ts';
import { readFilter } from './filters.ts';
import { findValue } from './find-value.ts';
import { recordNamed } from './find-record.ts';
import { readField } from './field.ts';
import type { Fact, Segment } from './segment.ts';

const ASKING =
  /^(?:please\s+)?(?:(?:what|which|who|when|where|how (?:much|many|long|old|far))(?:'s| is| are| was| were| does| do)?|extract|get|read|find|return|give me|tell me|show|list|fetch|grab|collect)\s+(?:me\s+)?/i;
const LEAST_COVERAGE = 0.6;
const SAME_WORD = 0.8;

/** Answers an instruction without a schema: the value or the text that it asks for. */
export function answerText(filling: Filling): string {
  readFilter(filling.instruction, []);
  const asked = filling.instruction.replace(ASKING, '').replace(/[?.!]+$/, '');
  const answer =
    listAnswer(asked, filling) ??
    pagePart(asked, filling) ??
    attributeOfThing(asked, filling) ??
    labelledValue(asked, filling) ??
    closestText(asked, filling);
  if (answer === undefined)
    throw new LLMResponseError(
      `offline/lexical found nothing on the page that answers ${JSON.stringify(filling.instruction)}.`,
    );
  return answer;
}

/** "all product names": one per line. */
function listAnswer(asked: string, filling: Filling): string | undefined {
  const [, what] = /^(?:(?:a )?list of )?(?:all|every|each)(?: of)?(?: the)? (.+)$/i.exec(asked) ?? [];
  if (what === undefined) return undefined;
  const name = what.split(/\b(?:of|in|on|from|for|with)\b/)[0] ?? what;
  const field = readField(
    { type: 'array', items: { type: 'string' } },
    { name: name.trim(), isRequired: true, root: {} },
  );
  return fillList(field, filling)?.join('\n');
}

const TITLE = /^(?:the )?(?:page(?:'s)? title|title of (?:the|this) page)$/i;
const HEADING =
  /^(?:the )?(?:main |page |top )?(?:heading|headline|h1)(?: of (?:the|this) page| on (?:the|this) page)?$/i;
const NOTICE = /\b(?:error|warning|success|alert|status|confirmation|notification)\b.*\b(?:message|text|notice)?\b/i;
const NOTICE_ROLES: ReadonlySet<string> = new Set(['alert', 'status']);

/** Parts that every page has. */
function pagePart(asked: string, { page, segment }: Filling): string | undefined {
  if (TITLE.test(asked)) return page.title;
  const textOf = (isWanted: (role: string, level: number) => boolean): string | undefined => {
    const line = segment.lines.find(({ node }) => isWanted(node.role, node.level ?? 1));
    return line && page.textOf(line);
  };
  if (HEADING.test(asked))
    return textOf((role, level) => role === 'heading' && level === 1) ?? textOf((role) => role === 'heading');
  return NOTICE.test(asked) ? textOf((role) => NOTICE_ROLES.has(role)) || undefined : undefined;
}

/** "the price of the blue mug": the first part is a field, the second a record. */
function attributeOfThing(asked: string, filling: Filling): string | undefined {
  for (const [attribute, thing] of splits(asked)) {
    const record = recordNamed(filling.groups, tellingWords(thing));
    if (!record) continue;
    const field = readField({ type: 'string' }, { name: attribute, isRequired: true, root: {} });
    const value = findValue(field, record);
    if (value !== undefined) return String(value);
  }
  return undefined;
}

function splits(asked: string): readonly (readonly [string, string])[] {
  const of = /^(?<attribute>.+?) (?:of|for|from|does|about|did|in) (?<thing>.+?)(?: costs?| have| has)?$/i.exec(
    asked,
  )?.groups;
  const owner = /^(?:the )?(?<thing>.+?)['’]s (?<attribute>.+)$/i.exec(asked)?.groups;
  const cost = /^(?:does )?(?<thing>.+?) costs?$/i.exec(asked)?.groups;
  return [
    ...(of?.attribute && of.thing ? [[of.attribute, of.thing] as const] : []),
    ...(owner?.attribute && owner.thing ? [[owner.attribute, owner.thing] as const] : []),
    ...(cost?.thing ? [['price', cost.thing] as const] : []),
  ];
}

/** A labelled value whose label and surroundings have all that was asked. */
function labelledValue(asked: string, { segment }: Filling): string | undefined {
  const words = tellingWords(asked);
  const scored = segment.facts.map((fact) => ({ fact, score: labelScore(fact, words) }));
  const [best, rival] = scored.toSorted((left, right) => right.score - left.score);
  return best && best.score >= LEAST_COVERAGE && (rival?.score ?? 0) < best.score ? best.fact.text : undefined;
}

function labelScore({ label, line, certainty }: Fact, words: readonly string[]): number {
  const own = stemsOf(label);
  const heading = line.heading ? [...line.heading.words.keys()] : [];
  if (!words.some((word) => isIn(own, word))) return 0;
  const found = words.filter((word) => isIn(own, word) || isIn(heading, word)).length / words.length;
  const said = own.filter((stem) => isIn(words, stem)).length / own.length;
  return (found * 0.7 + said * 0.3) * certainty;
}

function isIn(stems: readonly string[], word: string): boolean {
  return stems.some((stem) => similarity(word, stem) >= SAME_WORD);
}

/** The text that has most of what was asked. */
function closestText(asked: string, { segment }: Filling): string | undefined {
  const words = tellingWords(asked);
  if (words.length === 0) return undefined;
  const index = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    tokenize: (text) => [...stemsOf(text)],
    processTerm: (term) => term,
  });
  index.addAll(segment.texts.map(({ text }, id) => ({ id, text })));
  const [best] = index.search(asked, { tokenize: () => [...words], prefix: (term) => term.length >= 5 });
  if (!best || best.queryTerms.length / words.length < LEAST_COVERAGE) return undefined;
  return textAt(segment, Number(best.id));
}

function textAt({ texts }: Segment, position: number): string | undefined {
  return texts[position]?.text;
}

function tellingWords(text: string): readonly string[] {
  const words = wordsOf(text).filter((word) => !isStopWord(word.text) && !isWeakVerb(word.text));
  const specific = words.filter(({ stem }) => !isGenericNoun(stem));
  return (specific.length > 0 ? specific : words).map(({ stem }) => stem);
}
