import { describe, expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages({ model: 'offline/lexical' });

/** A page whose handlers write what they did into `#out`. */
function page(body: string, script: string): string {
  return `<style>body * { box-sizing: border-box }</style>${body}<output id="out"></output><script>
    const out = (text) => { document.getElementById('out').textContent = text };
    const on = (selector, type, react) => document.querySelector(selector).addEventListener(type, (event) => react(event.target));
    ${script}</script>`;
}

async function did(instruction: string): Promise<string> {
  await odd.driver.act(instruction);
  return odd.page.evaluate<string>("document.getElementById('out').textContent");
}

/** Like `page`, with an element that has its own listener, which shows that listeners were read. */
function pageWithControl(body: string, script: string): string {
  return page(`<b id="control">Control</b>${body}`, `${script}; on('#control', 'click', () => {})`);
}

async function clickableLines(): Promise<string[]> {
  return (await odd.text()).match(/[^ ].*clickable/g) ?? [];
}

describe('listener on a container', () => {
  test('gives no refs to panels, as the tabs have refs', async () => {
    const panel = (text: string): string => `<li class="panel" role="tabpanel">${text}</li>`;
    await odd.open(pageWithControl(`<ul>${panel('Hello')}${panel('Again')}</ul>`, "on('ul', 'click', () => {})"));
    expect(await odd.text()).toBe('e1 generic "Control" clickable\nlist\n tabpanel "Hello"\n tabpanel "Again"');
  });

  test('gives no ref to the line under the current tab', async () => {
    const bar = '<li class="indicator" style="height: 2px; list-style: none; background: red"></li>';
    await odd.open(pageWithControl(`<ul><li>One</li><li>Two</li>${bar}</ul>`, "on('ul', 'click', () => {})"));
    expect((await odd.text()).match(/e\d .*clickable/g)).toEqual([
      'e1 generic "Control" clickable',
      'e2 listitem "One" clickable',
      'e3 listitem "Two" clickable',
    ]);
  });

  test('gives no refs to the parts of an accordion, as their headers have refs', async () => {
    const part = (text: string): string =>
      `<li class="part"><a href="#" aria-expanded="true" style="display: block">${text}</a><p>Content</p></li>`;
    await odd.open(pageWithControl(`<ul>${part('Sizes')}${part('Colors')}</ul>`, "on('ul', 'click', () => {})"));
    expect((await odd.text()).match(/e\d .*/g)).toEqual([
      'e1 generic "Control" clickable',
      'e2 link "Sizes" expanded #0 | Content',
      'e3 link "Colors" expanded #0 | Content',
    ]);
  });

  test('gives refs to items with a toggle before their label', async () => {
    const item = (text: string): string =>
      `<li class="node"><button aria-expanded="false">Toggle</button> ${text}</li>`;
    await odd.open(pageWithControl(`<ul>${item('Docs')}${item('Images')}</ul>`, "on('ul', 'click', () => {})"));
    expect((await odd.text()).match(/listitem clickable/g)).toHaveLength(2);
  });

  test('gives refs to the cells of placed rows, not to the rows', async () => {
    const row = (kind: string, top: number): string =>
      `<div class="${kind}" role="row" style="position: absolute; top: ${top}px; height: 20px; width: 200px">${'<b role="gridcell" tabindex="-1">Cell</b>'.repeat(2)}</div>`;
    await odd.open(
      pageWithControl(
        `<style>.odd { background: #eee }</style><div id="grid" tabindex="0" style="position: relative; height: 60px">${row('even', 0)}${row('odd', 20)}${row('even', 40)}${row('odd', 60)}</div>`,
        "on('#grid', 'click', () => {})",
      ),
    );
    expect(await odd.text()).not.toMatch(/e\d row/);
    expect((await odd.text()).match(/e\d+ gridcell "Cell"/g)).toHaveLength(8);
  });

  test.each([
    ['buttons', '<button>Cut</button><a href="#">Copy</a>'],
    ['tabs', '<b role="tab" tabindex="0">Cut</b><b role="tab">Copy</b>'],
    ['elements with the cursor of a control', '<b style="cursor: pointer">Cut</b><i style="cursor: pointer">Copy</i>'],
  ])('gives no ref to a container that holds only %s', async (_what, content) => {
    await odd.open(pageWithControl(`<div id="tools">${content}</div>`, "on('#tools', 'click', () => {})"));
    expect(await odd.text()).toMatch(/^e1 generic "Control" clickable\ne2 \w+ "Cut".*\ne3 \w+ "Copy"/);
  });

  test('gives refs to the items below its wrappers', async () => {
    const rows = ['Invoice', 'Lunch', 'Parcel']
      .map((name) => `<div class="r"><b>${name}</b> <i>9:00</i></div>`)
      .join('');
    await odd.open(
      page(
        `<div id="list"><div class="track">${rows}</div></div>`,
        "on('#list', 'click', (target) => out(target.closest('.r').textContent))",
      ),
    );
    expect(await odd.text()).toMatch(/^e1 generic "Invoice 9:00" clickable\ne2 generic "Lunch 9:00" clickable/);
    expect(await did('open Lunch')).toBe('Lunch 9:00');
  });

  test('gives refs to the small items of a large list without controls', async () => {
    const rows = '<div class="r" style="height: 90px">Mail</div>'.repeat(6);
    await odd.open(page(`<div id="list">${rows}</div>`, "on('#list', 'click', () => out('opened'))"));
    expect((await odd.text()).match(/generic "Mail" clickable/g)).toHaveLength(6);
  });

  test('gives refs to calendar days, but not to weekdays and blank fields', async () => {
    const days = [1, 2, 3, 4].map((day) => `<div class="day">${day}</div>`).join('');
    await odd.open(
      page(
        `<div id="month"><i>M</i><i>T</i><div></div>${days}</div>`,
        "on('#month', 'click', (target) => target.matches('.day') && out(target.textContent))",
      ),
    );
    expect(await odd.text()).toMatch(/^- M\n?.*T\ne1 generic "1" clickable\ne2 generic "2" clickable/s);
    expect(await did('click 3')).toBe('3');
  });

  test('gives refs to the chips before a field, and to the close sign in each', async () => {
    const chip = (name: string): string => `<span class="chip">${name}<b></b></span>`;
    await odd.open(
      page(
        `<style>.chip b::before { content: "✖" }</style><div id="chips">${chip('Berlin')}${chip('Oslo')}<input placeholder="City"></div>`,
        "on('#chips', 'click', (target) => target.matches('b') && out(`without ${target.parentNode.textContent}`))",
      ),
    );
    expect(await odd.text()).toMatch(
      /e1 generic clickable \| Berlin \| e2 generic clickable \(hint: close or remove\)/,
    );
    expect(await did('close the chip Berlin')).toBe('without Berlin');
    expect(await did('remove Oslo')).toBe('without Oslo');
  });

  test('gives refs to the stars of a rating', async () => {
    const star = '<svg width="20" height="20"><path d="M10 2l3 7h7l-6 4"/></svg>';
    await odd.open(
      page(
        `<div class="stars"><span id="rating">${star.repeat(5)}</span></div>`,
        "on('#rating', 'click', (target) => out([...document.querySelectorAll('svg')].indexOf(target.closest('svg')) + 1))",
      ),
    );
    expect((await odd.text()).match(/img clickable \(hint: rating [1-5] of 5\)/g)).toHaveLength(5);
    expect(await did('click the third icon')).toBe('3');
  });

  test('gives refs to blank painted boxes, with their data as hints', async () => {
    const style = '<style>.seat { display: inline-block; width: 20px; height: 20px; background: green }</style>';
    const row = (name: string): string =>
      `<p><b>${name}</b>${[1, 2].map((number) => `<i class="seat" data-seat="${name}${number}"></i>`).join('')}</p>`;
    await odd.open(
      page(
        `${style}<div id="hall">${row('A')}${row('B')}</div>`,
        "on('#hall', 'click', (target) => out(target.dataset.seat))",
      ),
    );
    expect(await odd.text()).toBe(
      ['A', 'B']
        .map(
          (name, index) =>
            `- ${name}\ne${index * 2 + 1} generic clickable (hint: seat ${name}1)\ne${index * 2 + 2} generic clickable (hint: seat ${name}2)`,
        )
        .join('\n'),
    );
    expect(await did('choose seat B1')).toBe('B1');
  });

  const seat = '<style>.seat { display: inline-block; width: 20px; height: 20px; background: green }</style>';
  const seats = (count: number): string => '<i class="seat"></i>'.repeat(count);

  test.each([
    ['a focusable page section', '<main tabindex="-1"><div id="hall">', '</div></main>'],
    ['a focusable dialog', '<div role="dialog" tabindex="-1"><div id="hall">', '</div></div>'],
    ['a label', '<label><div id="hall">', '</div></label>'],
  ])('gives refs to blank painted boxes in %s', async (_what, start, end) => {
    await odd.open(page(`${seat}${start}${seats(2)}${end}`, "on('#hall', 'click', () => out('seat'))"));
    expect((await odd.text()).match(/e\d generic .*/g)).toEqual([
      expect.stringMatching(/generic clickable \(hint: seat 1 of 2\)$/),
      expect.stringMatching(/generic clickable \(hint: seat 2 of 2\)$/),
    ]);
  });

  test('gives refs to blank painted boxes in a focusable area of the listening element', async () => {
    await odd.open(
      page(
        `${seat}<div id="hall"><div tabindex="0">${seats(2)}</div></div>`,
        "on('#hall', 'click', () => out('seat'))",
      ),
    );
    expect(await odd.text()).toBe(
      'e1 generic (hint: seat)\n e2 generic clickable (hint: seat 1 of 2)\n e3 generic clickable (hint: seat 2 of 2)',
    );
  });

  test('gives refs to many blank painted boxes in a focusable listening element, but not to two', async () => {
    const script = "on('#many', 'click', () => out('seat')); on('#few', 'click', () => out('knob'))";
    await odd.open(
      page(
        `${seat}<div id="many" tabindex="0">${seats(4)}</div><div id="few" tabindex="0"><p></p>${seats(2)}</div>`,
        script,
      ),
    );
    const items = [1, 2, 3, 4].map((place) => ` e${place + 1} generic clickable (hint: seat ${place} of 4)`);
    expect(await odd.text()).toBe(['e1 generic (hint: many)', ...items, 'e6 generic (hint: few)'].join('\n'));
  });

  test.each([
    ['focusable cards', `<div tabindex="0">Ann ${seats(2)}</div><div tabindex="0">Bob ${seats(2)}</div>`],
    ['a button', `<button>Go ${seats(2)}</button><p>Text</p>`],
    ['a switch', `<div role="switch" tabindex="0" aria-checked="false">Go ${seats(2)}</div><p>Text</p>`],
  ])('gives no refs to blank painted boxes in %s', async (_what, body) => {
    await odd.open(pageWithControl(`${seat}<div id="hall">${body}</div>`, "on('#hall', 'click', () => out('hall'))"));
    expect(await odd.text()).not.toContain('seat');
  });

  test('gives refs to boxes with background images, with file names as hints', async () => {
    const photo = (name: string): string => `<div style="background-image: url(/${name}.jpg); height: 60px"></div>`;
    await odd.open(
      page(
        `<div id="photos" style="width: 90px">${photo('harbour')}${photo('lighthouse')}</div>`,
        "on('#photos', 'click', (target) => out(target.style.backgroundImage))",
      ),
    );
    expect(await odd.text()).toBe('e1 generic clickable (hint: harbour)\ne2 generic clickable (hint: lighthouse)');
    expect(await did('click lighthouse')).toContain('lighthouse');
  });

  test('gives refs to the cells of a table with a dblclick listener', async () => {
    await odd.open(
      page(
        '<table><thead><tr><th>Fruit</th><th>Price</th></tr></thead><tbody><tr><td>Pears</td><td>2.10</td></tr></tbody></table>',
        "on('tbody', 'dblclick', (target) => out(`edit ${target.textContent}`)); on('thead', 'click', (target) => out(`sort ${target.textContent}`))",
      ),
    );
    expect(await odd.text()).toMatch(/columnheader "Price" clickable\n row \| e\d cell "Pears" clickable \| e\d cell/);
    expect(await did('double-click 2.10')).toBe('edit 2.10');
    expect(await did('sort by Price')).toBe('sort Price');
  });

  test('gives refs to cells with coordinates, for which the document listens', async () => {
    const row = (y: number): string =>
      `<tr><td data-y="${y}">${y + 1}</td>${['Jazz', 'Civic'].map((text, x) => `<td data-x="${x}" data-y="${y}">${text}</td>`).join('')}</tr>`;
    const plain = '<table><tr><td data-label="Car">Polo</td></tr></table>';
    await odd.open(
      page(
        `<table><tr><th>#<th>A<th>B</tr>${row(0)}${row(1)}</table>${plain}`,
        "document.addEventListener('dblclick', () => out('edit'))",
      ),
    );
    expect(await odd.text()).toContain(
      'row | e1 cell "1" clickable | e2 cell "Jazz" clickable | e3 cell "Civic" clickable',
    );
    expect(await odd.text()).toContain('- Polo');
  });

  test('gives refs to painted boxes that a script placed, but not to placed labels', async () => {
    const placed = (kind: string, name: string, left: number): string =>
      `<div class="${kind}" style="position: absolute; left: ${left}px"><p>${name}</p></div>`;
    const boxes = placed('event', 'Standup', 20) + placed('event', 'Review', 200);
    const labels = placed('hour', '9:00', 20) + placed('hour', '10:00', 200);
    await odd.open(
      page(
        `<style>.event { top: 40px; background: #cde }</style><div id="day" style="position: relative; height: 500px"><div>${labels}</div><div>${boxes}</div></div>`,
        "on('#day', 'pointerup', (target) => target.closest('.event') && out(target.textContent))",
      ),
    );
    expect(await odd.text()).toContain('generic "Standup" clickable');
    expect(await odd.text()).not.toMatch(/:00" clickable/);
    expect(await did('click Review')).toBe('Review');
  });

  test.each(['mapnode', 'map-node'])(
    'gives refs to placed boxes with the tag %s, whatever their class',
    async (tag) => {
      const node = (name: string, left: number, kind = ''): string =>
        `<${tag} ${kind} style="position: absolute; left: ${left}px; top: 9px; background: #cde">${name}</${tag}>`;
      const nodes = node('Plan', 20, 'class="root"') + node('Design', 120) + node('Build', 220);
      await odd.open(
        pageWithControl(
          `<div id="map" tabindex="0" style="position: relative; height: 500px; width: 900px"><svg width="900" height="500"></svg>${nodes}</div>`,
          "on('#map', 'mousedown', () => {}); on('#map', 'click', () => {})",
        ),
      );
      expect((await odd.text()).match(/generic "\w+" clickable/g)).toEqual(
        ['Control', 'Plan', 'Design', 'Build'].map((name) => `generic "${name}" clickable`),
      );
    },
  );

  test('gives refs to the placed boxes in the rows of a timeline instead of the rows', async () => {
    const event = (name: string, left: number): string =>
      `<div class="event" style="transform: translateX(${left}px)"><p class="text" style="left: 0">${name}</p></div>`;
    const row = (content: string): string => `<div class="row">${content}</div>`;
    const style =
      '<style>.row { height: 40px; position: relative; border-bottom: 1px solid } .event { position: absolute; background: #cde } .text { position: relative }</style>';
    const rows = row(event('Design', 20) + event('Launch', 300)) + row('') + row(event('Build', 90));
    await odd.open(
      page(
        `${style}<div id="line"><div>${rows}</div></div>`,
        "on('#line', 'pointerdown', (target) => target.closest('.event') && out(target.textContent))",
      ),
    );
    expect(await odd.text()).toBe(
      'e1 generic "Design" clickable\ne2 generic "Launch" clickable\ne3 generic "Build" clickable',
    );
    expect(await did('click Build')).toBe('Build');
  });

  test('gives refs to the columns of a calendar that have text beside placed boxes', async () => {
    const day = (name: string): string =>
      `<div class="day">${name}<div class="event" style="top: 30px">Standup</div></div>`;
    const style =
      '<style>.day { position: relative; height: 90px } .event { position: absolute; background: #cde }</style>';
    await odd.open(page(`${style}<div id="week">${day('Mon')}${day('Tue')}</div>`, "on('#week', 'click', () => {})"));
    expect(await odd.text()).toBe('e1 generic clickable | Mon | Standup\ne2 generic clickable | Tue | Standup');
  });

  test('gives a ref to the expander of a row that reacts through its tree', async () => {
    const row = (name: string): string =>
      `<li><div class="row"><a class="toggle">▼</a><span>${name}</span> <a href="#${name}">edit</a></div></li>`;
    await odd.open(
      page(
        `<style>.row { cursor: pointer }</style><div id="tree"><ul>${['Birds', 'Fish', 'Frogs'].map(row).join('')}</ul></div>`,
        "on('#tree', 'click', (target) => target.matches('.toggle') && out('toggled'))",
      ),
    );
    expect((await odd.text()).match(/"▼" clickable/g)).toHaveLength(3);
  });

  test.each([
    [
      'a container of a canvas with controls and a short text',
      '<div id="map"><canvas></canvas><p><button>+</button> © Maps</p></div>',
    ],
    ['a layer over a canvas', '<div><canvas></canvas><div id="map"><p></p></div></div>'],
  ])('gives a ref to %s', async (_what, body) => {
    const style =
      '<style>div { position: relative; width: 600px; height: 400px } canvas, div div, p { position: absolute; inset: 0 } canvas { width: 600px; height: 400px } p { top: auto }</style>';
    await odd.open(page(style + body, "on('#map', 'mousedown', () => out('pressed'))"));
    expect(await odd.text()).toMatch(/^e\d+ generic clickable/m);
  });

  test('gives no ref to a container of text over a canvas', async () => {
    const text = 'Words of a page over an animated background. '.repeat(9);
    await odd.open(
      pageWithControl(
        `<style>#page { position: relative; width: 900px; height: 600px } canvas { position: absolute; width: 900px; height: 600px }</style><div id="page"><canvas></canvas><p>${text}</p></div>`,
        "on('#page', 'click', () => {})",
      ),
    );
    expect(await clickableLines()).toEqual([expect.stringContaining('generic "Control" clickable')]);
  });

  test('gives refs to elements with a cursor of a control on hover, and to ports with their own cursor', async () => {
    const style =
      '<style>.node:hover { cursor: move } .wire:hover { cursor: pointer } .port { cursor: crosshair; width: 12px; height: 12px }</style>';
    const svg = '<svg width="300" height="100"><path class="wire" d="M0 50H300" stroke="red" stroke-width="5"/></svg>';
    await odd.open(
      page(
        `${style}<div id="graph"><div class="node">Start<div class="port"></div></div><p>Help</p>${svg}</div>`,
        "on('#graph', 'mousedown', () => out('pressed'))",
      ),
    );
    const text = await odd.text();
    expect(text).toContain('e1 generic draggable | Start | e2 generic clickable (hint: port)');
    expect(text).toContain('- Help');
    expect(text).toContain('(hint: wire)');
  });

  test('gives no ref to an option that is scaled to nothing', async () => {
    await odd.open(
      '<div style="transform: scaleY(0); opacity: 0"><div role="listbox"><div role="option">One</div></div></div><p>Text</p>',
    );
    expect(await odd.text()).not.toMatch(/e\d+ /);
  });

  test('gives refs to the cells of a table with blank slots, and to the rows of one without', async () => {
    await odd.open(
      page(
        `<table id="plan"><tr><th>9:00</th><td></td><td>Dentist</td></tr></table>
         <table id="orders"><tr><th>Name</th></tr><tr><td>Acme</td></tr><tr><td>Globex</td></tr></table>`,
        "on('#plan', 'click', () => out('slot')); on('#orders', 'click', () => out('order'))",
      ),
    );
    expect(await odd.text()).toMatch(/row \| 9:00 \| e1 cell clickable \| e2 cell "Dentist" clickable/);
    expect(await odd.text()).toMatch(/e3 row clickable.*Acme/s);
  });

  test('gives refs to the rows of a data table with a missing value', async () => {
    const rows = ['Pears|2.10', 'Figs|', 'Limes|0.40', 'Plums|3.00', 'Dates|5.20'].map(
      (row) =>
        `<tr>${row
          .split('|')
          .map((cell) => `<td>${cell}</td>`)
          .join('')}</tr>`,
    );
    await odd.open(
      page(
        `<table id="stock"><tr><th>Fruit</th><th>Price</th></tr>${rows.join('')}</table>`,
        "on('#stock', 'click', out)",
      ),
    );
    const text = await odd.text();
    expect(text).toMatch(/e\d+ row clickable \| Figs \|/);
    expect(text).not.toMatch(/cell .*clickable/);
  });

  test.each([
    ['words', ['Pears | 2.10', 'Figs | 3']],
    ['short texts', ['A | 1', 'B | 2', 'C | 3', 'D | 4']],
  ])('gives refs to the filled rows of a table in a wrapper with spacers and %s', async (_case, records) => {
    const row = (text: string): string =>
      `<tr><td></td>${text
        .split(' | ')
        .map((cell) => `<td>${cell}</td>`)
        .join('')}<td></td></tr>`;
    const rows = [...records, ' | ', ' | '].map(row).join('');
    await odd.open(
      page(
        `<div id="records"><div><table>${rows}</table></div></div>`,
        "on('#records', 'click', (target) => out(target.textContent))",
      ),
    );
    expect((await odd.text()).match(/.*clickable.*/g)).toEqual(
      records.map((record, index) => `e${index + 1} generic clickable | ${record}`),
    );
  });

  test('gives no refs to the cells of a table in a wrapper that arranges other tables', async () => {
    const node = '<table><tr><td class="node">Chief</td></tr></table>';
    await odd.open(
      pageWithControl(
        `<div id="chart"><table><tr><td>${node}</td><td></td></tr><tr><td></td><td></td></tr></table></div>`,
        "on('#chart', 'click', () => out('clicked'))",
      ),
    );
    expect((await odd.text()).split('\n').slice(0, 2)).toEqual([
      'e1 generic "Control" clickable',
      'e2 generic "Chief" clickable',
    ]);
    expect((await odd.text()).match(/clickable/g)).toHaveLength(2);
  });

  test('gives refs to the cells of a grid', async () => {
    const day = (number: number): string => `<td role="gridcell"><a href="#${number}">${number}</a></td>`;
    await odd.open(
      page(
        `<table role="grid"><tbody id="month"><tr>${day(1)}${day(2)}</tr></tbody></table>`,
        "on('#month', 'mousedown', (target) => out('day'))",
      ),
    );
    expect((await odd.text()).match(/e\d gridcell .*clickable/g)?.join()).toMatch(/e\d gridcell.*e\d gridcell/s);
  });

  test.each([
    ['in its rows', '', ''],
    ['in a body below the header', '<div class="body">', '</div>'],
  ])('gives refs to the header cells of a table of boxes with cells %s', async (_where, before, after) => {
    const row = (kind: string, cells: readonly string[]): string =>
      `<div class="${kind}">${cells.map((cell) => `<div>${cell}</div>`).join('')}</div>`;
    const rows = row('row', ['Milk', '2']) + row('row', ['Bread', '3']);
    await odd.open(
      page(
        `<style>.row { display: flex; gap: 50px }</style><div id="table">${row('row header', ['Name', 'Count'])}${before}${rows}${after}</div>`,
        "on('#table', 'click', (target) => target.closest('.header') && out(`sorted by ${target.textContent}`))",
      ),
    );
    expect((await odd.text()).split('\n').slice(0, 4)).toEqual([
      'e1 generic "Name" clickable',
      'e2 generic "Count" clickable',
      'e3 generic clickable | Milk | 2',
      'e4 generic clickable | Bread | 3',
    ]);
    expect(await did('click Count')).toBe('sorted by Count');
  });

  test.each([
    ['one row', '<div class="body"><span>Blue</span><span>8.50</span></div>'],
    [
      'a body and a footer',
      '<div class="body"><span>Blue</span><span>8.50</span></div><div class="foot"><span>New</span><span>2</span></div>',
    ],
  ])('gives one ref to a card with a header and %s', async (_case, parts) => {
    await odd.open(
      page(
        `<div id="card"><div class="card-header"><span>Mug</span><span>Shop</span></div>${parts}</div>`,
        "on('#card', 'click', () => out('opened'))",
      ),
    );
    expect((await odd.text()).match(/clickable/g)).toHaveLength(1);
  });

  test('gives refs to the sortable header cells of a large table with controls, but not to its rows', async () => {
    const row = '<div class="row"><div>Milk</div><div><button>Buy</button></div></div>';
    await odd.open(
      page(
        `<div id="table" style="height: 500px"><div class="head"><div>Name</div><div class="sortable">Count</div></div>${row.repeat(3)}</div>`,
        "on('#table', 'click', () => {})",
      ),
    );
    expect((await odd.text()).split('\n').slice(0, 4)).toEqual([
      'e1 generic "Name" clickable',
      'e2 generic "Count" clickable',
      '- Milk',
      'e3 button "Buy"',
    ]);
  });

  test('gives refs to the named regions of an SVG map', async () => {
    const region = (name: string, x: number): string =>
      `<path data-region="${name}" d="M${x} 0h90v90h-90z"><title>${name}</title></path>`;
    await odd.open(
      page(
        `<svg width="200" height="100"><g id="regions">${region('North', 0)}${region('South', 100)}</g></svg>`,
        "on('svg', 'click', (target) => out(target.dataset.region))",
      ),
    );
    expect(await odd.text()).toBe('e1 generic "North" clickable\ne2 generic "South" clickable');
    expect(await did('click South')).toBe('South');
  });

  test('gives no refs to SVG shapes that let clicks through', async () => {
    const square = (name: string, x: number): string => `<rect data-square="${name}" x="${x}" width="50" height="50"/>`;
    const piece = (name: string, x: number): string => `<g data-piece="${name}"><circle cx="${x}" cy="25" r="15"/></g>`;
    const pieces = `<g pointer-events="none">${piece('king', 25)}${piece('queen', 75)}</g>`;
    await odd.open(
      page(
        `<svg width="200" height="100">${square('A', 0)}${square('B', 50)}${pieces}<g data-side="out" pointer-events="none"><path pointer-events="all" d="M150 0h50v50h-50z"/></g></svg>`,
        "on('svg', 'click', (target) => out(target.dataset.square ?? target.tagName))",
      ),
    );
    expect(await odd.text()).toBe(
      'e1 generic clickable (hint: square A)\ne2 generic clickable (hint: square B)\ne3 generic clickable',
    );
  });
});

describe('listener on the root of a tree', () => {
  const label = (text: string): string => `<span class="label">${text}</span>`;
  const script = "on('#tree', 'click', (target) => target.matches('.label') && out(target.textContent))";

  test('gives refs to nested list items, and clicks each at its own label', async () => {
    const nested = `<ul><li>${label('Apple')}</li><li>${label('Pear')}</li></ul>`;
    await odd.open(page(`<ul id="tree"><li>${label('Fruit')}${nested}</li><li>${label('Roots')}</li></ul>`, script));
    expect(await odd.text()).toBe(
      [
        'list',
        ' e1 listitem clickable',
        '  - Fruit',
        '  list',
        '   e2 listitem "Apple" clickable',
        '   e3 listitem "Pear" clickable',
        ' e4 listitem "Roots" clickable',
      ].join('\n'),
    );
    expect(await did('click Pear')).toBe('Pear');
    await odd.act('#tree > li');
    expect(await odd.page.evaluate("document.getElementById('out').textContent")).toBe('Fruit');
  });

  test('gives refs to list items whose classes are states', async () => {
    const nested = `<ul><li class="closed">${label('Pear')}</li></ul>`;
    await odd.open(page(`<ul id="tree"><li class="open">${label('Fruit')}${nested}</li><li>Roots</li></ul>`, script));
    expect(await odd.text()).toContain('listitem "Pear" clickable');
  });

  test('gives refs to the nodes of a tree with one root', async () => {
    const node = (name: string, inside = ''): string =>
      `<div class="node"><p>${label(name)}</p><div class="inside">${inside}</div></div>`;
    await odd.open(page(`<div id="tree">${node('Disk', node('Docs') + node('Pics'))}</div>`, script));
    expect(await odd.text()).toBe(
      'e1 generic clickable | Disk | e2 generic "Docs" clickable | e3 generic "Pics" clickable',
    );
    expect(await did('click Pics')).toBe('Pics');
    await odd.act('.node');
    expect(await odd.page.evaluate("document.getElementById('out').textContent")).toBe('Disk');
  });

  test('gives no refs to other lists in its items', async () => {
    const item = (name: string): string => `<li class="product">${label(name)}<ul><li>Blue</li></ul></li>`;
    await odd.open(page(`<ul id="tree">${item('Mug')}${item('Cup')}</ul>`, script));
    expect(await odd.text()).not.toContain('"Blue" clickable');
  });

  test('gives no refs to boxes of the same class that only wrap their content', async () => {
    const item = (name: string): string => `<div class="row"><div><div class="row">${name}</div></div></div>`;
    await odd.open(page(`<div id="tree" style="width: 300px">${item('Mug')}${item('Cup')}</div>`, script));
    expect(await odd.text()).toBe('e1 generic "Mug" clickable\ne2 generic "Cup" clickable');
  });
});

describe('act() on an item whose container reacts only to its content', () => {
  const outOf = (): Promise<unknown> => odd.page.evaluate("document.getElementById('out').textContent");
  const image =
    '<img alt="Red" width="60" height="60" src="data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27/%3E">';

  test.each([
    ['the only image', `<ul id="list"><li><p>${image}</p></li><li>${image}</li></ul>`, 'li', 'IMG'],
    ['the text of a row', '<ul id="list"><li><b>Ann</b></li><li><b>Bob</b></li></ul>', 'li', 'B'],
    [
      'the text of a row beside a button',
      '<div id="list"><div class="r"><button>Edit</button><b>Ann</b></div><div class="r"><b>Bob</b></div></div>',
      '.r',
      'B',
    ],
    [
      'the middle of a cell that is higher than its text',
      '<div id="list"><div class="r" style="height: 90px"><b>1</b></div><div class="r"><b>2</b></div></div>',
      '.r',
      'DIV',
    ],
    [
      'the middle of a photo with an icon',
      `<style>.r { background: url(/photo.jpg) }</style><div id="list"><div class="r">${image}</div><div class="r"></div></div>`,
      '.r',
      'DIV',
    ],
  ])('clicks %s', async (_what, body, selector, tag) => {
    await odd.open(page(body, "on('#list', 'click', (target) => out(target.tagName))"));
    await odd.text();
    await odd.act(selector);
    expect(await outOf()).toBe(tag);
  });
});

describe('editor that renders its own text', () => {
  const lines = ['let sum = 0;', 'add(1, 2)', '']
    .map((code) => `<div class="line"><span>${code.replaceAll('(', '<b>(</b>')}</span>\u200b</div>`)
    .join('');
  const numbers = '<div>1</div><div>2</div><div>3</div>';
  const editor = `<div id="editor" style="position: relative"><textarea autocorrect="off" spellcheck="false" style="position: absolute; left: 300px; width: 1px; height: 1px; opacity: 0"></textarea>
    <div style="float: left; width: 30px">${numbers}</div><div style="margin-left: 40px; cursor: text"><div>${lines}</div></div></div>`;

  test('gives refs to its lines of text and to its line numbers', async () => {
    await odd.open(page(editor, "on('#editor', 'mousedown', (target) => out(target.textContent))"));
    const text = await odd.text();
    expect(text).toMatch(/generic "2" clickable\ne\d+ generic "3" clickable/);
    expect(text).toMatch(
      /e\d+ generic editable\n e\d+ generic "let sum = 0;" clickable\n e\d+ generic "add\(1, 2\)" clickable(?!\n *e\d+ generic clickable)/,
    );
    expect(await did('click "2"')).toBe('2');
  });

  test('gives no refs to numbers in a container without a field', async () => {
    await odd.open(
      page(`<div id="scores">${numbers}<p>Scores</p></div>`, "on('#scores', 'mousedown', () => out('pressed'))"),
    );
    expect(await odd.text()).not.toContain('"2" clickable');
  });

  test.each([
    ['beside a field for messages', '<p>♥ <span>12</span></p><p>💬 <span>3</span></p><textarea></textarea>'],
    ['beside a field for messages, in order', `<p>Steps</p>${numbers}<textarea placeholder="Reply"></textarea>`],
    [
      'that do not count lines',
      '<p>♥ <span>12</span></p><p>💬 <span>3</span></p><textarea spellcheck="false"></textarea>',
    ],
    [
      'in a row',
      '<p>Pages</p><div><span>1</span> <span>2</span> <span>3</span></div><textarea spellcheck="false"></textarea>',
    ],
    [
      'that are not shown',
      `<p>Note</p><div style="display: none">${numbers}</div><textarea spellcheck="false"></textarea>`,
    ],
  ])('gives no refs to numbers %s, and one to their card', async (_case, parts) => {
    await odd.open(page(`<div id="card">${parts}</div>`, "on('#card', 'click', () => out('opened'))"));
    const text = await odd.text();
    expect(text).toMatch(/^e1 generic clickable \|/);
    expect(text.match(/clickable/g)).toHaveLength(1);
  });
});

describe('listener around a closed popup', () => {
  test.each([
    ['display: none', '<ul style="display: none"><li>Red</li><li>Blue</li></ul>'],
    ['visibility: hidden', '<div style="visibility: hidden"><i class="o">Red</i><i class="o">Blue</i></div>'],
  ])('gives a ref to the container if its items have `%s`', async (_case, popup) => {
    await odd.open(page(`<div id="list"><div>Color</div>${popup}</div>`, "on('#list', 'click', () => out('opened'))"));
    expect(await odd.text()).toBe('e1 generic "Color" clickable');
  });

  test('gives a ref to a layer over a canvas', async () => {
    const layer =
      '<div id="layer" style="position: absolute; inset: 0"><ul style="display: none"><li>Copy<li>Paste</ul></div>';
    await odd.open(
      page(
        `<div style="position: relative; width: 900px; height: 500px"><canvas width="900" height="500"></canvas>${layer}</div>`,
        "on('#layer', 'mousedown', () => out('pressed'))",
      ),
    );
    expect(await odd.text()).toBe('e1 generic clickable (hint: layer, 900×500)');
  });
});

describe('click listener on a card, menu button or table', () => {
  test.each([
    [
      'the parts of a card',
      '<h3>Mug</h3><span class="tag">new</span><span class="tag">blue</span><span class="tag">big</span>',
    ],
    ['the lines of a menu button', '<i class="line"></i><i class="line"></i><i class="line"></i>'],
  ])('gives no refs to %s', async (_case, parts) => {
    const style = '<style>.line { display: block; width: 30px; height: 3px; background: black }</style>';
    await odd.open(page(`${style}<div id="card">${parts}</div>`, "on('#card', 'click', () => out('opened'))"));
    expect((await odd.text()).match(/clickable/g)).toHaveLength(1);
  });

  test('gives no refs to the rows of a table with buttons', async () => {
    await odd.open(
      pageWithControl(
        '<div style="height: 300px"><table style="width: 100%; height: 100%"><tr><td>Milk</td><td><button>Buy</button></td></tr></table></div>',
        "on('table', 'click', () => out('bought'))",
      ),
    );
    expect(await clickableLines()).toEqual([expect.stringContaining('generic "Control" clickable')]);
  });
});

describe('empty box with a mousedown or pointerdown listener', () => {
  test.each([
    ['a knob', 'position: absolute; width: 20px; height: 20px'],
    ['a splitter', 'width: 6px; height: 80px'],
  ])('gives a ref to an empty box of the size of %s', async (_case, style) => {
    await odd.open(
      page(`<div id="handle" style="${style}"><s></s></div>`, "on('#handle', 'mousedown', () => out('taken'))"),
    );
    expect(await odd.text()).toBe('e1 generic clickable (hint: handle)');
  });

  test('gives no ref to an empty box of the size of a list', async () => {
    await odd.open(
      pageWithControl('<div id="list" style="height: 80px"></div>', "on('#list', 'mousedown', () => out('taken'))"),
    );
    expect(await clickableLines()).toEqual([expect.stringContaining('generic "Control" clickable')]);
  });

  test.each([
    [
      'a color wheel with a knob',
      '<div></div><svg width="16" height="16" style="position: absolute; left: 20px; top: 20px"><circle r="8"/></svg>',
      '',
    ],
    ['a track with a gradient', '<div></div>', 'background: linear-gradient(red, blue)'],
  ])('gives a ref to %s, with its size', async (_case, body, style) => {
    await odd.open(
      page(
        `<div id="wheel" style="position: relative; width: 200px; height: 100px; ${style}">${body}</div>`,
        "on('#wheel', 'mousedown', () => out('taken'))",
      ),
    );
    expect(await odd.text()).toBe('e1 generic clickable (hint: wheel, 200×100)');
  });

  test.each([
    ['with a background color', 'height: 80px; background: #ddd', ''],
    [
      'with text beside a knob',
      'position: relative; height: 80px',
      'Text<i style="position: absolute; left: 9px; width: 9px; height: 9px"></i><b></b>',
    ],
  ])('gives no ref to a box %s', async (_case, style, body) => {
    await odd.open(
      pageWithControl(`<div id="list" style="${style}">${body}</div>`, "on('#list', 'mousedown', () => out('taken'))"),
    );
    expect(await clickableLines()).toEqual([expect.stringContaining('generic "Control" clickable')]);
  });

  test('gives a ref to an SVG with shapes', async () => {
    await odd.open(
      page(
        '<svg class="hue" width="200" height="60"><rect width="200" height="60"/></svg>',
        "on('svg', 'pointerdown', () => out('taken'))",
      ),
    );
    expect(await odd.text()).toBe('e1 img clickable (hint: hue, 200×60)');
  });
});

describe('clickable row with editable cells', () => {
  const row =
    '<tr id="row"><td tabindex="0">Ada</td><td tabindex="0">36</td><td>red</td><td tabindex="0">yes</td></tr>';
  const script = "on('#row', 'click', (target) => out(target.tabIndex === 0 ? 'edit' : 'selected'))";

  test('gives a ref to the cell that is not editable', async () => {
    await odd.open(page(`<table style="width: 600px"><tr><th>Name</th></tr>${row}</table>`, script));
    expect(await odd.text()).toMatch(/row clickable[^]*e\d+ cell "red" clickable/);
  });

  test('act() clicks the row in the cell that is not editable', async () => {
    const style = '<style>td:nth-child(3) { width: 40px } td:nth-child(4) { width: 170px }</style>';
    await odd.open(page(`${style}<table style="width: 600px; table-layout: fixed">${row}</table>`, script));
    await odd.text();
    await odd.act('#row');
    expect(await odd.page.evaluate("document.getElementById('out').textContent")).toBe('selected');
  });
});
