import { beforeAll, describe, expect, it } from 'vitest';
import type { FrameLocator, Locator, Page } from '../../src/index.ts';
import { Locator as LocatorClass } from '../../src/page/locator.ts';
import { failureOf } from '../support/failure-of.ts';
import { highlightsDuring } from '../support/highlights-during.ts';
import { type Nesting, serveNestedPages } from '../support/nested-pages.ts';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { useWholeBrowser } from '../support/whole-browser.ts';

/** Five levels, ending in a closed root of a frame of another process, and in a frame within closed roots. */
const PATHS: readonly (readonly Nesting[])[] = [
  ['same', 'open', 'other', 'same', 'declared'],
  ['closed', 'other', 'declared', 'closed', 'other'],
];

/** What the methods are tried on, put beside the button of the innermost level. */
const CONTROLS = `<section id="controls" style="height:60px;width:400px;overflow:auto">
  <p id="text" title="note" data-testid="text">Some <b>words</b></p>
  <input id="field" placeholder="Town" value="old"><input id="box" type="checkbox"><input id="file" type="file">
  <select id="size"><option>Small</option><option>Large</option></select><img id="image" alt="A mug" style="display:inline-block;width:20px;height:20px">
  <i id="thing" draggable="true" style="display:block;width:30px;height:20px">thing</i>
  <i id="zone" style="display:block;width:30px;height:20px">zone</i>
</section>`;

/** The parts of an element of a page that `put` works with. */
interface PageElement {
  readonly parentNode: PageElement;
  readonly nextElementSibling: PageElement;
  readonly dataset: Record<string, string>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  insertAdjacentHTML(where: string, html: string): void;
  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void;
  remove(): void;
}

/** Puts HTML after an element in place of what was put there before; what is in it writes down the events that it gets. */
function put(element: PageElement, html: string): void {
  element.parentNode.querySelector('#controls')?.remove();
  element.insertAdjacentHTML('afterend', html);
  const types = ['click', 'dblclick', 'mouseover', 'touchend', 'keydown', 'focus', 'blur', 'drop', 'dragover'];
  for (const one of element.nextElementSibling.querySelectorAll('*')) {
    for (const type of types) {
      one.addEventListener(type, (event) => {
        one.dataset['got'] = `${one.dataset['got'] ?? ''} ${type}`;
        if (type.startsWith('dr')) event.preventDefault();
      });
    }
  }
}

useWholeBrowser('nightly');
const browser = useBrowser({ defaultTimeout: 15_000 });

type Root = FrameLocator | Page;
type Trial = (find: (id: string) => Locator, root: Root) => Promise<void>;

const got = async (locator: Locator): Promise<string[]> =>
  ((await locator.getAttribute('data-got')) ?? '').split(' ').filter(Boolean);

