import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useCache } from '../cache/cache-bench.ts';
import { call, type Call, runTask, done, entryText, on } from './task-bench.ts';
import { rows } from '../support/nightly-rows.ts';

const bench = useCache();
let number = 0;
let path = '';

beforeEach(() => {
  number += 1;
  path = `/task-${number}`;
});

const FORM = `<h1>Profile</h1>
  <section><h2>About you</h2><label>First name <input id=name></label><label><input type=checkbox id=news> News</label></section>
  <section><h2>Actions</h2><button id=save onclick="said.textContent = 'Saved ' + document.querySelector('[data-f=name], #name').value">Save</button></section>
  <p id=said></p>`;
/** The same for a person: other ids and classes, other boxes, another order. */
const REARRANGED = `<h1>Profile</h1><p id=said></p><main class=x1>
  <div><section class=b><h2>Actions</h2><div><button id=b17 class=primary onclick="said.textContent = 'Saved ' + document.querySelector('[data-f=name], #name').value">Save</button></div></section></div>
  <div><section class=a><h2>About you</h2><div><label><input type=checkbox id=c9> News</label></div><div><label>First name <input data-f=name></label></div></section></div></main>`;

const TASK = {
  instruction: 'Enter %who% as the first name, subscribe to the news, and save',
  variables: { who: 'Ada Lovelace' },
};
const FILL: Call = on('fill', 'textbox', 'First name', { text: '%who%' });
const STEPS: readonly (readonly Call[])[] = [
  [FILL, on('check', 'checkbox', 'News')],
  [on('click', 'button', 'Save')],
  [done('The profile is saved.')],
];

function said(): Promise<string> {
  return bench.page.locator('#said').textContent();
}

it('replays a task with another variable value and without a model call, and logs it', async () => {
  await bench.open(FORM, path);
  const first = await runTask(bench, TASK, STEPS);
  expect(first.result).toMatchObject({ success: true, metadata: { replayedSteps: 0 } });
  await bench.open(FORM, path);
  const { result, requests } = await runTask(bench, { ...TASK, variables: { who: 'Grace Hopper' } });
  expect(await said()).toBe('Saved Grace Hopper');
  expect(requests).toEqual([]);
  expect(result).toMatchObject({
    success: true,
    completed: true,
    message: 'The profile is saved.',
    usage: { promptTokens: 0, completionTokens: 0 },
    metadata: { replayedSteps: 3 },
  });
  expect(result.actions.map(({ tool, success, effect, step }) => [tool, success, effect, step])).toEqual([
    ['fill', true, 'changed', 0],
    ['check', true, 'changed', 0],
    ['click', true, 'changed', 0],
  ]);
  expect(bench.lines.filter(({ category }) => category === 'agent').map(({ message }) => message)).toContain(
    '3 of 3 steps were replayed without a model.',
  );
  const text = await entryText(bench, path);
  expect(text).toContain('"%who%"');
  expect(text).not.toMatch(/Lovelace|Hopper/);
});

it('finds recorded elements on a rearranged page, and stores their new XPaths', async () => {
  await bench.open(FORM, path);
  await runTask(bench, TASK, STEPS);
  await bench.open(REARRANGED, path);
  const { result } = await runTask(bench, TASK);
  expect(result).toMatchObject({ success: true, metadata: { replayedSteps: 3 } });
  expect(await said()).toBe('Saved Ada Lovelace');
  expect(await bench.page.locator('#c9').isChecked()).toBe(true);
  // The entry was stored again with the current XPaths.
  const before = bench.lines.length;
  await bench.open(REARRANGED, path);
  await runTask(bench, TASK);
  expect(bench.lines.slice(before).filter(({ message }) => message.startsWith('Healed'))).toEqual([]);
});

