import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../../apps/http-app.ts';
import type { ActAnswer, ModelRequest } from '../../src/model/model-client.ts';
import { ScriptedModel } from '../../src/testing.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

beforeAll(() => {
  const script = readFileSync(join(packageDirectory('sortablejs'), 'Sortable.min.js'), 'utf8');
  browser.server.page('/sortable.js', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  });
});

const STYLE = `<style>body { margin: 8px } h2 { margin: 0; font-size: 16px }
  .pane, section, .bin, ul, .rows { min-height: 60px; width: 300px; margin: 8px; padding: 4px; border: 1px solid }</style>`;

async function open(html: string): Promise<void> {
  const page = `<!doctype html><title>-</title>${STYLE}${html}`;
  await browser.page.goto(browser.server.page('/', page), { waitUntil: 'load' });
}

/** The page as a model is shown it. */
function linesShown({ messages }: ModelRequest): readonly string[] {
  return (messages[1]?.text ?? '').split('\n').map((line) => line.trim());
}

/** A model that drags what one line of the page is about onto what another is about. */
function dragger(thing: string, place: string): ScriptedModel {
  return new ScriptedModel((request): ActAnswer => {
    const refIn = (words: string): string =>
      /^(e\d+) /.exec(linesShown(request).find((line) => line.endsWith(words)) ?? '')?.[1] ?? '';
    const action = { ref: refIn(thing), method: 'dragAndDrop', arguments: [refIn(place)], description: thing };
    return { action, twoStep: false, reason: '', candidates: [] };
  });
}

const card = (name: string): string => `<div class="card" draggable="true">${name}</div>`;
const SOURCE = `<div class="pane"><h2>To do</h2>${card('Report')}${card('Invoice')}</div>`;
/** Listens as pages do, without a trace in their elements. */
const LISTENS = `<script>
  addEventListener('dragstart', (event) => event.dataTransfer.setData('text', event.composedPath()[0].textContent));
  addEventListener('dragover', (event) => event.target.closest('#goal') && event.preventDefault());
  addEventListener('drop', (event) => { event.preventDefault(); document.title = event.dataTransfer.getData('text') + ' in the goal' });
</script>`;

describe('drop targets for HTML drag and drop', () => {
  it.each<[title: string, html: string, line: string]>([
    [
      'with the same class as the source',
      `<div>${SOURCE}<div class="pane" id="goal"><h2>Done</h2></div></div>`,
      'generic droppable\n heading 2 "Done"',
    ],
    [
      'next to the source when neither has a class',
      `<div>${SOURCE.replace(' class="pane"', '')}<div id="goal" style="height: 60px"><h2>Done</h2></div></div>`,
      'generic droppable\n heading 2 "Done"',
    ],
    [
      'that has only an id and a class of its author',
      `${SOURCE}<div id="goal" class="bin"></div>`,
      'generic droppable (goal)',
    ],
    [
      'with an `ondrop` attribute',
      `${SOURCE}<section id="goal" ondrop="1"><h2>Done</h2></section>`,
      'generic droppable\n heading 2 "Done"',
    ],
    [
      'that is an unnamed list in a shadow root',
      `<div id="host"></div><script>host.attachShadow({ mode: 'open' }).innerHTML = \`<style>ul { height: 60px }</style><h2>To do</h2><ul class="l"><li draggable="true">Report</li></ul><h2>Done</h2><ul class="l" id="list"></ul>\`;
        host.shadowRoot.addEventListener('dragover', (event) => event.target.id === 'list' && event.preventDefault());</script>`,
      'list droppable (list)',
    ],
  ])('drops the card on an element %s', async (title, html, line) => {
    await open(html + LISTENS);
    const { text } = await browser.page.snapshot();
    expect(text.replaceAll(/^ *e\d+ | (?= )/gm, '')).toContain(line);
    await browser.driver.act(`drag the report card to ${title.includes('author') ? 'the goal' : 'Done'}`);
    expect(await browser.page.title()).toBe('Report in the goal');
  });

  it('drops the card on the element whose ref the model returns', async () => {
    await open(`${SOURCE}<div id="goal" class="bin"></div>${LISTENS}`);
    await browser.driver.act('drag the report to the bin', { model: dragger('"Report" draggable', '(goal)') });
    expect(await browser.page.title()).toBe('Report in the goal');
  });
});

