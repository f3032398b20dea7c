import { readFirstClause } from '../grammar/first-clause.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import {
  requestByRules,
  BROWSER_RULES,
  type ClauseRule,
  FIELD_RULES,
  type Parts,
  READING_RULES,
  rule,
} from './clause-rules.ts';
import type { ClauseRequest, Clause } from './clause.ts';
import { readClaim } from './read-claim.ts';

/** Parses a clause. If no rule matches, it is one action on the page. */
export function readClause(words: string): Clause {
  const masked = new MaskedText(words);
  const { clause, rest } = readFirstClause(masked.text);
  const asked = requestByRules(RULES, clause, masked);
  if (asked && rest !== '') return { words, asked: { kind: 'unread', rest: masked.restore(rest) } };
  return { words, asked: asked ?? { kind: 'act' } };
}

const NUMBER_WORDS = [
  'once',
  'twice',
  'three times',
  'four times',
  'five times',
  'six times',
  'seven times',
  'eight times',
  'nine times',
  'ten times',
];

const COUNTED = 'two|three|four|five|six|seven|eight|nine|ten|a (?:couple|pair) of|(?:half )?a dozen|a half dozen';

/** Conditions and repetitions. */
const COMPOUND_RULES: readonly ClauseRule[] = [
  rule(`(?:if|in case) (?<claim>[^,]+),\\s*(?:then )?(?<then>.+)`, conditional),
  rule(
    `(?<then>.+?),? if (?<claim>(?:there(?:'s| is| are)|it|one|any|asked|needed|necessary|shown|present).*)`,
    optional,
  ),
  rule(
    `(?:repeat|for each|for every|do (?:this|that|the same)|keep (?:on|\\w+ing)) .*|.+ (?:for each|one by one|for every one|each time)(?: .*)?`,
    () => ({ kind: 'beyond' }),
  ),
  rule(`(?<base>(?!wait\\b).+?),? until (?:you (?:see|find) )?(?<claim>.+)`, untilShown),
  rule(
    `(?<base>.+?) (?<times>once|twice|thrice|(?:\\d+|two|three|four|five|six|seven|eight|nine|ten) times)(?<place>(?: (?:in|on) .+)?)`,
    times,
  ),
  rule(
    `(?<verb>add|put|buy|order) (?<count>\\d{1,3}|${COUNTED})(?: ?x)? (?:of )?(?:the )?(?<what>(?!(?:in|into|to|as|for|on|at|or|more)\\b)\\D.*)`,
    quantity,
  ),
];

const COUNT_WORDS = 'one two three four five six seven eight nine ten'.split(' ');

function countOf(conditionText: string): number {
  if (conditionText.endsWith('dozen')) return conditionText.includes('half') ? 6 : 12;
  return /couple|pair/.test(conditionText) ? 2 : COUNT_WORDS.indexOf(conditionText) + 1;
}

/** Handles "add two blue mugs to the cart": returns the clause for one mug, and the count. */
function quantity({ written, plain }: Parts): ClauseRequest | null {
  const conditionText = plain('count').toLowerCase();
  const count = /^\d/.test(conditionText) ? Number.parseInt(conditionText, 10) : countOf(conditionText);
  const what = written('what');
  const one = /^(?:it|them|these|those)\b/i.test(what) ? what : `the ${what}`;
  return count < 2 ? null : { kind: 'quantity', one: readClause(`${written('verb')} ${one}`), count };
}

const RULES: readonly ClauseRule[] = [...COMPOUND_RULES, ...BROWSER_RULES, ...READING_RULES, ...FIELD_RULES];

function conditional({ written }: Parts): ClauseRequest {
  const claim = readClaim(written('claim'));
  return { kind: 'if', claim, inner: readClause(written('then')) };
}

/** Handles "accept the cookies if asked", which does nothing if the element does not exist. */
function optional({ written }: Parts): ClauseRequest {
  const conditionText = written('claim');
  const inner = readClause(written('then'));
  const isVague =
    /^(?:it|one|any|asked|needed|necessary|shown|present)\b|^there(?:'s| is| are) (?:one|any|such)\b/i.test(
      conditionText,
    );
  return { kind: 'if', claim: isVague ? { words: '', isNegated: false } : readClaim(conditionText), inner };
}

function untilShown({ written }: Parts): ClauseRequest | null {
  const base = written('base');
  if (/^scroll/i.test(base) && /\bis (?:visible|in view)$/i.test(written('claim'))) return null;
  return { kind: 'until', repeated: readClause(base), claim: readClaim(written('claim')) };
}

function times({ written, plain }: Parts): ClauseRequest | null {
  const conditionText = plain('times').toLowerCase().replace('thrice', 'three times').replace('two times', 'twice');
  const count = /^\d/.test(conditionText)
    ? Number.parseInt(conditionText, 10)
    : NUMBER_WORDS.indexOf(conditionText) + 1;
  return count < 1
    ? null
    : { kind: 'times', repeated: readClause(`${written('base')}${written('place') && ` ${written('place')}`}`), count };
}