it('continues with the model at the first step that does not match, and stores the new steps', async () => {
  await bench.open(FORM, path);
  await runTask(bench, TASK, STEPS);
  const changed = FORM.replace('>Save<', '>Store profile<');
  await bench.open(changed, path);
  const { result, requests } = await runTask(bench, TASK, [
    [on('click', 'button', 'Store profile')],
    [done('The profile is saved.')],
  ]);
  expect(requests).toHaveLength(2);
  expect(result).toMatchObject({ success: true, metadata: { replayedSteps: 2 } });
  expect(result.actions.map(({ tool, step }) => [tool, step])).toEqual([
    ['fill', 0],
    ['check', 0],
    ['click', 1],
    ['done', 2],
  ]);
  const [task, already, page] = (requests[0]?.messages ?? []).filter(({ role }) => role === 'user');
  expect(task?.text).toContain(TASK.instruction);
  expect(already?.text).toMatch(
    /1\. Done, cached: fill textbox "First name"[\s\S]*2\. Done, cached: check checkbox "News"/,
  );
  expect(already?.text).toContain('The next recorded step no longer matches');
  expect(already?.text).toContain('click button "Save": no actionable button "Save"');
  expect(page?.text).toContain('Store profile');
  await bench.open(changed, path);
  expect((await runTask(bench, TASK)).result.metadata.replayedSteps).toBe(3);
  expect(await said()).toBe('Saved Ada Lovelace');
});

it('continues with the model when a replayed step has another effect', async () => {
  const page = (link: string): string => `<h1>Start</h1>${link}<p id=said></p>`;
  bench.server.page(
    '/next',
    '<!doctype html><h1>Next</h1><button onclick="document.title = 1; this.textContent = \'Ended\'">End</button>',
  );
  await bench.open(page('<a href="/next">Go on</a>'), path);
  await runTask(bench, 'Go on and end it', [[on('click', 'link', 'Go on')], [on('click', 'button', 'End')], [done()]]);
  await bench.open(page('<a href="#" onclick="return false">Go on</a>'), path);
  const { result, requests } = await runTask(bench, 'Go on and end it', [
    [call('done', { success: false, message: 'The link does nothing.' })],
  ]);
  expect(result).toMatchObject({ success: false, metadata: { replayedSteps: 0 } });
  expect(requests[0]?.messages.map(({ text }) => text).join('\n')).toContain(
    'its effect was "navigated" in the recorded run and is "none-observed" now',
  );
});

describe('new elements with the recorded name', () => {
  const TIDY = 'Tidy up the list with Delete';
  const item = (words: string): string =>
    `<div>${words} <button onclick="said.textContent += '${words}'">Delete</button></div>`;
  const list = (...items: readonly string[]): string => `<div>${items.map(item).join('')}</div><p id=said></p>`;

  it.each(
    rows(
      [['before the recorded one', list('Soap', 'Bread')]],
      [['after the recorded one', list('Bread', 'Soap', 'Milk')]],
    ),
  )('replays the click on the recorded element when new ones appear %s', async (_title, now) => {
    await bench.open(list('Bread'), path);
    await runTask(bench, TIDY, [[on('click', 'button', 'Delete')], [done('It is tidy.', { evidence: ['Bread'] })]]);
    await bench.open(now, path);
    const { result, requests } = await runTask(bench, TIDY);
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ success: true, metadata: { replayedSteps: 1 } });
    expect(await said()).toBe('Bread');
  });

  it('continues with the model when the list no longer contains the recorded element', async () => {
    await bench.open(list('Bread'), path);
    await runTask(bench, TIDY, [[on('click', 'button', 'Delete')], [done('It is tidy.')]]);
    await bench.open(list('Soap', 'Milk'), path);
    const { result, requests } = await runTask(bench, TIDY, [[done('It is tidy.')]]);
    expect(requests).toHaveLength(1);
    expect(result.metadata.replayedSteps).toBe(0);
    expect(await said()).toBe('');
  });
});

it('waits for an element that appears 250 ms after a replayed click', async () => {
  const late = `<button onclick="setTimeout(() => { later.innerHTML = '<button onclick=&quot;said.textContent = 1&quot;>Second</button>' }, 250)">First</button>
    <div id=later></div><p id=said></p>`;
  await bench.open(late, path);
  await runTask(bench, 'Press both', [
    [on('click', 'button', 'First')],
    [call('wait', { text: 'Second' })],
    [on('click', 'button', 'Second')],
    [done()],
  ]);
  await bench.open(late, path);
  expect((await runTask(bench, 'Press both')).result).toMatchObject({ success: true });
  expect(await said()).toBe('1');
});

