import { DriverNavigationError } from '../errors.ts';
import type { ModelOpenPage } from '../model/model-client.ts';
import type { Page } from '../page/page.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { actOnPage } from './act-on-page.ts';
import { addressOf } from './addresses.ts';
import { oneOf, optional, text, whole } from './fields.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

export const navigate: Tool = tool({
  name: 'navigate',
  description: 'Opens url: a URL that the task names, or #3 of the page.',
  kind: 'act',
  fields: { url: text() },
  run: async (context, { url }) => {
    const found = addressOf(context, url);
    return 'refusal' in found ? failed(found.refusal) : goTo(context, { url, address: found.address });
  },
});

async function goTo(context: ToolContext, { url, address }: { url: string; address: string }): Promise<ToolOutcome> {
  const { progress, page } = context;
  let status = '';
  let failure: DriverNavigationError | undefined;
  const outcome = await actOnPage(context, {
    done: () => `Done: opened ${url}${status}`,
    run: async () => {
      try {
        const response = await page.goto(address, { signal: progress.signal, timeout: progress.remaining });
        if (response) status = ` (${response.status()})`;
      } catch (error) {
        if (!(error instanceof DriverNavigationError)) throw error;
        status = ', which is a file, not a page';
        failure = error;
      }
    },
  });
  // A URL of a file fails as a navigation but starts a download, which is an effect.
  if (failure && outcome.effect !== 'opened') throw failure;
  return outcome;
}

export const back: Tool = tool({
  name: 'back',
  description: '',
  kind: 'act',
  fields: {},
  run: async (context) => {
    const { progress, page } = context;
    const before = page.url();
    const outcome = await actOnPage(context, {
      done: () => 'Done: went back',
      run: async () => void (await page.goBack({ signal: progress.signal, timeout: progress.remaining })),
    });
    const hasMoved = outcome.effect !== 'none-observed' || page.url() !== before;
    return hasMoved ? outcome : failed('There is no page to go back to.');
  },
});

export const tabs: Tool = tool({
  name: 'tabs',
  description: 'what: lists, switches, opens or closes tabs.',
  kind: 'act',
  fields: {
    what: oneOf(['list', 'switch', 'open', 'close']),
    number: optional(whole()),
    url: optional(text()),
  },
  run: async (context, { what, number, url }) => {
    if (what === 'list') return { text: 'The open pages:', ...(await pageList(context)) };
    if (what === 'open') return openPage(context, url);
    const pages = context.browser.pages();
    const chosen = number === undefined && what === 'close' ? context.page : pages[(number ?? 0) - 1];
    if (!chosen) return failed(`Pass the number of one of the ${pages.length} pages; list shows them.`);
    return what === 'switch' ? switchTo(context, chosen) : closePage(context, chosen);
  },
});

async function openPage(context: ToolContext, url: string | undefined): Promise<ToolOutcome> {
  const found = url === undefined ? undefined : addressOf(context, url);
  if (found && 'refusal' in found) return failed(found.refusal);
  const { progress, browser } = context;
  const opened = await progress.race(browser.newPage());
  context.usePage(opened);
  const number = browser.pages().indexOf(opened) + 1;
  const effect = 'opened';
  if (!found) return { text: `Done: opened page ${number}, which is empty.`, effect };
  const { text: words, ...outcome } = await goTo(
    { ...context, page: opened },
    { url: url ?? '', address: found.address },
  );
  return { ...outcome, text: `${words} It is page ${number}.`, effect };
}

function switchTo(context: ToolContext, page: Page): ToolOutcome {
  context.usePage(page);
  return { text: `You now work on page ${context.browser.pages().indexOf(page) + 1}.` };
}

async function closePage(context: ToolContext, page: Page): Promise<ToolOutcome> {
  const { progress, browser } = context;
  if (browser.pages().length === 1) return failed('The only page cannot be closed. Open another URL in it instead.');
  await page.close({ signal: progress.signal, timeout: progress.remaining });
  const next = page === context.page ? browser.activePage() : undefined;
  if (next) context.usePage(next);
  const list = await pageList(context);
  return { text: 'Done: the page is closed. The open pages now:', ...list, effect: 'changed', closedPage: page };
}

type PageList = Pick<ToolOutcome, 'quoted' | 'openPages'>;

async function pageList({ browser, progress, page: current }: ToolContext): Promise<PageList> {
  const reading = browser.pages().map(async (page, index): Promise<ModelOpenPage> => {
    const isCurrent = page === current && !page.isClosed();
    return { number: index + 1, title: await titleOf(page), url: page.url(), isCurrent };
  });
  const openPages = await progress.race(Promise.all(reading));
  return { quoted: openPages.map(pageLine).join('\n'), openPages };
}

function pageLine({ number, title, url, isCurrent }: ModelOpenPage): string {
  return `${number}${isCurrent ? ' (this one)' : ''} ${JSON.stringify(title)} ${url}`;
}

/** Returns `''` if the page hangs or closes. */
async function titleOf(page: Page): Promise<string> {
  try {
    return (await withTimeout(TITLE_TIMEOUT_MS, page.title())) ?? '';
  } catch {
    return '';
  }
}

const TITLE_TIMEOUT_MS = 1000;
