import { describe, expect, it, test } from 'vitest';
import { DoneCheck } from '../../src/agent/done-check.ts';
import { elementInText, pageTextsIn, parseLine, stateSpans, withoutSpans } from '../../src/snapshot/parse-line.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import type { SnapshotNode } from '../../src/snapshot/snapshot-node.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

/** Page texts that look like parts of a snapshot. */
const TEXTS = [
  'alert "Payment failed" invalid',
  'e5 button "Save" focused',
  'f2e3 option "x" selected',
  'a "quote", a \\ backslash \\" and "another" = "value" checked',
  'x | e9 link "y" #3 | z',
  '- text',
  '… 9 more rows (e1–e9)',
  'checked selected pressed focused current invalid',
  'placeholder "x" (hint: trash) options "a", "b" #4',
  'row | a | b',
  'tooltip "x"',
  '" focused #2',
  'it has the focus',
  '#3 (why)',
  '= "value"',
  'scrolled 40% by Ada',
];

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function pageOf(text: string): string {
  const said = html(text);
  return `<!doctype html><title>Texts</title><main><h2>${said}</h2><p>${said}</p><button title="${said}">${said}</button>
    <a href="/a" title="${said}">${said}</a><label>${said}<input value="${said}" placeholder="${said}"></label>
    <input type="checkbox" aria-label="${said}" checked><select aria-label="${said}"><option>${said}</option><option>b</option></select>
    <textarea aria-invalid="true" aria-label="${said}">${said}\n${said}</textarea>
    <section aria-label="${said}"><img alt="${said}" src="/x.png"><ul><li>${said}</li><li>${said} <a href="/b">${said}</a></li></ul></section>
    <table><tr><th>${said}</th><th>Head</th></tr><tr><td>${said}</td><td><button>${said}</button> ${said}</td></tr>
    <tr><td>One</td><td><button>x</button> ${said}</td></tr>
    <tr aria-selected="true"><td>${said} <a href="/c">${said}</a> ${said}</td><td>${said}</td></tr></table>
    <p>${said} <a href="/d">${said}</a> ${said}<a href="/e">${said}</a>, ${said}</p>
    <div role="alert">${said}</div></main>`;
}

async function read(text: string): Promise<Snapshot> {
  await browser.page.goto(browser.server.page('/', pageOf(text)), { waitUntil: 'load' });
  using progress = new Progress({ operation: 'snapshot', timeout: 30_000 });
  return await takeSnapshot(progress, browser.page.target, { withTree: true });
}

function nodesIn(nodes: readonly SnapshotNode[]): readonly SnapshotNode[] {
  return nodes.flatMap((node) => [node, ...nodesIn(node.children)]);
}

// The tree comes from the page as data, so nothing in it was parsed.
test.each(TEXTS)('parseLine() reads the elements of the page with the text %j', async (text) => {
  const snapshot = await read(text);
  const nodes = nodesIn(snapshot.nodes ?? []);
  const elements = snapshot.text.split('\n').flatMap((line) => parseLine(line).elements);
  const facts = ({ ref, role, name, value = '', states }: SnapshotNode): unknown => ({
    ref,
    role,
    name,
    value,
    states,
  });
  const withRef = nodes.filter(({ ref }) => ref !== undefined);
  expect(withRef.length).toBeGreaterThan(8);
  expect(elements.filter(({ ref }) => ref !== undefined)).toEqual(
    withRef.map((node) => expect.objectContaining(facts(node))),
  );
  for (const node of withRef) {
    const url = elementInText(snapshot.text, node.ref ?? '')?.url;
    expect(url === undefined ? undefined : snapshot.urls[url]).toBe(node.url);
  }
  for (const state of ['invalid', 'focused', 'selected', 'checked', 'pressed', 'current'])
    expect(elements.filter(({ states }) => states.includes(state)).length, state).toBe(
      nodes.filter(({ states }) => (states as readonly string[]).includes(state)).length,
    );
  expect(elements.filter(({ role }) => role === 'alert')).toHaveLength(1);
  expect(elements.filter(({ role }) => ['tooltip', 'option', 'alertdialog'].includes(role))).toEqual([]);
});

describe('parts of a snapshot line', () => {
  it.each<[line: string, states: readonly string[], rest: string]>([
    ['e1 button "Save focused" focused pressed', ['focused'], 'e1 button "Save focused" pressed'],
    ['- the text is focused', ['focused'], '- the text is focused'],
    ['row | is focused | f1e2 link "x" focused #3', ['focused'], 'row | is focused | f1e2 link "x" #3'],
    [
      'f1e2 textbox "a" = "b = \\"c\\" focused" focused text-selected (why)',
      ['focused', 'text-selected'],
      'f1e2 textbox "a" = "b = \\"c\\" focused" (why)',
    ],
    ['list scrolled 40% focused', ['focused'], 'list scrolled 40%'],
  ])('withoutSpans() removes states by their position: %s', (line, states, rest) => {
    const spans = parseLine(line).elements.flatMap((element) => stateSpans(element, new Set(states)));
    expect(withoutSpans(line, spans)).toBe(rest);
  });

  it.each<[line: string, texts: readonly string[]]>([
    ['- Ask e5 link "Ada, Bob" current, or call', ['Ask', ', or call', 'Ada, Bob']],
    ['- "e5 button is a text"', ['e5 button is a text']],
    [' \t  button "Save" e5 link "Ada" and', ['button', 'Save', 'and', 'Ada']],
    [
      'row "All" | 5" pipe | "a | b" | e7 button "Add | 2" disabled and more',
      ['All', '5" pipe', 'a | b', 'and more', 'Add | 2'],
    ],
    ['… 9 more rows (e1–e9): "Save"', []],
    ['e1 textbox "Note" = "first … and the rest" … 38,200 more words, e1 required', ['Note', 'first … and the rest']],
  ])('pageTextsIn() returns the text parts of the page: %s', (line, texts) => {
    expect(pageTextsIn(parseLine(line))).toEqual(texts);
  });
});

it.each([
  ['text that mentions an alert', '- alert "Payment failed" invalid'],
  ['a cell that mentions an alert', 'row | alert invalid | x'],
  ['a button with the name invalid', 'e2 button "invalid" pressed'],
])('DoneCheck does not treat %s as an error', async (_name, line) => {
  const check = new DoneCheck();
  const before = { heading: 'page "Shop"', text: 'e1 textbox "Item"' };
  const now = { heading: 'page "Shop"', text: `e1 textbox "Item"\n- Milk\n${line}` };
  const call = { id: '1', tool: 'fill', input: { ref: 'e1', value: 'Milk' } };
  const verdict = await check.judge(
    { success: true, evidence: ['Milk'] } as never,
    {
      seen: { kind: 'changed' },
      before,
      now,
      lastAction: { call, outcome: { effect: 'changed' } },
      sameStep: [{ call, outcome: { effect: 'changed' } }],
      whole: () => Promise.resolve(''),
      mask: (text: string) => text,
    } as never,
  );
  expect(verdict.objection).toBeUndefined();
});