it('waits for frame content that appears 700 ms after a replayed click', async () => {
  const open = (delay: number): Promise<void> => {
    bench.server.page(
      '/frame',
      `<p></p><script>onmessage = () => setTimeout(() => { document.querySelector('p').textContent = 'Shown' }, ${delay})</script>`,
    );
    return bench.open(
      `<button onclick="frames[0].postMessage('', '*')">Show</button><iframe src=/frame></iframe>`,
      path,
    );
  };
  await open(0);
  await runTask(bench, 'Show it', [[on('click', 'button', 'Show')], [done()]]);
  await open(700);
  expect((await runTask(bench, 'Show it')).result).toMatchObject({ success: true, metadata: { replayedSteps: 1 } });
});

it('waits for a page that opens 700 ms after a replayed click', async () => {
  bench.server.page('/late', '<!doctype html><h1>Late</h1>');
  const opens = (delay: number): string =>
    `<button onclick="setTimeout(() => window.open('/late'), ${delay})">Open</button>`;
  await bench.open(opens(0), path);
  await runTask(bench, 'Open it', [[on('click', 'button', 'Open')], [call('tabs', { what: 'close' })], [done()]]);
  await bench.open(opens(700), path);
  expect((await runTask(bench, 'Open it')).result).toMatchObject({ success: true, metadata: { replayedSteps: 2 } });
});

describe('result of a replay', () => {
  const price = (cents: number): string =>
    `<h1>Blue mug</h1><button onclick="said.textContent = 'Price: ${cents}'">Show price</button><p id=said></p>`;
  const SHOW = [on('click', 'button', 'Show price')];

  it('contains current output, for one model call', async () => {
    const task = { instruction: 'Show the price', output: z.object({ cents: z.number() }) };
    const end = (cents: number): readonly Call[] => [done('Read.', { output: { cents } })];
    await bench.open(price(900), path);
    await runTask(bench, task, [SHOW, end(900)]);
    await bench.open(price(950), path);
    const { result, requests } = await runTask(bench, task, [end(950)]);
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({ success: true, output: { cents: 950 }, metadata: { replayedSteps: 1 } });
    // The same sentence without data is another task.
    await bench.open(price(950), path);
    expect((await runTask(bench, 'Show the price', [SHOW, [done()]])).requests).toHaveLength(2);
  });

  it.each([
    ['the recorded message has a number from the page', 'Show the price', 'It is shown: 900.'],
    ['the task asks for an answer', 'Show the price and tell whether it is low', 'It is low.'],
  ])('requests a new message from the model when %s', async (_title, instruction, message) => {
    await bench.open(price(900), path);
    await runTask(bench, instruction, [SHOW, [done(message)]]);
    await bench.open(price(950), path);
    const { result, requests } = await runTask(bench, instruction, [[done('Now it is 950.')]]);
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({ message: 'Now it is 950.', metadata: { replayedSteps: 1 } });
  });

  it('requests a new result from the model when the page no longer shows the evidence', async () => {
    await bench.open(price(900), path);
    const end = (evidence: string): readonly Call[] => [done('The price is shown.', { evidence: [evidence] })];
    await runTask(bench, 'Show the price', [SHOW, end('Price: 900')]);
    await bench.open(price(950), path);
    expect((await runTask(bench, 'Show the price', [end('Price: 950')])).requests).toHaveLength(1);
  });
});

