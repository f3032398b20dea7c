import type { MaskedText } from '../grammar/masked-text.ts';
import type { ClauseRequest } from './clause.ts';
import { readClaim } from './read-claim.ts';
import { credentialsIn, formValuesIn } from './read-values.ts';

/** Named groups of a matched pattern. `written` keeps quotation marks, `plain` removes them. */
export interface Parts {
  readonly written: (name: string) => string;
  readonly plain: (name: string) => string;
  readonly has: (name: string) => boolean;
}

/**
 * A pattern for whole clauses. Quotations are masked as one character. `asked` returns `null` if the match has another
 * meaning.
 */
export interface ClauseRule {
  readonly pattern: RegExp;
  readonly asked: (parts: Parts) => ClauseRequest | null;
}

/** A masked quotation or `%name%` placeholder. */
const HIDDEN = '[\\uE000-\\uE3FF]';

/** Creates a rule. The pattern must match the whole clause, ignoring case. */
export function rule(pattern: string, asked: ClauseRule['asked']): ClauseRule {
  return { pattern: new RegExp(`^(?:${pattern})$`, 'i'), asked };
}

/** Returns the meaning of a clause by the first rule that accepts it, or `null`. */
export function requestByRules(rules: readonly ClauseRule[], text: string, masked: MaskedText): ClauseRequest | null {
  for (const { pattern, asked } of rules) {
    const groups = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : undefined);
    const found = groups && asked(partsOf(groups, masked));
    if (found) return found;
  }
  return null;
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
const DIALOG =
  '(?:the |this |any |that )?(?:browser )?(?:(?:confirmation|confirm|alert|js|javascript) )?(?:dialogs?|alert|confirmation|prompt|confirm(?:ation)? box|message box|pop-?up)(?: box)?';
const SECONDS =
  '(?:(?:for |about )?(?:a (?:moment|second|bit|while|few seconds)|\\d+ ?(?:s|secs?|seconds?|ms|milliseconds?)))';