describe('elements that only scripts make draggable', () => {
  const lists = (list: (id: string, names: readonly string[]) => string): string =>
    `<h2>To do</h2>${list('one', ['Report', 'Invoice', 'Offer'])}<h2>Done</h2>${list('two', [])}`;
  const ofDivs = lists(
    (id, names) => `<div class="rows" id="${id}">${names.map((name) => `<div>${name}</div>`).join('')}</div>`,
  );
  const ofItems = lists((id, names) => `<ul id="${id}">${names.map((name) => `<li>${name}</li>`).join('')}</ul>`);
  const sorted = (options: string): string =>
    `<script src="/sortable.js"></script><script>for (const list of [one, two]) Sortable.create(list, { group: 'cards', animation: 0${options} })</script>`;
  const pointer = ', forceFallback: true, fallbackTolerance: 0';
  const names = (): Promise<unknown> =>
    browser.page.evaluate(
      "[one, two].map((list) => [...list.children].map((item) => item.textContent).join(' ')).join(' | ')",
    );

  it.each([
    [
      'between SortableJS lists in fallback mode',
      ofDivs + sorted(pointer),
      'drag Report to Done',
      'Invoice Offer | Report',
    ],
    [
      'between SortableJS lists with HTML drag events',
      ofItems + sorted(''),
      'move Report to Done',
      'Invoice Offer | Report',
    ],
    ['within a SortableJS list', ofDivs + sorted(pointer), 'drag Report below Offer', 'Invoice Offer Report | '],
  ])('gives refs to items and moves one %s', async (_what, html, instruction, after) => {
    await open(html);
    expect((await browser.page.snapshot()).text).toMatch(/e1 \w+ "Report" clickable\n *e2 \w+ "Invoice" clickable/);
    await browser.driver.act(instruction);
    await expect.poll(names).toBe(after);
  });

  it('moves an item to the list whose ref the model returns', async () => {
    await open(ofDivs + sorted(pointer));
    await browser.driver.act('drag Report to Done', { model: dragger('generic "Report" clickable', '(two)') });
    await expect.poll(names).toBe('Invoice Offer | Report');
  });
});

it.each(['choose Large from the drop-down', 'open the dropdown', 'press Next to move on'])(
  'adds no refs for %j on a page without draggable elements',
  async (instruction) => {
    await open(
      '<h2>Sizes</h2><ul><li>Small</ul><div class="bin"></div><div class="column">Text</div><button>Next</button>',
    );
    const model = new ScriptedModel(() => ({ action: null, twoStep: false, reason: 'none', candidates: [] }));
    await browser.driver.act(instruction, { model });
    const shown = model.requests.flatMap(linesShown).filter((line) => /^e\d/.test(line));
    expect(shown).toEqual([expect.stringMatching(/^e\d+ button "Next"$/)]);
  },
);

it('lists empty boxes as drop targets, but no grid lines', async () => {
  const lines =
    '<div class="line" style="position: absolute; width: 60px; height: 90px; border-left: 1px solid"></div>';
  const slots = '<div class="slot-box" style="position: absolute; width: 60px; height: 90px; border: 1px solid"></div>';
  await open(
    `<div class="grid">${lines.repeat(4)}</div><div style="height: 1px; background: red" class="rule"></div><div class="board">${slots.repeat(4)}</div><div class="rest" style="height: 40px"></div>`,
  );
  const model = new ScriptedModel(() => ({ action: null, twoStep: false, reason: 'none', candidates: [] }));
  await browser.driver.act('drag Design to the second box', { model });
  const shown = model.requests.flatMap(linesShown).filter((line) => /^e\d/.test(line));
  expect(shown.map((line) => /\(.*/.exec(line)?.[0])).toEqual([...Array(4).fill('(slot-box)'), '(rest)']);
});

it('lists drop targets when observe() gets no instruction', async () => {
  await open(`${SOURCE}<div id="goal" class="bin"></div>`);
  expect((await browser.driver.observe()).map(({ method, description }) => `${method} ${description}`)).toEqual([
    'hover drop target "To do"',
    'click element "Report"',
    'click element "Invoice"',
    'hover drop target "goal"',
  ]);
});