describe('task that depends on the page', () => {
  const mug = (name: string, price: number): string =>
    `<li><h3>${name} mug</h3><p>€${price}</p><button onclick="said.textContent += '${name}'">Add</button></li>`;
  const shop = (red: number, blue: number): string => `${mug('Red', red)}${mug('Blue', blue)}<p id=said></p>`;
  const add =
    (place: number): Call =>
    ({ page }) => ({
      tool: 'click',
      input: { ref: [...page.text.matchAll(/(e\d+) button "Add"/g)].map(([, ref]) => ref)[place] },
    });

  it.each(rows(['Add the cheapest mug'], ['Add a mug that costs less than 10', 'If there is a mug for €9, add it']))(
    'replays "%s" only while the page content is the same',
    async (instruction) => {
      await bench.open(shop(9, 12), path);
      await runTask(bench, instruction, [[add(0)], [done()]]);
      await bench.open(shop(9, 12), path);
      expect((await runTask(bench, instruction)).result).toMatchObject({ success: true });
      expect(await said()).toBe('Red');
      await bench.open(shop(9, 5), path);
      const { result, requests } = await runTask(bench, instruction, [[add(1)], [done()]]);
      expect(await said()).toBe('Blue');
      expect(result.metadata.replayedSteps).toBe(0);
      expect(requests).toHaveLength(2);
    },
  );

  it('replays a task after a page change when its word "all" belongs to a button name', async () => {
    const page = (text: string): string => `<p>${text}</p><button onclick="said.textContent = 'Saved'">Save all</button>
      <p id=said></p>`;
    await bench.open(page('Monday'), path);
    await runTask(bench, 'Press Save all', [
      [on('click', 'button', 'Save all')],
      [done('Done.', { evidence: ['Saved'] })],
    ]);
    await bench.open(page('Tuesday'), path);
    expect((await runTask(bench, 'Press Save all')).result).toMatchObject({ success: true });
  });

  it('continues with the model when a page that the replay opens has changed', async () => {
    const list = (count: number): string =>
      `<ul>${Array.from({ length: count }, (_, index) => `<li><button onclick="this.closest('li').remove()">Delete task ${index}</button></li>`).join('')}</ul>`;
    const deletion = (task: number): Call => on('click', 'button', `Delete task ${task}`);
    bench.server.page('/tasks', `<!doctype html>${list(1)}`);
    const start = '<h1>Start</h1><a href="/tasks">Tasks</a>';
    await bench.open(start, path);
    const open = on('click', 'link', 'Tasks');
    await runTask(bench, 'Open the tasks and delete all', [[open], [deletion(0)], [done()]]);
    bench.server.page('/tasks', `<!doctype html>${list(2)}`);
    await bench.open(start, path);
    const { result } = await runTask(bench, 'Open the tasks and delete all', [[deletion(0)], [deletion(1)], [done()]]);
    expect(result.metadata.replayedSteps).toBe(1);
    expect(await bench.page.locator('button').count()).toBe(0);
  });
});

describe('recorded action', () => {
  it.each([
    ['a button with `aria-pressed`', '<button aria-pressed=false', 'button', 'button'],
    ['a switch', '<span role=switch tabindex=0 aria-checked=false', 'span', 'switch'],
  ])('does not replay the click on %s that is already on', async (_title, opening, tag, role) => {
    const attribute = role === 'switch' ? 'aria-checked' : 'aria-pressed';
    const page = (start: string): string =>
      `${start} onclick="this.setAttribute('${attribute}', this.getAttribute('${attribute}') !== 'true')">Dark mode</${tag}>`;
    await bench.open(page(opening), path);
    const evidence = { evidence: ['Dark mode'] };
    await runTask(bench, 'Turn on dark mode', [[on('click', role, 'Dark mode')], [done('Done.', evidence)]]);
    await bench.open(page(opening), path);
    expect((await runTask(bench, 'Turn on dark mode')).result.metadata.replayedSteps).toBe(1);
    await bench.open(page(opening.replace('false', 'true')), path);
    const { result } = await runTask(bench, 'Turn on dark mode', [[done('It was on.', evidence)]]);
    expect(result).toMatchObject({ success: true, metadata: { replayedSteps: 0 } });
    expect(await bench.page.locator(tag).getAttribute(attribute)).toBe('true');
  });

  it.each(
    rows(
      [
        ['an input', '<input', ' value="Ada"', '>'],
        ['a contenteditable element', '<div role=textbox contenteditable', '', '>Ada</div>'],
      ],
      [['a textarea', '<textarea', '', '>Ada</textarea>']],
    ),
  )('replays `type` into %s only if it is empty as recorded', async (_title, tag, value, end) => {
    const page = (attribute: string, close: string): string =>
      `<h1>Profile</h1>${tag} aria-label="Name" id=name${attribute}${close}`;
    const empty = page('', end.replace('Ada', ''));
    const text = (): Promise<unknown> =>
      bench.page.evaluate('document.querySelector("#name").value ?? document.querySelector("#name").textContent');
    await bench.open(empty, path);
    await runTask(bench, 'Type Bob', [[on('type', 'textbox', 'Name', { text: 'Bob' })], [done()]]);
    await bench.open(empty, path);
    expect((await runTask(bench, 'Type Bob')).result.metadata.replayedSteps).toBe(1);
    expect(await text()).toBe('Bob');
    await bench.open(page(value, end), path);
    const { result } = await runTask(bench, 'Type Bob', [[call('done', { success: false, message: 'It is Ada.' })]]);
    expect(result.metadata.replayedSteps).toBe(0);
    expect(await text()).toBe('Ada');
  });

  it('replays `press` only when the recorded element has the focus', async () => {
    const page = (next: string): string =>
      ['Shopping', 'Work']
        .map(
          (name) =>
            `<div role=button tabindex=0 id="${name}" onclick="document.getElementById('${next || name}').focus()" onkeydown="said.textContent = '${name} ' + event.key">${name}</div>`,
        )
        .join('');
    const steps = [[on('click', 'button', 'Shopping')], [call('press', { keys: 'Delete' })], [done()]];
    await bench.open(`${page('')}<p id=said></p>`, path);
    await runTask(bench, 'Delete the note Shopping', steps);
    await bench.open(`${page('')}<p id=said></p>`, path);
    expect((await runTask(bench, 'Delete the note Shopping')).result.metadata.replayedSteps).toBe(2);
    await bench.open(`${page('Work')}<p id=said></p>`, path);
    const { result, requests } = await runTask(bench, 'Delete the note Shopping', [
      [call('done', { success: false, message: 'No.' })],
    ]);
    expect(await said()).toBe('');
    expect(result.metadata.replayedSteps).toBe(1);
    expect(requests[0]?.messages.map(({ text }) => text).join('\n')).toContain(
      'press Delete was recorded with the focus on button "Shopping", and the focus is on button "Work" now',
    );
  });
});