/** Clauses about the browser: URLs, tabs, waiting, dialogs, downloads. */
export const BROWSER_RULES: readonly ClauseRule[] = [
  rule(`(?<base>wait|hold on|pause) ${SECONDS}`, () => ({ kind: 'wait', claim: null })),
  rule(
    `wait(?: (?:for|until) (?:the |this )?page(?: (?:to|has|is) .+| load(?:s|ed)?)?| until (?:it|everything) .+)?`,
    () => ({ kind: 'wait', claim: null }),
  ),
  rule(
    `wait (?:until|till|for) (?<claim>.+?)(?: to (?:appear|show up|load|be (?:shown|visible)|show|come up))?`,
    ({ written }) => ({ kind: 'wait', claim: readClaim(written('claim')) }),
  ),
  rule(
    `(?:go|navigate|browse|head)(?: back)?(?: over)? to (?:the (?:page|site|url|address|website) )?(?<url>${URL_LIKE}|${HIDDEN})(?<tab> in (?:a|another) new (?:browser )?tab)?`,
    navigate,
  ),
  rule(
    `(?:open|visit|load|launch|browse|call up)(?: up)? (?:the (?:page|site|url|address|website) (?:at )?)?(?<url>${URL_LIKE})(?<tab> in (?:a|another) (?:new )?(?:browser )?tab)?`,
    navigate,
  ),
  rule(
    `(?:go|return|navigate|switch|get)(?: back)?(?: to)? (?:the )?(?:home ?page|start ?page|front ?page|main page|home)|open (?:the )?(?:home ?page|start ?page|front ?page)(?<tab> in (?:a|another) new (?:browser )?tab)?`,
    ({ has }) => ({ kind: 'home', isNewTab: has('tab') }),
  ),
  rule(
    `(?:go|move|navigate|step) back|back|(?:go|move|navigate|step|return)(?: back)? to the (?:previous|last|earlier) (?:page|site|screen)|go one page back|go back (?:one|a) page`,
    () => ({ kind: 'back', to: null }),
  ),
  rule(`(?:go|move|navigate) back to (?<to>.+)`, ({ written }) => ({ kind: 'back', to: written('to') })),
  rule(`(?:reload|refresh)(?: (?:the |this )?page| it)?`, () => ({ kind: 'reload' })),
  rule(`open (?:a|another|one) (?:new|second|blank|empty|more) (?:browser )?(?:tab|page|window)`, () => ({
    kind: 'newTab',
    target: null,
  })),
  rule(
    `(?:open|show) (?<target>.+?) in (?:a|another) (?:new |separate )?(?:browser )?(?:tab|window)`,
    ({ written }) => ({ kind: 'newTab', target: written('target') }),
  ),
  rule(`(?:close|shut) (?:the|this|that|my)(?: (?:current|new|browser))* (?:tab|window|page)`, () => ({
    kind: 'closeTab',
  })),
  rule(
    `(?:switch|change|go|return|jump|move)(?: back| over)? to (?<which>(?:the )?(?:.+ )?(?:browser )?(?:tab|window)(?: .+)?)`,
    ({ plain }) => ({ kind: 'switchTab', which: plain('which') }),
  ),
  rule(`(?:accept|confirm|ok|okay|approve|agree to) ${DIALOG}`, () => ({ kind: 'dialog', accept: true, text: null })),
  rule(`(?:dismiss|cancel|decline|reject|refuse|deny) ${DIALOG}`, () => ({
    kind: 'dialog',
    accept: false,
    text: null,
  })),
  rule(`(?:answer|reply to) (?:the |this )?(?:prompt|dialog|question) with (?<text>.+)`, ({ plain }) => ({
    kind: 'dialog',
    accept: true,
    text: plain('text'),
  })),
  rule(
    `(?:type|enter|write|put|fill(?: in)?) (?<text>.+?) (?:in|into|in to) (?:the |this )?(?:prompt|dialog box|browser dialog)`,
    ({ plain }) => ({ kind: 'dialog', accept: true, text: plain('text') }),
  ),
  rule(
    `download (?<target>.+?)(?: (?:as|to|into|and save (?:it|them) (?:as|to|under)) (?<path>${HIDDEN}|\\S*[./]\\S*))?`,
    download,
  ),
  rule(`save (?<target>.+?) (?:as|to|under) (?<path>\\S*\\.\\w{1,5}|\\S*/\\S*)`, download),
];

function navigate({ plain, has }: Parts): ClauseRequest | null {
  const url = plain('url');
  const isAddress = new RegExp(`^(?:${URL_LIKE})$`, 'i').test(url) || /^%\w+%$/.test(url);
  return isAddress && !FILE_NAME.test(url) ? { kind: 'navigate', url, isNewTab: has('tab') } : null;
}

/** In "open report.pdf", the file name means a link on the page and not a URL. */
const FILE_NAME = /^[\w-]+\.(?:pdf|zip|csv|xlsx?|docx?|txt|json|png|jpe?g|gif|mp[34]|md|ts|js|html?)$/i;

function download({ written, plain, has }: Parts): ClauseRequest {
  return { kind: 'download', target: written('target'), path: has('path') ? plain('path') : null };
}

/** Clauses that read values, check claims or forbid something. */
export const READING_RULES: readonly ClauseRule[] = [
  rule(
    `(?:check|verify|make sure|ensure|confirm|assert|see|validate|expect)(?: that| to see (?:that|if|whether))? (?<claim>(?:there(?:'s| is| are) .+|.+ (?:is|are|isn't|aren't|appears?|shows?|says|contains?|reads|has|have|exists?|equals|disappears?|was|were|does not|doesn't)(?: .+)?))`,
    check,
  ),
  rule(`(?:check|verify|make sure|ensure|confirm|assert) (?:that|if|whether) (?<claim>.+)`, check),
  rule(
    `(?:tell|give|show)(?: me| us)(?: back)? (?<question>.+)|(?:report (?:to me|back)|read(?: out| off| aloud)?|note(?: down)?|extract|find out|find(?= (?:what|which|how|who|when|where|whether)\\b)|get(?: me)?|write down|remember|memori[sz]e)(?: to me| me| back)? (?<plain>(?:the|its|their|all|each|every|what|which|how|who|when|where|whether) .+)`,
    read,
  ),
  rule(
    `(?<question>(?:what|which|who|when|how (?:much|many|long))(?:'s| is| are| was| does| do| did| costs?)? .+?)\\??`,
    read,
  ),
  rule(`(?:do not|don'?t|never|avoid|without) (?<what>.+)`, () => ({ kind: 'avoid' })),
];

