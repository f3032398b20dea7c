import type { Asked } from './clause.ts';
import { type ClauseRule, HIDDEN, type Parts, rule } from './clause-rule.ts';
import { readClaim } from './read-claim.ts';

const URL_LIKE =
  '(?:https?://|file:///|about:|data:)\\S+|(?:[\\w-]+\\.)+[a-z]{2,}(?::\\d+)?(?:/\\S*)?|localhost(?::\\d+)?(?:/\\S*)?|/\\S+';
const DIALOG =
  '(?:the |this |any |that )?(?:browser )?(?:(?:confirmation|confirm|alert|js|javascript) )?(?:dialogs?|alert|confirmation|prompt|confirm(?:ation)? box|message box|pop-?up)(?: box)?';
const SECONDS =
  '(?:(?:for |about )?(?:a (?:moment|second|bit|while|few seconds)|\\d+ ?(?:s|secs?|seconds?|ms|milliseconds?)))';

/** Patterns for clauses about the browser: URLs, tabs, waiting, dialogs, downloads. */
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

function navigate({ plain, has }: Parts): Asked | null {
  const url = plain('url');
  const isAddress = new RegExp(`^(?:${URL_LIKE})$`, 'i').test(url) || /^%\w+%$/.test(url);
  return isAddress && !FILE_NAME.test(url) ? { kind: 'navigate', url, isNewTab: has('tab') } : null;
}

/** File names are not URLs: "open report.pdf" means a link on the page. */
const FILE_NAME = /^[\w-]+\.(?:pdf|zip|csv|xlsx?|docx?|txt|json|png|jpe?g|gif|mp[34]|md|ts|js|html?)$/i;

function download({ written, plain, has }: Parts): Asked {
  return { kind: 'download', target: written('target'), path: has('path') ? plain('path') : null };
}