describe('end of a replay', () => {
  const LOG_IN = (answer: string): string =>
    `<h1>Log in</h1><form onsubmit="event.preventDefault(); ${answer}"><label>User <input></label><button>Go on</button></form><p id=said></p>`;
  const STEPS_IN = [
    [on('fill', 'textbox', 'User', { text: 'ada' }), on('click', 'button', 'Go on')],
    [done('Logged in.')],
  ];

  it.each(
    rows(
      [['shows another text', "said.textContent = 'Welcome'", "said.textContent = 'Unknown user'"]],
      [['has another URL', "location.href = '/home'", "location.href = '/failed'"]],
    ),
  )('asks the model for the result when the final page %s', async (_title, then, now) => {
    for (const other of ['/home', '/failed']) bench.server.page(other, '<!doctype html><title>Harbour</title>');
    await bench.open(LOG_IN(then), path);
    await runTask(bench, 'Log in as ada', STEPS_IN);
    await bench.open(LOG_IN(now), path);
    const { result } = await runTask(bench, 'Log in as ada', [[call('done', { success: false, message: 'No.' })]]);
    expect(result).toMatchObject({ success: false, metadata: { replayedSteps: 2 } });
    await bench.open(LOG_IN(then), path);
    expect((await runTask(bench, 'Log in as ada')).result).toMatchObject({ success: true });
  });

  it('asks the model for the result when the final page lacks the number from the task', async () => {
    const counter = (start: number): string =>
      `<button onclick="said.textContent = +said.textContent + 1">Plus</button><p id=said>${start}</p>`;
    await bench.open(counter(1), path);
    const plus = on('click', 'button', 'Plus');
    await runTask(bench, 'Set the quantity to 3', [[plus, plus], [done('The quantity is 3.')]]);
    await bench.open(counter(2), path);
    const { result } = await runTask(bench, 'Set the quantity to 3', [
      [call('done', { success: false, message: 'It is 4.' })],
    ]);
    expect(result).toMatchObject({ success: false, message: 'It is 4.' });
  });

  it('checks the recorded evidence again after the entry was healed', async () => {
    const page = (around: string, answer: string): string =>
      `<div><${around}><button onclick="said.textContent = '${answer}'">Press</button></${around}></div><p id=said></p>`;
    await bench.open(page('div', 'It is well'), path);
    await runTask(bench, 'Press it', [[on('click', 'button', 'Press')], [done('Done.', { evidence: ['It is well'] })]]);
    await bench.open(page('p', 'It is well'), path);
    await runTask(bench, 'Press it');
    await bench.open(page('p', 'It is broken'), path);
    const { result } = await runTask(bench, 'Press it', [[call('done', { success: false, message: 'No.' })]]);
    expect(result.success).toBe(false);
  });
});