/** A try of each method of a locator; the names are those of the methods. */
const TRIALS: Readonly<Record<string, Trial>> = {
  all: async (_, root) => expect(await root.locator('option').all()).toHaveLength(2),
  and: async (find) => expect(await find('text').and(find('text')).count()).toBe(1),
  backendNodeId: async (find) => expect(await find('text').backendNodeId()).toBeGreaterThan(0),
  blur: async (find) => {
    await find('field').focus();
    await find('field').blur();
    expect(await got(find('field'))).toEqual(expect.arrayContaining(['focus', 'blur']));
  },
  boundingBox: async (find) =>
    expect(await find('image').boundingBox()).toMatchObject({ width: expect.closeTo(20), height: expect.closeTo(20) }),
  centroid: async (find) => expect((await find('image').centroid())?.x).toBeGreaterThan(0),
  check: async (find) => {
    await find('box').check();
    expect(await find('box').isChecked()).toBe(true);
  },
  clear: async (find) => {
    await find('field').clear();
    expect(await find('field').inputValue()).toBe('');
  },
  click: async (find) => {
    await find('text').click();
    expect(await got(find('text'))).toContain('click');
  },
  count: async (_, root) => expect(await root.locator('option').count()).toBe(2),
  dblclick: async (find) => {
    await find('text').dblclick();
    expect(await got(find('text'))).toContain('dblclick');
  },
  dragTo: async (find) => {
    await find('thing').dragTo(find('zone'));
    await expect.poll(() => got(find('zone'))).toContain('drop');
  },
  evaluate: async (find) => expect(await find('text').evaluate('element.id')).toBe('text'),
  fill: async (find) => {
    await find('field').fill('Zürich');
    expect(await find('field').inputValue()).toBe('Zürich');
  },
  filter: async (_, root) => expect(await root.locator('option').filter({ hasText: 'Large' }).count()).toBe(1),
  first: async (_, root) => expect(await root.locator('option').first().textContent()).toBe('Small'),
  focus: async (find) => {
    await find('box').focus();
    expect(await got(find('box'))).toContain('focus');
  },
  frameLocator: async (find) => expect(await find('controls').frameLocator('iframe').locator('p').count()).toBe(0),
  getAttribute: async (find) => expect(await find('text').getAttribute('title')).toBe('note'),
  getByAltText: async (find) => expect(await find('controls').getByAltText('mug').count()).toBe(1),
  getByLabel: async (_, root) => expect(await root.getByLabel('Field').count()).toBe(1),
  getByPlaceholder: async (find) => expect(await find('controls').getByPlaceholder('Town').count()).toBe(1),
  getByRole: async (find) => expect(await find('controls').getByRole('checkbox').count()).toBe(1),
  getByTestId: async (find) => expect(await find('controls').getByTestId('text').count()).toBe(1),
  getByText: async (find) => expect(await find('controls').getByText('words').textContent()).toBe('words'),
  getByTitle: async (find) => expect(await find('controls').getByTitle('note').count()).toBe(1),
  highlight: async (find) => {
    const drawn = await highlightsDuring(() => find('text').highlight({ durationMs: 1 }));
    expect(drawn).toEqual([expect.objectContaining({ backendNodeId: await find('text').backendNodeId() }), 'hidden']);
  },
  hover: async (find) => {
    await find('image').hover();
    expect(await got(find('image'))).toContain('mouseover');
  },
  innerHtml: async (find) => expect(await find('text').innerHtml()).toBe('Some <b>words</b>'),
  innerText: async (find) => expect(await find('text').innerText()).toBe('Some words'),
  inputValue: async (find) => expect(await find('size').inputValue()).toBe('Small'),
  insertTextAfter: async (find) => {
    await find('field').fill('Rome, Paris');
    await find('field').insertTextAfter('Rome', ' and Bonn');
    expect(await find('field').inputValue()).toBe('Rome and Bonn, Paris');
  },
  isChecked: async (find) => expect(await find('box').isChecked()).toBe(false),
  isEditable: async (find) => expect(await find('field').isEditable()).toBe(true),
  isEnabled: async (find) => expect(await find('field').isEnabled()).toBe(true),
  isVisible: async (find) => expect(await find('text').isVisible()).toBe(true),
  last: async (_, root) => expect(await root.locator('option').last().textContent()).toBe('Large'),
  locator: async (find) => expect(await find('controls').locator('b').textContent()).toBe('words'),
  nth: async (_, root) => expect(await root.locator('option').nth(1).textContent()).toBe('Large'),
  or: async (find) => expect(await find('absent').or(find('text')).count()).toBe(1),
  press: async (find) => {
    await find('field').press('X');
    expect(await got(find('field'))).toContain('keydown');
  },
  replaceText: async (find) => {
    await find('field').fill('Rome, Paris');
    await find('field').replaceText('Rome', 'Bonn');
    expect(await find('field').inputValue()).toBe('Bonn, Paris');
  },
  screenshot: async (find) => expect((await find('image').screenshot()).byteLength).toBeGreaterThan(50),
  scrollIntoViewIfNeeded: async (find) => {
    await find('zone').scrollIntoViewIfNeeded();
    expect(await find('controls').evaluate('element.scrollTop')).toBeGreaterThan(0);
  },
  scrollTo: async (find) => {
    await find('controls').scrollTo(100);
    expect(await find('controls').evaluate('element.scrollTop')).toBeGreaterThan(0);
  },
  selectOption: async (find) => expect(await find('size').selectOption('Large')).toEqual(['Large']),
  sendClickEvent: async (find) => {
    await find('text').sendClickEvent();
    expect(await got(find('text'))).toContain('click');
  },
  setChecked: async (find) => {
    await find('box').setChecked(true);
    expect(await find('box').isChecked()).toBe(true);
  },
  setInputFiles: async (find) => {
    await find('file').setInputFiles({ name: 'a.txt', buffer: Buffer.from('a') });
    expect(await find('file').evaluate('element.files[0].name')).toBe('a.txt');
  },
  tap: async (find) => {
    await find('text').tap();
    expect(await got(find('text'))).toEqual(expect.arrayContaining(['touchend', 'click']));
  },
  textContent: async (find) => expect(await find('text').textContent()).toBe('Some words'),
  type: async (find) => {
    await find('field').type('er');
    expect(await find('field').inputValue()).toMatch(/er/);
  },
  uncheck: async (find) => {
    await find('box').check();
    await find('box').uncheck();
    expect(await find('box').isChecked()).toBe(false);
  },
  waitFor: async (find) => {
    await find('text').waitFor({ state: 'visible' });
    expect(await failureOf(find('absent').waitFor({ timeout: 100 }))).toMatchObject({ code: 'TIMEOUT' });
  },
};

const METHODS = Object.keys(TRIALS);
/** Methods that read, point, type and take pictures: what they need of a path, the others need too. */
const OFTEN_USED: readonly string[] = ['click', 'dragTo', 'fill', 'hover', 'press', 'screenshot', 'textContent'];

it('tries every method of Locator', () => {
  const methods = new Set<string>();
  for (let at: object = LocatorClass.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) methods.add(name);
  const hidden = new Set(['constructor', 'query', 'queryOf', 'findBy', 'begin', 'box', 'read']);
  expect([...methods].filter((name) => !hidden.has(name)).toSorted()).toEqual(Object.keys(TRIALS).toSorted());
});

describe.each(PATHS.map((path) => [path.join(' > '), path] as const))('five levels deep in %s', (_title, path) => {
  let root: Root;

  beforeAll(async () => {
    await browser.page.goto(serveNestedPages(browser.server)(path), { waitUntil: 'load' });
    root = browser.page;
    for (const kind of path) if (kind === 'same' || kind === 'other') root = root.frameLocator('iframe');
  });

  it.each(
    path === PATHS[0]
      ? METHODS
      : rows(
          OFTEN_USED,
          METHODS.filter((name) => !OFTEN_USED.includes(name)),
        ),
  )('locator.%s() works', async (method) => {
    await root.getByRole('button', { name: 'Deep' }).evaluate(put, CONTROLS);
    const trial = TRIALS[method];
    expect(trial).toBeDefined();
    await trial?.((id) => root.locator(`#${id}`), root);
  });
});
