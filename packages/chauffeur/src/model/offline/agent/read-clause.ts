import { firstClause } from '../grammar/first-clause.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import type { Asked, Clause } from './clause.ts';
import { readClaim } from './read-claim.ts';
import { credentialsIn, formValuesIn } from './read-values.ts';

/** A part of a clause as it was written, or without its quotation marks. */
interface Parts {
  written(name: string): string;
  plain(name: string): string;
  has(name: string): boolean;
}

type Rule = readonly [pattern: string, asked: (parts: Parts) => Asked | null];
type Compiled = readonly [pattern: RegExp, asked: Rule[1]];

/** Reads a clause; what none of the rules knows is one step on the page, as `act` understands it. */
export function readClause(words: string): Clause {
  const masked = new MaskedText(words);
  const text = firstClause(masked.text);
  for (const [pattern, asked] of compiled()) {
    const match = pattern.exec(text);
    const found = match && asked(partsOf(match.groups ?? {}, masked));
    if (found) return { words, asked: found };
  }
  return { words, asked: { kind: 'act' } };
}

let rules: readonly Compiled[] | undefined;

/** Compiled when a clause is read first: most drivers run no agent on the offline model. */
function compiled(): readonly Compiled[] {
  return (rules ??= RULES.map(([pattern, asked]) => [new RegExp(`^(?:${pattern})$`, 'i'), asked]));
}

function partsOf(groups: Readonly<Record<string, string | undefined>>, masked: MaskedText): Parts {
  return {
    written: (name) => masked.restore(groups[name] ?? '').trim(),
    plain: (name) => masked.reveal(groups[name] ?? '').trim(),
    has: (name) => groups[name] !== undefined,
  };
}

const URL_LIKE =
  '(?:https?://|file:///|about:|data:)\\S+|(?:[\\w-]+\\.)+[a-z]{2,}(?::\\d+)?(?:/\\S*)?|localhost(?::\\d+)?(?:/\\S*)?|/\\S+';
const HIDDEN = '[\\uE000-\\uE3FF]';
const DIALOG =
  '(?:the |this |any |that )?(?:browser )?(?:(?:confirmation|confirm|alert|js|javascript) )?(?:dialogs?|alert|confirmation|prompt|confirm(?:ation)? box|message box|pop-?up)(?: box)?';
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
const SECONDS =
  '(?:(?:for |about )?(?:a (?:moment|second|bit|while|few seconds)|\\d+ ?(?:s|secs?|seconds?|ms|milliseconds?)))';

