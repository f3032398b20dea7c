import type { ModelOpenPage } from '../../model/model-client.ts';
import { stepFor } from './find-step.ts';
import { planAct } from './plan-act.ts';
import { stemsOf } from '../text/words.ts';
import { findOrdinal } from '../grammar/ordinal.ts';
import { calls, callOf, cannot, OVER, type Plan, type Situation } from './situation.ts';

export function planNavigate(situation: Situation, { url, isNewTab }: { url: string; isNewTab: boolean }): Plan {
  const address = addressOf(url, situation.page.url);
  return isNewTab
    ? callOf(situation, 'tabs', { what: 'open', url: address })
    : callOf(situation, 'navigate', { url: address });
}

/** Adds a missing scheme, and resolves paths against the URL of the page. */
function addressOf(url: string, base: string): string {
  if (/^%\w+%$/.test(url) || /^(?:https?|file|about|data):/i.test(url)) return url;
  if (url.startsWith('/')) return URL.canParse(url, base) ? new URL(url, base).href : url;
  return /^(?:localhost|127\.|\[::1\])/.test(url) ? `http://${url}` : `https://${url}`;
}

/** Uses a link to the home page, or opens the root URL of the site if there is none or for a new tab. */
export function planHome(situation: Situation, isNewTab: boolean): Plan {
  const { action } = stepFor(situation, 'open the home page');
  if (action && !isNewTab) return planAct(situation, 'open the home page');
  const url = addressOf('/', situation.page.url);
  return planNavigate(situation, { url, isNewTab });
}

/** Clicks an element that matches the named destination. Without one, goes back in the session history. */
export function planBack(situation: Situation, to: string | null): Plan {
  const action = to === null ? null : stepFor(situation, `open ${to}`).action;
  return action ? planAct(situation, `open ${to ?? ''}`) : callOf(situation, 'back', {});
}

/** Opens an empty tab, or the URL of a link in a new tab. */
export function planNewTab(situation: Situation, target: string | null): Plan {
  if (target === null) return callOf(situation, 'tabs', { what: 'open' });
  const { action } = stepFor(situation, `open ${target}`);
  const url = situation.index.elements.find(({ node }) => node.ref === action?.ref)?.node.url;
  return url === undefined ? cannot('no link on the page matches') : callOf(situation, 'tabs', { what: 'open', url });
}

/** Tab elements on the page take precedence over browser tabs. */
export function planSwitchTab(situation: Situation, which: string): Plan {
  const hasTabs = situation.index.elements.some(({ node }) => node.role === 'tab');
  const { action } = hasTabs && !/browser|new/i.test(which) ? stepFor(situation, `open ${which}`) : { action: null };
  if (action) return planAct(situation, `open ${which}`);
  const pages = listedPages(situation);
  if (!pages) return callOf(situation, 'tabs', { what: 'list' }, situation.part);
  const page = requestedPage(pages, which);
  if (!page)
    return cannot(`no browser tab matches ${JSON.stringify(which)}; open tabs: ${pages.map(pagePhrase).join('; ')}`);
  return page.isCurrent ? OVER : callOf(situation, 'tabs', { what: 'switch', number: page.number });
}

export function planCloseTab(situation: Situation): Plan {
  return callOf(situation, 'tabs', { what: 'close' });
}

function pagePhrase({ title, url }: ModelOpenPage): string {
  return `${JSON.stringify(title)} ${url}`;
}

/** Returns `undefined` if this clause has not listed the open pages yet. */
function listedPages({ pastCalls }: Situation): readonly ModelOpenPage[] | undefined {
  const list = pastCalls.findLast(
    ({ tool, input, outcome }) => tool === 'tabs' && input['what'] === 'list' && outcome === 'done',
  );
  return list && (list.openPages ?? []);
}

const OTHER = /\b(?:other|new|next|opened|latest)\b/i;
const LITTLE: ReadonlySet<string> = new Set(
  stemsOf('the tab window browser page with of other new next previous opened latest one'),
);

function requestedPage(pages: readonly ModelOpenPage[], which: string): ModelOpenPage | undefined {
  const ordinal = findOrdinal(which);
  if (ordinal) return pages.at(ordinal.position > 0 ? ordinal.position - 1 : ordinal.position);
  const words = stemsOf(which).filter((stem) => !LITTLE.has(stem));
  if (words.length === 0) {
    const others = pages.filter(({ isCurrent }) => !isCurrent);
    return OTHER.test(which) ? others.at(-1) : others[0];
  }
  const fitting = pages.filter((page) => words.every((word) => stemsOf(pagePhrase(page)).includes(word)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

const PRONOUN = /^(?:it|them|that|this|(?:the|that|this) (?:file|download))$/i;

/** Plans the action that starts the download, then a call that saves the file. */
export function planDownload(situation: Situation, { target, path }: { target: string; path: string | null }): Plan {
  const { tools, earlier } = situation;
  const save = tools.has('download') ? [{ tool: 'download', input: path === null ? {} : { as: path } }] : [];
  if (path !== null && save.length === 0) return cannot('the required tool download is excluded');
  const isBegun = earlier.some(
    ({ clause: { asked }, pastCalls }) =>
      asked.kind === 'download' || pastCalls.some(({ opened }) => opened.includes('download')),
  );
  if (PRONOUN.test(target) && isBegun && save.length > 0) return calls(save);
  const named = stepFor(situation, `download ${target}`);
  const plan = planAct(situation, named.action ? `download ${target}` : `open ${target}`);
  if (plan.kind !== 'calls') return plan;
  return { kind: 'calls', calls: [...plan.calls, ...save] };
}

/**
 * Answers a dialog. Does nothing if the previous clause answered a browser dialog. In a dialog of the page, clicks a
 * button. Before the first step, registers the answer for a later browser dialog.
 */
export function planDialog(situation: Situation, { accept, text }: { accept: boolean; text: string | null }): Plan {
  const before = situation.earlier.at(-1)?.pastCalls ?? [];
  const isAnswered =
    before.some(({ tool }) => tool === 'dialog') && before.some(({ opened }) => opened.includes('dialog'));
  if (isAnswered) return OVER;
  const { index } = situation;
  const inPage = index.lines.find(({ node }) => node.role === 'dialog' || node.role === 'alertdialog');
  if (inPage) {
    for (const word of accept ? YES : NO) {
      const { action } = stepFor(situation, `click ${word} in the dialog`);
      const line = index.elements.find(({ node }) => node.ref === action?.ref);
      if (line && line.index > inPage.index && line.index < inPage.end)
        return planAct(situation, `click ${word} in the dialog`);
    }
    return planAct(situation);
  }
  if (before.length > 0 || !situation.next) return cannot('no dialog was opened');
  return callOf(situation, 'dialog', { accept, ...(text !== null && { text }) });
}

const YES = ['accept', 'confirm', 'ok', 'yes', 'agree', 'continue', 'delete', 'remove'];
const NO = ['cancel', 'dismiss', 'no', 'decline', 'reject', 'close'];