describe('cache entry of a run', () => {
  it('is not stored when a password is typed without a variable, and the reason is logged', async () => {
    const form = '<label>Password <input type=password></label><button>Sign in</button>';
    await bench.open(form, path);
    const before = bench.lines.length;
    const { result } = await runTask(bench, 'Sign in with the password tulip-77', [
      [on('fill', 'textbox', 'Password', { text: 'tulip-77' })],
      [on('click', 'button', 'Sign in')],
      [done()],
    ]);
    expect(await entryText(bench, path)).toBeUndefined();
    expect(bench.lines.slice(before).some(({ message }) => message.includes('password field'))).toBe(true);
    expect(result.toScript()).toContain('fill(variables.password)');
    expect(result.toScript()).not.toContain('tulip');
  });

  it('is not stored when text is typed at a screenshot point', async () => {
    const field = '<input type=password style="position: fixed; left: 0; top: 200px; width: 200px; height: 40px">';
    await bench.open(`<label><input type=checkbox> News</label>${field}`, path);
    const agent = bench.driver.agent({ mode: 'hybrid' });
    const typed = call('typeAt', { x: 50, y: 220, text: 'tulip-77' });
    const { result } = await runTask(
      bench,
      'Subscribe and enter tulip-77',
      // Nothing is seen of what is typed there, so that the claim may be questioned once.
      [[on('check', 'checkbox', 'News'), typed], [done()], [done('Done.', { evidence: ['News'] })]],
      agent,
    );
    expect(result.success).toBe(true);
    expect(await bench.page.locator('input[type=password]').inputValue()).toBe('tulip-77');
    expect(await entryText(bench, path)).toBeUndefined();
  });

  it('is not stored when the task does not succeed', async () => {
    await bench.open(FORM, path);
    await runTask(bench, TASK, [[FILL], [call('done', { success: false, message: 'No.' })]]);
    expect(await entryText(bench, path)).toBeUndefined();
  });

  it('contains only the steps before a custom tool call', async () => {
    await bench.open(FORM, path);
    const lookUp = { description: 'Looks up a name', inputSchema: z.object({}), execute: () => 'Grace' };
    const agent = bench.driver.agent({ tools: { lookUp } });
    const steps = [[on('check', 'checkbox', 'News')], [call('lookUp')], [on('click', 'button', 'Save')], [done()]];
    await runTask(bench, 'Subscribe, look it up and save', steps, agent);
    await bench.open(FORM, path);
    const { result, requests } = await runTask(bench, 'Subscribe, look it up and save', steps.slice(1), agent);
    expect(requests).toHaveLength(3);
    expect(result.metadata.replayedSteps).toBe(1);
  });

  it('contains only the steps before text that was copied from the page', async () => {
    const copy = (code: string): string =>
      `<p>Your code: ${code}</p><label>Name <input></label><label>Code <input id=code></label>`;
    await bench.open(copy('X-4711'), path);
    const code = (text: string): Call => on('fill', 'textbox', 'Code', { text });
    const instruction = 'Enter Ada as the name and then the code';
    await runTask(bench, instruction, [[on('fill', 'textbox', 'Name', { text: 'Ada' }), code('X-4711')], [done()]]);
    expect(await entryText(bench, path)).not.toContain('"X-4711"');
    await bench.open(copy('Y-0815'), path);
    const { result, requests } = await runTask(bench, instruction, [[code('Y-0815')], [done()]]);
    expect(requests).toHaveLength(2);
    expect(result.metadata.replayedSteps).toBe(1);
    expect(await bench.page.locator('#code').inputValue()).toBe('Y-0815');
  });
});