/** How clauses are put that are more, or something else, than one step on the page. */
const RULES: readonly Rule[] = [
  [`(?:if|in case) (?<claim>[^,]+),\\s*(?:then )?(?<then>.+)`, conditional],
  [`(?<then>.+?),? if (?<claim>(?:there(?:'s| is| are)|it|one|any|asked|needed|necessary|shown|present).*)`, optional],
  [
    `(?:repeat|for each|for every|do (?:this|that|the same)|keep) .*|.+ (?:for each|one by one|for every one|each time)(?: .*)?`,
    () => ({ kind: 'beyond' }),
  ],
  [`(?<base>wait|hold on|pause) ${SECONDS}`, () => ({ kind: 'wait', claim: null })],
  [
    `wait(?: (?:for|until) (?:the |this )?page(?: (?:to|has|is) .+| load(?:s|ed)?)?| until (?:it|everything) .+)?`,
    () => ({ kind: 'wait', claim: null }),
  ],
  [
    `wait (?:until|till|for) (?<claim>.+?)(?: to (?:appear|show up|load|be (?:shown|visible)|show|come up))?`,
    ({ written }) => ({ kind: 'wait', claim: readClaim(written('claim')) }),
  ],
  [`(?<base>.+?),? until (?:you (?:see|find) )?(?<claim>.+)`, untilShown],
  [
    `(?<base>.+?) (?<times>once|twice|thrice|(?:\\d+|two|three|four|five|six|seven|eight|nine|ten) times)(?<place>(?: (?:in|on) .+)?)`,
    times,
  ],
  [
    `(?:go|navigate|browse|head)(?: back)?(?: over)? to (?:the (?:page|site|url|address|website) )?(?<url>${URL_LIKE}|${HIDDEN})(?<tab> in (?:a|another) new (?:browser )?tab)?`,
    navigate,
  ],
  [
    `(?:open|visit|load|launch|browse|call up)(?: up)? (?:the (?:page|site|url|address|website) (?:at )?)?(?<url>${URL_LIKE})(?<tab> in (?:a|another) (?:new )?(?:browser )?tab)?`,
    navigate,
  ],
  [
    `(?:go|return|navigate|switch|get)(?: back)?(?: to)? (?:the )?(?:home ?page|start ?page|front ?page|main page|home)|open (?:the )?(?:home ?page|start ?page|front ?page)(?<tab> in (?:a|another) new (?:browser )?tab)?`,
    ({ has }) => ({ kind: 'home', isNewTab: has('tab') }),
  ],
  [
    `(?:go|move|navigate|step) back|back|(?:go|move|navigate|step|return)(?: back)? to the (?:previous|last|earlier) (?:page|site|screen)|go one page back|go back (?:one|a) page`,
    () => ({ kind: 'back', to: null }),
  ],
  [`(?:go|move|navigate) back to (?<to>.+)`, ({ written }) => ({ kind: 'back', to: written('to') })],
  [`(?:reload|refresh)(?: (?:the |this )?page| it)?`, () => ({ kind: 'reload' })],
  [
    `open (?:a|another|one) (?:new|second|blank|empty|more) (?:browser )?(?:tab|page|window)`,
    () => ({ kind: 'newTab', target: null }),
  ],
  [
    `(?:open|show) (?<target>.+?) in (?:a|another) (?:new |separate )?(?:browser )?(?:tab|window)`,
    ({ written }) => ({ kind: 'newTab', target: written('target') }),
  ],
  [
    `(?:close|shut) (?:the|this|that|my)(?: (?:current|new|browser))* (?:tab|window|page)`,
    () => ({ kind: 'closeTab' }),
  ],
  [
    `(?:switch|change|go|return|jump|move)(?: back| over)? to (?<which>(?:the )?(?:.+ )?(?:browser )?(?:tab|window)(?: .+)?)`,
    ({ plain }) => ({ kind: 'switchTab', which: plain('which') }),
  ],
  [`(?:accept|confirm|ok|okay|approve|agree to) ${DIALOG}`, () => ({ kind: 'dialog', accept: true, text: null })],
  [`(?:dismiss|cancel|decline|reject|refuse|deny) ${DIALOG}`, () => ({ kind: 'dialog', accept: false, text: null })],
  [
    `(?:answer|reply to) (?:the |this )?(?:prompt|dialog|question) with (?<text>.+)`,
    ({ plain }) => ({ kind: 'dialog', accept: true, text: plain('text') }),
  ],
  [
    `(?:type|enter|write|put|fill(?: in)?) (?<text>.+?) (?:in|into|in to) (?:the |this )?(?:prompt|dialog box|browser dialog)`,
    ({ plain }) => ({ kind: 'dialog', accept: true, text: plain('text') }),
  ],
  [
    `(?:check|verify|make sure|ensure|confirm|assert|see|validate|expect)(?: that| to see (?:that|if|whether))? (?<claim>(?:there(?:'s| is| are) .+|.+ (?:is|are|isn't|aren't|appears?|shows?|says|contains?|reads|has|have|exists?|equals|disappears?|was|were|does not|doesn't)(?: .+)?))`,
    check,
  ],
  [`(?:check|verify|make sure|ensure|confirm|assert) (?:that|if|whether) (?<claim>.+)`, check],
  [
    `(?:tell|give|show)(?: me| us)(?: back)? (?<question>.+)|(?:report|read(?: out| off| aloud)?|note(?: down)?|extract|find out|get(?: me)?|write down|remember|memori[sz]e)(?: to me| me| back)? (?<plain>(?:the|its|their|all|each|every|what|which|how|who|when|where|whether) .+)`,
    read,
  ],
  [
    `(?<question>(?:what|which|who|when|how (?:much|many|long))(?:'s| is| are| was| does| do| did| costs?)? .+?)\\??`,
    read,
  ],
  [`(?:do not|don'?t|never|avoid|without) (?<what>.+)`, () => ({ kind: 'avoid' })],
  [
    `(?:log|sign) ?in(?:to| to)?(?: (?!with\\b|as\\b|using\\b|by\\b)[^,]+?)?,? (?<values>(?:with|as|using|by) .+)`,
    logIn,
  ],
  [`authenticate (?<values>(?:with|as|using) .+)`, logIn],
  [
    `(?:fill|complete|populate)(?: in| out| up)?(?: (?:the|this|that|a|my))?(?: [\\w-]+){0,4} forms?(?:,? (?:with|using|as follows|like this)[:,]?|[:,]| -)? (?<values>.+)`,
    form,
  ],
  [`(?:fill|complete|populate|enter|type|set|put|change|update)(?: in| out)?:? (?<values>.+)`, form],
  [`(?:subscribe|sign up|register|enrol) (?<value>${HIDDEN}|\\S+@\\S+) (?:to|for|with) (?<place>.+)`, subscribe],
  [
    `(?:search|look|query|google)(?: (?<place>(?:in|on|through) .+?|the .+?))? for (?<value>.+?)(?: (?<where>(?:in|on|with|using) (?:the|this) .+))?`,
    search,
  ],
  [`(?:search|query|look up|google) (?<value>${HIDDEN})`, search],
  [
    `(?:find|locate|look for) (?:the |an? |my )?(?<value>[^,]+)`,
    ({ plain }) => ({ kind: 'find', value: plain('value'), place: null }),
  ],
  [
    `download (?<target>.+?)(?: (?:as|to|into|and save (?:it|them) (?:as|to|under)) (?<path>${HIDDEN}|\\S*[./]\\S*))?`,
    download,
  ],
  [`save (?<target>.+?) (?:as|to|under) (?<path>\\S*\\.\\w{1,5}|\\S*/\\S*)`, download],
  [`(?:submit|send)(?: (?:it|this|that|(?:the |this |that )?form|them))?`, () => ({ kind: 'submit' })],
];

