import { DriverTimeoutError } from '../errors.ts';
import { actOnElement, unknownRef } from './act-on-element.ts';
import { oneOf, optional, ref, text, whole } from './fields.ts';
import { settled } from './settled.ts';
import { failed, type Tool, tool } from './tool.ts';

/** Presses keys, on an element or on what has the focus. */
export const press: Tool = tool({
  name: 'press',
  description:
    'Presses a key or a combination such as Enter, Escape or Control+A, on an element or where the focus is.',
  kind: 'act',
  fields: { keys: text('the keys'), ref: optional(ref()) },
  run: async (context, { keys, ref: name }) => {
    if (name !== undefined) return actOnElement(context, name, { method: 'press', arguments: [keys] });
    await context.page.keyPress(keys, { signal: context.progress.signal });
    return settled(context, `Pressed ${keys}.`);
  },
});

/** Drags an element onto another. */
export const drag: Tool = tool({
  name: 'drag',
  description: 'Drags an element and drops it on another.',
  kind: 'act',
  fields: { ref: ref('what is dragged'), to: ref('what it is dropped on') },
  run: async (context, { ref: name, to }) => {
    const goal = context.element(to);
    if (!goal) return unknownRef(to);
    return actOnElement(context, name, { method: 'dragAndDrop', dropTarget: goal.target });
  },
});

/** The methods that scroll an element. */
const WAYS = { down: 'nextChunk', up: 'prevChunk', here: 'scrollTo' } as const;

/** Scrolls an element, or the page. */
export const scroll: Tool = tool({
  name: 'scroll',
  description:
    'Scrolls what the element shows, or the page, by a screenful up or down; here brings the element into view. Parts out of view are shown in the page anyway: scroll only for what loads on scrolling.',
  kind: 'act',
  fields: { to: oneOf(['down', 'up', 'here'], 'where to'), ref: optional(ref()) },
  run: async (context, { to, ref: name }) => {
    if (name !== undefined) return actOnElement(context, name, { method: WAYS[to] });
    if (to === 'here') return failed('scroll here needs the ref of the element to bring into view.');
    const { width, height } = await context.page.evaluate<{ width: number; height: number }>(
      '({ width: innerWidth, height: innerHeight })',
    );
    await context.page.scroll(width / 2, height / 2, 0, to === 'down' ? height * SCREENFUL : -height * SCREENFUL);
    return settled(context, `Scrolled ${to}.`);
  },
});

/** A little of what was in view stays in view. */
const SCREENFUL = 0.9;

/** Opens an address. */
export const navigate: Tool = tool({
  name: 'navigate',
  description: 'Opens an address in this page. Prefer links of the page; never make addresses up.',
  kind: 'act',
  fields: { url: text('the address, or #3 for one that stands in the page as #3') },
  run: async (context, { url }) => {
    const number = /^#(\d+)$/.exec(url)?.[1];
    const address = number === undefined ? context.variables.expand(url) : context.shown?.urls[Number(number)];
    if (address === undefined) return failed(`The page shows no address ${url}.`);
    const { progress, page } = context;
    const response = await page.goto(address, { signal: progress.signal, timeout: progress.remaining });
    return settled(context, `Opened ${url}${response ? ` (${response.status()})` : ''}.`);
  },
});

/** Goes back in the history of the page. */
export const back: Tool = tool({
  name: 'back',
  description: 'Goes back to the page before.',
  kind: 'act',
  fields: {},
  run: async (context) => {
    const { progress, page } = context;
    const before = page.url();
    await page.goBack({ signal: progress.signal, timeout: progress.remaining });
    return page.url() === before ? failed('There is nothing to go back to.') : settled(context, 'Went back.');
  },
});

/** Lists, opens, closes and changes pages. */
export const tabs: Tool = tool({
  name: 'tabs',
  description: 'Lists the open pages, or works on another one, opens one or closes one.',
  kind: 'act',
  fields: {
    what: oneOf(['list', 'switch', 'open', 'close'], 'what to do'),
    number: optional(whole('which page, as in the list', { least: 1, most: 1000 })),
    url: optional(text('the address to open')),
  },
  run: async (context, { what, number, url }) => {
    const pages = context.browser.pages();
    if (what === 'open') {
      const opened = await context.browser.newPage(url);
      context.usePage(opened);
      return { text: `Opened page ${context.browser.pages().indexOf(opened) + 1}.` };
    }
    const chosen = number === undefined ? undefined : pages[number - 1];
    if (what !== 'list' && !chosen) return failed(`Say by number which of the ${pages.length} pages is meant.`);
    if (what === 'switch' && chosen) context.usePage(chosen);
    if (what === 'close' && chosen) {
      await chosen.close();
      const next = context.browser.activePage();
      if (chosen === context.page && next) context.usePage(next);
    }
    const lines = await Promise.all(
      context.browser
        .pages()
        .map(async (page, index) => `${index + 1} ${JSON.stringify(await page.title())} ${page.url()}`),
    );
    return { text: lines.join('\n') };
  },
});

/** The longest wait of one call, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** Waits for a text, for the page to come to rest, or for some time. */
export const wait: Tool = tool({
  name: 'wait',
  description:
    'Waits until a text is in the page, or until it has come to rest; every other tool waits for rest by itself.',
  kind: 'read',
  fields: {
    text: optional(text('the text that is to appear')),
    timeout: optional(whole('milliseconds at most, default 10000', { least: 1, most: LONGEST_WAIT })),
  },
  run: async (context, { text: words, timeout = 10_000 }) => {
    if (words === undefined) return settled(context, 'The page has come to rest.');
    const { page, progress } = context;
    const limits = { timeout: Math.min(timeout, progress.remaining), signal: progress.signal };
    try {
      await page.getByText(words).waitFor(limits);
      return { text: `${JSON.stringify(words)} is in the page.` };
    } catch (error) {
      progress.throwIfEnded();
      if (!(error instanceof DriverTimeoutError)) throw error;
      return failed(`${JSON.stringify(words)} did not appear within ${limits.timeout} ms.`);
    }
  },
});