describe('replay on several pages', () => {
  const NEXT = '<!doctype html><title>Next</title><button onclick="this.textContent = 1">End</button>';

  it('switches to a page that was already open, and closes it', async () => {
    const steps = [
      [call('tabs', { what: 'switch', number: 2 })],
      [on('click', 'button', 'End')],
      [call('tabs', { what: 'close' })],
      [done()],
    ];
    for (const [replayedSteps, answers] of [
      [0, steps],
      [2, []],
    ] as const) {
      await bench.driver.context.newPage(bench.server.page('/next', NEXT));
      await bench.page.bringToFront();
      bench.driver.context.setActivePage(bench.page);
      await bench.open('<h1>Start</h1>', path);
      const { result } = await runTask(bench, 'End the other page and close it', answers);
      expect(result).toMatchObject({ success: true, metadata: { replayedSteps } });
      expect(bench.driver.context.pages()).toHaveLength(1);
    }
  });

  it('replays `navigate` to a link only while the page still contains the URL', async () => {
    bench.server.page('/next', NEXT);
    await bench.open('<a href="/next">Go on</a>', path);
    const steps = [[call('navigate', { url: '#0' })], [on('click', 'button', 'End')], [done()]];
    await runTask(bench, 'Go on and end it', steps);
    await bench.open('<a href="/next">Go on</a>', path);
    expect((await runTask(bench, 'Go on and end it')).result.metadata.replayedSteps).toBe(2);
    bench.server.page('/other', NEXT);
    await bench.open('<a href="/other">Go on</a>', path);
    const { result, requests } = await runTask(bench, 'Go on and end it', steps);
    expect(requests).toHaveLength(3);
    expect(result.metadata.replayedSteps).toBe(0);
  });
});

it('does not replay a run of dom mode in hybrid mode', async () => {
  await bench.open(FORM, path);
  await runTask(bench, 'Save', [[on('click', 'button', 'Save')], [done()]]);
  await bench.open(FORM, path);
  const agent = bench.driver.agent({ mode: 'hybrid' });
  const { requests } = await runTask(bench, 'Save', [[on('click', 'button', 'Save')], [done()]], agent);
  expect(requests).toHaveLength(2);
});

it('continues with the model when `onBeforeAction` refuses a replayed step', async () => {
  await bench.open(FORM, path);
  await runTask(bench, TASK, STEPS);
  await bench.open(FORM, path);
  const elements: unknown[] = [];
  const callbacks = {
    onBeforeAction: ({ tool, element }: { tool: string; element?: string }): boolean => {
      elements.push(element);
      return tool !== 'click';
    },
  };
  const { result } = await runTask(bench, { ...TASK, callbacks }, [
    [call('done', { success: false, message: 'Refused.' })],
  ]);
  expect(elements).toEqual(['textbox "First name"', 'checkbox "News"', 'button "Save"']);
  expect(result.metadata.replayedSteps).toBe(2);
  expect(await said()).toBe('');
});

it('runs all steps with the model when the cache entry is damaged, and logs it', async () => {
  await bench.open(FORM, path);
  await runTask(bench, TASK, STEPS);
  const text = (await entryText(bench, path)) ?? '';
  for (const name of await readdir(bench.folder)) {
    if (name.startsWith('agent-')) await writeFile(join(bench.folder, name), text.slice(0, text.length / 2));
  }
  await bench.open(FORM, path);
  const { result } = await runTask(bench, TASK, STEPS);
  expect(result).toMatchObject({ success: true, metadata: { replayedSteps: 0 } });
  expect(bench.lines.some(({ category, message }) => category === 'cache' && message.includes('is damaged'))).toBe(
    true,
  );
});

it('replays concurrent runs on two pages, each with its own variable value', async () => {
  await bench.open(FORM, path);
  await runTask(bench, TASK, STEPS);
  const { agent } = { agent: bench.driver.agent() };
  const pages = await Promise.all(
    ['Ada', 'Bob'].map(async (who) => {
      const page = await bench.driver.context.newPage(bench.server.page(path, `<!doctype html>${FORM}`));
      const result = await agent.execute({ ...TASK, page, variables: { who } });
      return { page, who, result };
    }),
  );
  for (const { page, who, result } of pages) {
    expect(result.metadata.replayedSteps).toBe(3);
    expect(await page.locator('#said').textContent()).toBe(`Saved ${who}`);
    await page.close();
  }
});