function conditional({ written }: Parts): Asked {
  const claim = readClaim(written('claim'));
  return { kind: 'if', claim, then: readClause(written('then')) };
}

/** "accept the cookies if asked": only where the thing is there. */
function optional({ written }: Parts): Asked {
  const said = written('claim');
  const then = readClause(written('then'));
  const isVague =
    /^(?:it|one|any|asked|needed|necessary|shown|present)\b|^there(?:'s| is| are) (?:one|any|such)\b/i.test(said);
  return { kind: 'if', claim: isVague ? { words: '', isNegated: false } : readClaim(said), then };
}

function untilShown({ written }: Parts): Asked | null {
  const base = written('base');
  if (/^scroll/i.test(base) && /\bis (?:visible|in view)$/i.test(written('claim'))) return null;
  return { kind: 'until', repeated: readClause(base), claim: readClaim(written('claim')) };
}

function times({ written, plain }: Parts): Asked | null {
  const said = plain('times').toLowerCase().replace('thrice', 'three times').replace('two times', 'twice');
  const count = /^\d/.test(said) ? Number.parseInt(said, 10) : NUMBER_WORDS.indexOf(said) + 1;
  return count < 1
    ? null
    : { kind: 'times', repeated: readClause(`${written('base')}${written('place') && ` ${written('place')}`}`), count };
}

function navigate({ plain, has }: Parts): Asked | null {
  const url = plain('url');
  const isAddress = new RegExp(`^(?:${URL_LIKE})$`, 'i').test(url) || /^%\w+%$/.test(url);
  return isAddress && !FILE_NAME.test(url) ? { kind: 'navigate', url, isNewTab: has('tab') } : null;
}

/** "open report.pdf" names a file of the page. */
const FILE_NAME = /^[\w-]+\.(?:pdf|zip|csv|xlsx?|docx?|txt|json|png|jpe?g|gif|mp[34]|md|ts|js|html?)$/i;

function check({ written }: Parts): Asked | null {
  const said = written('claim').replace(/^(?:that|if|whether)\s+/i, '');
  return /\b(?:box|checkbox|radio|switch|option) (?:that|which|with|whose|next)\b/i.test(said)
    ? null
    : { kind: 'check', claim: readClaim(said) };
}

function read({ written, has }: Parts): Asked {
  return { kind: 'read', question: written(has('plain') ? 'plain' : 'question') };
}

function logIn({ written }: Parts): Asked | null {
  const values = credentialsIn(written('values'));
  return values && { kind: 'logIn', values };
}

function form({ written }: Parts): Asked | null {
  const values = formValuesIn(written('values'));
  return values.length > 1 ? { kind: 'form', values } : null;
}

/** "subscribe ada@x.test to the newsletter": one field and the button beside it. */
function subscribe({ plain, written }: Parts): Asked {
  return { kind: 'subscribe', field: written('place'), value: plain('value') };
}

function search({ plain, written, has }: Parts): Asked {
  const place = has('place') ? written('place') : has('where') ? written('where') : null;
  return {
    kind: 'search',
    value: plain('value'),
    place: place && place.replace(/^(?:in|on|through|with|using)\s+/i, ''),
  };
}

function download({ written, plain, has }: Parts): Asked {
  return { kind: 'download', target: written('target'), path: has('path') ? plain('path') : null };
}