function check({ written }: Parts): ClauseRequest | null {
  const claimText = written('claim').replace(/^(?:that|if|whether)\s+/i, '');
  return /\b(?:box|checkbox|radio|switch|option) (?:that|which|with|whose|next)\b/i.test(claimText)
    ? null
    : { kind: 'check', claim: readClaim(claimText) };
}

function read({ written, has }: Parts): ClauseRequest {
  return { kind: 'read', question: written(has('plain') ? 'plain' : 'question') };
}

/** Clauses that fill fields and submit forms. */
export const FIELD_RULES: readonly ClauseRule[] = [
  rule(
    `(?:log|sign) ?in(?:to| to)?(?: (?!with\\b|as\\b|using\\b|by\\b)[^,]+?)?,? (?<values>(?:with|as|using|by) .+)`,
    logIn,
  ),
  rule(`authenticate (?<values>(?:with|as|using) .+)`, logIn),
  rule(
    `(?:fill|complete|populate|enter)(?: in| out| up)? (?<place>(?:(?:the|this|that|a|my|your) )?[\\w -]*?(?:address|details|data|information|section|part|group|fields))(?:,? (?:with|using|as follows)[:,]?|:) (?<values>.+)`,
    form,
  ),
  rule(
    `(?:fill|complete|populate)(?: in| out| up)?(?: (?:the|this|that|a|my))?(?: [\\w-]+){0,4} forms?(?:,? (?:with|using|as follows|like this)[:,]?|[:,]| -)? (?<values>.+)`,
    form,
  ),
  rule(`(?:fill|complete|populate|enter|type|set|put|change|update)(?: in| out)?:? (?<values>.+)`, form),
  rule(`(?:subscribe|sign up|register|enrol) (?<value>${HIDDEN}|\\S+@\\S+) (?:to|for|with) (?<place>.+)`, subscribe),
  rule(
    `(?:apply|redeem|use) (?<place>(?:(?:the|my|our|a|an|this) )?(?:[\\w-]+ )?(?:code|voucher|coupon)) (?<value>${HIDDEN}|(?=\\S*\\d)\\S+)`,
    subscribe,
  ),
  rule(
    `(?:search|look|query|google)(?: (?<place>(?:in|on|through) .+?|the .+?))? for (?<value>.+?)(?: (?<where>(?:in|on|with|using) (?:the|this) .+))?`,
    search,
  ),
  rule(`(?:search|query|look up|google) (?<value>${HIDDEN})`, search),
  rule(`(?:find|locate|look for) (?:the |an? |my )?(?<value>[^,]+)`, ({ plain }) => ({
    kind: 'find',
    value: plain('value'),
    location: null,
  })),
  rule(`(?:submit|send)(?: (?:it|this|that|(?:the |this |that )?form|them))?`, () => ({ kind: 'submit' })),
];

function logIn({ written }: Parts): ClauseRequest | null {
  const values = credentialsIn(written('values'));
  return values && { kind: 'logIn', values };
}

function form({ written, has }: Parts): ClauseRequest | null {
  const values = formValuesIn(written('values'));
  const location = has('place') ? written('place') : null;
  return values.length > 1 ? { kind: 'form', values, location } : null;
}

/** Handles "subscribe ada@x.test to the newsletter", which fills a field and submits it. */
function subscribe({ plain, written }: Parts): ClauseRequest {
  return { kind: 'subscribe', field: written('place'), value: plain('value') };
}

function search({ plain, written, has }: Parts): ClauseRequest {
  const location = has('place') ? written('place') : has('where') ? written('where') : null;
  return {
    kind: 'search',
    value: plain('value'),
    location: location && location.replace(/^(?:in|on|through|with|using)\s+/i, ''),
  };
}
