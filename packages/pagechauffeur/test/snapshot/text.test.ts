import { beforeAll, describe, expect, test } from 'vitest';
import type { TestDriver } from '../support/driver-for-test.ts';
import { useBrowser } from '../support/use-browser.ts';

const browser = useBrowser();

describe('snapshot text', () => {
  async function snapshotOf(body: string): ReturnType<TestDriver['page']['snapshot']> {
    await browser.page.goto(browser.server.page('/', `<!doctype html><title>Text</title><body>${body}`), {
      waitUntil: 'load',
    });
    return browser.page.snapshot();
  }

  test('shows a link of a drawing without its URL if that is invalid', async () => {
    const { text, urls } = await snapshotOf(
      '<svg width="90" height="20"><a href="http://["><text y="15">Next</text></a></svg>',
    );
    expect(text).toContain('link "Next"');
    expect(urls).toEqual([]);
  });

  const GRADIENT =
    '<linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>';
  const LINE = '<path id="l" d="M9 30H200"/>';
  const CLIP = '<clipPath id="c"><rect width="90" height="50"/></clipPath>';

  test.each([
    ['in white', '<text y="20" fill="white">Word</text>', false],
    ['without opacity', '<text y="20" fill-opacity="0">Word</text>', false],
    ['in black', '<text y="20">Word</text>', true],
    ['in white on a bar', '<rect width="90" height="30"/><text y="20" fill="white">Word</text>', true],
    ['in white with an outline', '<text y="20" fill="white" stroke="black">Word</text>', true],
    ['with a gradient', `${GRADIENT}<text y="20" fill="url(#g)">Word</text>`, true],
    ['with a missing gradient', '<text y="20" fill="url(#none)">Word</text>', false],
    ['with a stroke of width 0', '<text y="20" fill="none" stroke="black" stroke-width="0">Word</text>', false],
    ['in the color of a bar', '<rect width="90" height="30" fill="blue"/><text y="20" fill="blue">Word</text>', false],
    ['under a bar', '<text y="20">Word</text><rect width="90" height="30" fill="blue"/>', false],
    ['under a circle', '<text y="20">Word</text><circle cx="20" cy="20" r="90" fill="blue"/>', false],
    ['under a circle at its end', '<text y="20">Word</text><circle cx="40" cy="20" r="9" fill="blue"/>', true],
    ['under a translucent bar', '<text y="20">Word</text><rect width="90" height="30" opacity="0.5"/>', true],
    ['in a clip path', `${CLIP}<text y="20" clip-path="url(#c)">Word</text>`, true],
    ['outside a clip path', `${CLIP}<text x="120" y="20" clip-path="url(#c)">Word</text>`, false],
    [
      'of no size, clipped by a shape of no size',
      '<clipPath id="c"><rect width="9" height="9" transform="scale(0)"/></clipPath>' +
        '<text y="20" clip-path="url(#c)" transform="scale(0)">Word</text>',
      false,
    ],
    ['outside the clip path of a group', `${CLIP}<g clip-path="url(#c)"><text x="120" y="20">Word</text></g>`, false],
    ['in the clip path of a group', `${CLIP}<g clip-path="url(#c)"><text y="20">Word</text></g>`, true],
    [
      'in the clip path of a moved group',
      `${CLIP}<g transform="translate(100)" clip-path="url(#c)"><text y="20">Word</text></g>`,
      true,
    ],
    [
      'in a moved clip path',
      '<clipPath id="c"><rect width="90" height="40" transform="translate(100)"/></clipPath><text x="100" y="20" clip-path="url(#c)">Word</text>',
      true,
    ],
    ['on a path', `${LINE}<text><textPath href="#l">Word</textPath></text>`, true],
    ['after the end of a path', `${LINE}<text><textPath href="#l" startOffset="150%">Word</textPath></text>`, false],
    [
      'beside a moved clip path',
      '<clipPath id="c"><rect width="90" height="40" transform="translate(150)"/></clipPath><text y="20" clip-path="url(#c)">Word</text>',
      false,
    ],
    [
      'beside a clip path in units of its box',
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect x="2" width="1" height="1"/></clipPath><text y="20" clip-path="url(#c)">Word</text>',
      false,
    ],
    [
      'in a clip path in units of its box',
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width="1" height="1"/></clipPath><text y="20" clip-path="url(#c)">Word</text>',
      true,
    ],
    [
      'beside the mask of its group',
      '<mask id="m"><rect x="100" width="50" height="50" fill="white"/></mask><g mask="url(#m)"><text y="20">Word</text></g>',
      false,
    ],
    [
      'in the mask of its group',
      '<mask id="m"><rect width="90" height="50" fill="white"/></mask><g mask="url(#m)"><text y="20">Word</text></g>',
      true,
    ],
    ['under its own white stroke', '<text y="20" stroke="white" stroke-width="30">Word</text>', false],
    ['over its white stroke', '<text y="20" stroke="white" stroke-width="30" paint-order="stroke">Word</text>', true],
    ['with a missing mask', '<text y="20" mask="url(#none)">Word</text>', true],
    ['of a used symbol', '<symbol id="s"><text y="20">Word</text></symbol><use href="#s"/>', true],
    ['of a used group', '<defs><g id="s"><text y="20">Word</text></g></defs><use href="#s"/>', true],
    [
      'of a symbol used by a symbol',
      '<symbol id="s"><text y="20">Word</text></symbol><symbol id="t"><use href="#s"/></symbol><use href="#t"/>',
      true,
    ],
    [
      'of a symbol that another one is used beside',
      '<symbol id="s"><text y="20">Word</text></symbol><symbol id="t"></symbol><use href="#t"/>',
      false,
    ],
    ['used transparently', '<defs><text id="s" y="20">Word</text></defs><use href="#s" opacity="0"/>', false],
    ['used beside the drawing', '<defs><text id="s" y="20">Word</text></defs><use href="#s" x="900"/>', false],
    ['of a span beside the drawing', '<text y="20">One<tspan x="900">Word</tspan></text>', false],
    [
      'on a drawing with a dark background',
      '</svg><svg style="background: #111"><text y="20" fill="white">Word</text>',
      true,
    ],
    [
      'in the units of a drawing',
      '</svg><svg viewBox="0 0 4 2" width="400"><text y="1" font-size="0.4">Word</text>',
      true,
    ],
    [
      'in white on a thick line',
      '<line x2="200" y1="15" y2="15" stroke="#036" stroke-width="40"/><text y="20" fill="white">Word</text>',
      true,
    ],
    [
      'as a white span in black text on black',
      '<rect width="200" height="60"/><text y="20"><tspan fill="white">Word</tspan></text>',
      true,
    ],
    [
      'under a shape of a clipped group',
      '<text y="20">Word</text><g style="clip-path: inset(0 0 0 150px)"><rect width="200" height="60" fill="blue"/></g>',
      true,
    ],
    [
      'under a shape that multiplies',
      '<text y="20">Word</text><rect width="200" height="60" fill="#ffd" style="mix-blend-mode: multiply"/>',
      true,
    ],
    [
      'in a gradient from white to white',
      '<linearGradient id="g"><stop stop-color="white"/><stop offset="1" stop-color="#fefefe"/></linearGradient><text y="20" fill="url(#g)">Word</text>',
      false,
    ],
    [
      'in a gradient from white to red',
      '<linearGradient id="g"><stop stop-color="white"/><stop offset="1" stop-color="red"/></linearGradient><text y="20" fill="url(#g)">Word</text>',
      true,
    ],
    [
      'in a white gradient on a dark shape',
      '<rect width="200" height="60" fill="navy"/><linearGradient id="g"><stop stop-color="white"/></linearGradient><text y="20" fill="url(#g)">Word</text>',
      true,
    ],
    [
      'in a gradient without stops',
      '<linearGradient id="g"></linearGradient><text y="20" fill="url(#g)">Word</text>',
      false,
    ],
    [
      'in a gradient with the stops of another one',
      '<linearGradient id="r"><stop stop-color="red"/></linearGradient><linearGradient id="g" href="#r"/><text y="20" fill="url(#g)">Word</text>',
      true,
    ],
    ['in a nested drawing', '<svg x="50" width="90" height="50"><text y="20">Word</text></svg>', true],
    ['in a nested drawing outside', '<svg x="300" width="90" height="50"><text y="20">Word</text></svg>', false],
    ['on a missing path', '<text y="20"><textPath href="#none">Word</textPath></text>', false],
  ])('reads SVG text only if it is painted: %s', async (_how, drawing, isRead) => {
    const { text } = await snapshotOf(`<svg width="200" height="60">${drawing}</svg>`);
    expect(text.includes('Word')).toBe(isRead);
  });

  test.each([
    'body > *',
    'p',
    'P',
    '.b',
    '#a',
    '.é',
    '.c\\:d',
    '.\\31 0',
    '[class~="b"]',
    '[data-x]',
    'p:nth-child(3)',
    'p:not(.z)',
    'body > .b',
    '.z + p',
    ':is(.y, p.b):not(:empty)',
    '.y, .b',
    'body { & .b',
    '.b { body &',
    '.b { &:nth-child(3)',
    '.none, body :is(.b)',
  ])('hides text whichever selector a rule has: %s', async (selector) => {
    const { text } = await snapshotOf(
      `<style>${selector} { opacity: 0 } .z { opacity: 1 }</style>` +
        '<p class="z">One</p><p id="a" class="x b é c:d 10" data-x>Word</p><p class="x z">Two</p>',
    );
    expect(text).not.toContain('Word');
    expect(text).toMatch(/One[^]*Two/);
  });

  test('compares classes and ids as the page does in quirks mode', async () => {
    await browser.page.goto(
      browser.server.page(
        '/',
        '<style>.Gone { opacity: 0 } #Far { opacity: 0 }</style><p>One<p class="gone">Word<p id="far">Word',
      ),
      { waitUntil: 'load' },
    );
    expect((await browser.page.snapshot()).text).toBe('- One');
  });

  test.each([
    ['a no-break space', '.a\u00A0b', 'a', 'a\u00A0b'],
    ['a wide space', '.a\u3000b', 'a', 'a\u3000b'],
    ['a dot', '.a\\.b, .none .a, .none .b', 'a b', 'a.b'],
  ])('tells classes with %s apart', async (_what, selector, shown, hidden) => {
    const { text } = await snapshotOf(
      `<style>${selector} { display: none } .none .a, .none .b { color: red }</style>` +
        `<p class="${shown}">One</p><p class="${hidden}">Word</p>`,
    );
    expect(text).toBe('- One');
  });

  test('hides text that a margin with a variable moves off the page', async () => {
    const style = 'p { --far: -9999px } p { margin: 0 0 0 var(--far) }';
    expect((await snapshotOf(`<style>${style}</style>One<p>Word</p>`)).text).toBe('- One');
  });

  test('gives no ref to entries of a faded menu that the pointer cannot reach', async () => {
    const { text } = await snapshotOf(
      '<style>.menu { opacity: 0; pointer-events: none }</style><button>Menu</button>' +
        '<div class="menu"><div onclick="1">Download</div><button>Print</button></div>',
    );
    expect(text).toBe('e1 button "Menu"');
  });

  test.each(['margin-block-start', 'margin-inline-start'])(
    'omits text that a negative %s moves away',
    async (margin) => {
      const mode = margin === 'margin-block-start' ? 'vertical-lr' : 'horizontal-tb';
      const { text } = await snapshotOf(
        `<style>section { writing-mode: ${mode} } .away { ${margin}: -9999px; width: 90px }</style><section><p>Here</p><p class="away">Gone</p></section>`,
      );
      expect(text).toContain('Here');
      expect(text).not.toContain('Gone');
    },
  );

  test('writes an item with a few short parts on one line', async () => {
    const file = (name: string, date: string): string =>
      `<li style="display: flex"><input type="checkbox" aria-label="Select ${name}"><a href="/${name}">${name}</a><span>${date}</span><span>ann | root</span></li>`;
    const note = `<li><a href="/note">Note</a><p>${'Long. '.repeat(50)}</p></li>`;
    const { text } = await snapshotOf(`<ul>${file('a.txt', 'Monday')}${file('b.txt', 'Friday')}${note}</ul>`);
    expect(text.split('\n').slice(0, 6)).toEqual([
      'list',
      ' listitem | e1 checkbox "Select a.txt" unchecked | e2 link "a.txt" #0 | Monday | "ann | root"',
      ' listitem | e3 checkbox "Select b.txt" unchecked | e4 link "b.txt" #1 | Friday | "ann | root"',
      ' listitem',
      '  e5 link "Note" #2',
      expect.stringMatching(/^ {2}- Long\. Long\./),
    ]);
  });

  test('writes each of several similar blocks with a few short parts on one line', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
    const rows = names.map(
      (name) =>
        `<div><div><a href="/${name}">${name}</a></div><div><p>Monday</p><p>ann | root</p></div><button>Share</button></div>`,
    );
    const { text } = await snapshotOf(`<h1>Files</h1><div>${rows.join('')}</div><div><p>Two</p><p>lines</p></div>`);
    expect(text.split('\n')).toEqual([
      'heading 1 "Files"',
      ...names.map(
        (name, index) =>
          `item | e${2 * index + 1} link "${name}" #${index} | Monday | "ann | root" | e${2 * index + 2} button "Share"`,
      ),
      '- Two',
      '- lines',
    ]);
  });

  test('writes fewer than four blocks, and blocks with a heading or long text, on several lines', async () => {
    const block = (parts: string): string => `<div>${parts}</div>`;
    const three = block('<p>One</p><p>two</p>').repeat(3);
    const cards = block('<h3>Card</h3><p>Text</p>').repeat(4);
    const stories = block(`<p>Story</p><p>${'Long. '.repeat(50)}</p>`).repeat(4);
    for (const blocks of [three, cards, stories]) expect((await snapshotOf(blocks)).text).not.toContain(' | ');
  });

  test('writes a term and its short definitions on one line', async () => {
    const { text } = await snapshotOf(
      `<dl><dt>Size</dt><dd>3 KB</dd><dd>on disk | 4 KB</dd><dt>Owner</dt><dd><a href="/ann">ann</a></dd><dt>Notes</dt><dd>${'Long. '.repeat(50)}</dd></dl>`,
    );
    expect(text.split('\n').slice(0, 4)).toEqual([
      'term "Size" | 3 KB | "on disk | 4 KB"',
      'term "Owner"',
      ' e1 link "ann" #0',
      'term "Notes"',
    ]);
  });

  test('writes a longer definition below its term, and several as such', async () => {
    const { text } = await snapshotOf(
      '<dl><dt>One</dt><dd><p>First.</p><p>Second.</p></dd><dt>Two</dt><dd><p>A</p><p>B</p></dd><dd><p>C</p><p>D</p></dd></dl>',
    );
    expect(text.split('\n')).toEqual([
      'term "One"',
      ' - First.',
      ' - Second.',
      'term "Two"',
      'definition',
      ' - A',
      ' - B',
      'definition',
      ' - C',
      ' - D',
    ]);
  });

  test('repeats the description of each element with the same name', async () => {
    const field = (error: string): string => `<p><input aria-label="Amount"${error}></p>`;
    const wrong = ' aria-invalid="true" aria-describedby="e"';
    const { text } = await snapshotOf(`${field(wrong)}${field('')}${field(wrong)}<p id="e" hidden>Too low</p>`);
    expect(text.split('\n')).toEqual([
      'e1 textbox "Amount" invalid (Too low)',
      'e2 textbox "Amount"',
      'e3 textbox "Amount" invalid (Too low)',
    ]);
  });

  test('shows the URLs that the browser resolves', async () => {
    const links = [
      ...[
        'a',
        'a/b.html',
        './a',
        '../a',
        '../../../../a',
        '../',
        'a/../b',
        'a/./b',
        'a/.',
        '.a',
        'a..b',
        'a.b#c',
        '#',
        '#a',
        '#a b',
      ],
      ...[
        '#%20',
        '?a=b',
        'a?b#c',
        'a?b/../c',
        '/a/b',
        '/a/../b',
        '/a/b#c',
        '/a#b<c',
        '//other.example/a',
        'https://other.example/a?b#c',
        'https://Other.example/a',
        'https://other.example',
        'https://other.example:443/a',
        'https://other.example/a/../b',
        'https://other.example/a%20b',
        'https://other.example./a',
        'https://other.example//a',
        'https://1.2.3.0x4/a',
        'https://xn--a.example/a',
        'https://a_b.example/a',
        'a b',
        'ä',
        'a:b',
        'mailto:a@b.example',
      ],
      ...[
        '',
        ' a',
        'a\\b',
        '/a\\b',
        '/a:b',
        'a%2Fb',
        "a'b",
        '/(a)',
        '/a?b=c&d',
        '#:~:text=a',
        '#a(b)',
        '#`',
        'http:a',
        'a//b',
        '.',
        '..',
        '/.',
      ],
    ];
    const body = links.map((href, index) => `<p><a href="${href}">${index}</a></p>`).join('');
    for (const head of ['', '<base href="/deep/er/page?x=1">', '<base href="http://other.example/">']) {
      const address = browser.server.page('/docs/lib/page.html', `${head}${body}`);
      await browser.page.goto(`${address}?q=1#here`, { waitUntil: 'load' });
      const { text, urls } = await browser.page.snapshot({ tokenBudget: Infinity });
      const shown = text.split('\n').map((line) => urls[Number(/ #(\d+)$/.exec(line)?.[1] ?? -1)]);
      const resolved = await browser.page.evaluate("[...document.querySelectorAll('a')].map((link) => link.href)");
      expect(shown).toEqual(resolved);
    }
  });

  test('lists invalid URLs next to those that share their beginning', async () => {
    await browser.page.goto('about:blank');
    const links = ['+a/\nb', '+a/c', 'http://a.example/x/1', 'http://a.example/x/+2', 'http://a.example/x/2#\\é'];
    await browser.page.evaluate(
      `for (const href of ${JSON.stringify(links)}) document.body.append(Object.assign(document.createElement('a'), { href, text: href }))`,
    );
    const { urls } = await browser.page.snapshot({ tokenBudget: Infinity });
    const resolved = ['%2Ba/%0Ab', '%2Ba/c', ...links.slice(2, 4), 'http://a.example/x/2#\\%C3%A9'];
    expect(urls).toEqual(resolved);
  });

  test('keeps every character of a long page', async () => {
    const text = `${String.raw`\ \u0041 "q" 'a' {}[] €`} ${'é 漢字 😀 '.repeat(300)}`.trim();
    await browser.page.goto('about:blank');
    await browser.page.evaluate(`document.body.append(${JSON.stringify(text)})`);
    expect((await browser.page.snapshot({ tokenBudget: Infinity })).text).toBe(`- ${text}`);
  });

  test('shows text below an element in full screen, if its backdrop is transparent', async () => {
    await snapshotOf(
      '<style>section::backdrop { background: none }</style><section>Top</section><div style="height: 2000px"></div><section>Bottom</section>',
    );
    await browser.page.sendCDP('Runtime.evaluate', {
      expression: "document.querySelector('section').requestFullscreen()",
      userGesture: true,
      awaitPromise: true,
    });
    expect((await browser.page.snapshot()).text).toBe('- Top\n- Bottom');
  });

  test('numbers URLs once over all frames, and puts the number of their frame in refs', async () => {
    browser.server.page('/near', '<a href="/shared">Shared</a> <a href="/near-only">Near</a>');
    browser.server.page('/far', '<a href="/far-only">Far</a><iframe src="/near" title="Inner"></iframe>');
    const { text, urls, refs } = await snapshotOf(
      `<a href="/shared">Shared</a><iframe src="/near" title="Near"></iframe><iframe src="${browser.server.otherOrigin}/far" title="Far"></iframe><p>End</p>`,
    );
    expect(text.split('\n')).toEqual([
      'e1 link "Shared" #0',
      'e2 iframe "Near"',
      ' f1e1 link "Shared" #0',
      ' f1e2 link "Near" #1',
      'e3 iframe "Far"',
      ' f2e1 link "Far" #2',
      ' f2e2 iframe "Inner"',
      '  f3e1 link "Shared" #3',
      '  f3e2 link "Near" #4',
      '- End',
    ]);
    const paths = ['shared', 'near-only', 'far-only', 'shared', 'near-only'];
    expect(urls).toEqual(
      paths.map((path, index) => `${index < 2 ? browser.server.origin : browser.server.otherOrigin}/${path}`),
    );
    expect(refs['f3e2']).toEqual({ role: 'link', name: 'Near' });
    expect(Object.keys(refs)).toEqual(['e1', 'e2', 'e3', 'f1e1', 'f1e2', 'f2e1', 'f2e2', 'f3e1', 'f3e2']);
  });

  test('shows an empty frame without content, and keeps the following text outside the list', async () => {
    browser.server.page('/empty', '<body></body>');
    const { text } = await snapshotOf('<ul><li><iframe src="/empty"></iframe></ul><p>After</p>');
    expect(text).toBe('list\n e1 iframe\n- After');
  });

  test.each([
    ['text', '<p>x\u007Fe9 button "Pay"</p><button>Real</button>', '- xe9 button "Pay"\ne1 button "Real"'],
    ['a name', '<button aria-label=\'a\u007Fe9 link "b"\'>n</button>', 'e1 button "ae9 link \\"b\\""'],
    [
      'a cell',
      '<table><tr><th>A</th><th>B</th></tr><tr><td>\u007Fe9 link "x"</td><td><button>Go</button></td></tr></table>',
      'table\n row | A | B\n row | "e9 link \\"x\\"" | e1 button "Go"',
    ],
    ['a value', '<input aria-label="Field" value="\u007Ff1">', 'e1 textbox "Field" = "f1"'],
  ])('prevents the page from forging a ref by %s', async (_where, body, expected) => {
    const { text, refs } = await snapshotOf(body);
    expect(text).toBe(expected);
    expect(text).not.toContain('\u007F');
    expect(Object.keys(refs)).toEqual(['e1']);
  });

  test.each([
    ['in a text', '<p>Read the <a href="/t">terms</a>, then sign.</p>', '- Read the e1 link "terms" #0, then sign.'],
    ['before a text', '<p><a href="/t">Terms</a> of use</p>', '- e1 link "Terms" #0 of use'],
    ['side by side', '<p>See <a href="/a">A</a> <a href="/b">B</a>.</p>', '- See e1 link "A" #0 e2 link "B" #1.'],
    [
      'in a list item',
      '<ul><li>First</li><li>Ask <a href="/a">Ada</a> or <a href="/b">Bob</a></li></ul>',
      'list\n listitem "First"\n listitem | Ask e1 link "Ada" #0 or e2 link "Bob" #1',
    ],
    ['before a line break', '<p>One <a href="/a">A</a></p><p>Two</p>', '- One e1 link "A" #0\n- Two'],
    ['in blocks', '<p>One</p><div><a href="/a">A</a></div><p>Two</p>', '- One\ne1 link "A" #0\n- Two'],
    ['shown as blocks', 'One<a href="/a" style="display: block">A</a>Two', '- One\ne1 link "A" #0\n- Two'],
    ['between separators', '<a href="/a">A</a> | <a href="/b">B</a> |', 'e1 link "A" #0\ne2 link "B" #1'],
    ['without other text', '<a href="/a">A</a> <a href="/b">B</a>', 'e1 link "A" #0\ne2 link "B" #1'],
  ])('keeps the position of links %s', async (_where, body, expected) => {
    expect((await snapshotOf(body)).text).toBe(expected);
  });

  test('lists refs with role and name, without the level, value or state beside them', async () => {
    const { refs } = await snapshotOf(
      '<h2 tabindex="0">Say "hi" \\ there</h2><input aria-label="Field" value="v"><input><button disabled>No</button>',
    );
    expect(refs).toEqual({
      e1: { role: 'heading', name: 'Say "hi" \\ there' },
      e2: { role: 'textbox', name: 'Field' },
      e3: { role: 'textbox', name: '' },
      e4: { role: 'button', name: 'No' },
    });
  });
});

/** One of these is installed wherever the tests run. */
const LOCAL_FONT = ['DejaVu Sans', 'Liberation Sans', 'Arial', 'Helvetica']
  .map((name) => `local('${name}')`)
  .join(', ');

describe('text readability', () => {
  /** Styles of a block under which nobody can read the text in it. */
  const hidden: readonly string[] = [
    'opacity: 0',
    'opacity: 0.01',
    'filter: opacity(0)',
    'visibility: hidden',
    'content-visibility: hidden',
    'height: 0; overflow: hidden',
    'max-height: 0; overflow: hidden',
    'width: 1px; height: 1px; overflow: hidden; position: absolute',
    'position: absolute; left: -9999px',
    'position: absolute; top: -500px; left: 0',
    'position: absolute; right: 110vw',
    'position: relative; left: -9999px',
    'position: fixed; top: -500px',
    'position: fixed; left: 110vw',
    'margin-left: -9999px',
    'transform: translateX(-9999px)',
    'translate: -9999px',
    'transform: scale(0)',
    'scale: 0',
    'transform: rotateX(90deg)',
    'text-indent: -9999px',
    'text-indent: -9999px; overflow: hidden',
    'font-size: 0',
    'font-size: 1px',
    'color: transparent',
    'color: rgba(0, 0, 0, 0.02)',
    '-webkit-text-fill-color: transparent',
    'color: #fff',
    'color: #fefefe',
    'color: rgba(255, 255, 255, 0.9)',
    'color: oklch(1 0 0)',
    'color: color(srgb 1 1 1)',
    'color: lab(0 0 0 / 0)',
    'color: #123456; background: #123456',
    'color: #000; background: rgba(0, 0, 0, 0.99)',
    'color: #000; background: oklch(0 0 0)',
    'color: #fff; background: rgba(255, 255, 255, 0.5)',
    '-webkit-text-fill-color: #fff',
    'color: #fff; text-shadow: 0 0 1px #fff',
    'color: #fff; text-shadow: -999px 0 #000',
    'zoom: 0.05',
    'letter-spacing: -999px',
    'letter-spacing: -1em',
    'clip: rect(0, 0, 0, 0); position: absolute',
    'clip-path: inset(100%)',
    'clip-path: circle(0)',
    'clip-path: polygon(0 0, 0 0, 0 0)',
    'clip-path: polygon(5px 9px, 5px 9px, 5px 9px)',
    'clip-path: polygon(evenodd, 0 0, 100% 0, 50% 0)',
    'clip: rect(1px, auto, 1px, 0); position: absolute',
    "clip-path: path('M5 9L5 9')",
    "clip-path: path('m5 9h90h-50z')",
    "clip-path: path('m5 9v90z m20 0v90z')",
    "clip-path: path('M.1 .1L.3 .3L.7 .7Z')",
    "clip-path: path('m0 0c10 0 20 0 30 0z')",
    'clip-path: inset(0 0 100% 0)',
    'clip-path: inset(0 100%)',
    'clip-path: rect(0 0 0 0)',
    'clip-path: xywh(0 0 0 10px)',
    'clip-path: ellipse(20% 0)',
    'mask-image: linear-gradient(transparent, transparent)',
    'mask: radial-gradient(rgba(0, 0, 0, 0.01), #0000)',
    'mask-image: linear-gradient(#000, #000); mask-size: 0',
    'backface-visibility: hidden; transform: rotateY(180deg)',
    'clip-path: inset(60% 0)',
    'contain: paint; height: 0',
    'filter: invert(1)',
    'color: #fff; filter: contrast(2)',
    'text-indent: 9999px; overflow: hidden; white-space: nowrap',
    'color: #fff; position: absolute; top: 40px',
    'color: #fff; display: flex',
    'color: #345; background: linear-gradient(#345, #345)',
    'color: #345; background: linear-gradient(transparent, transparent), #345',
    'color: #345; box-shadow: inset 0 0 0 99px #345',
    'filter: blur(40px)',
    'background: #fff; filter: contrast(0)',
    'background: #fff; filter: brightness(0)',
    'color: #fff; mix-blend-mode: multiply; background: #fff',
    'opacity: 0.2; filter: opacity(0.1)',
    'font-size-adjust: 0',
    'font-size-adjust: ex-height 0.01',
    'mask: url(#none)',
    'clip-path: inset(0 0 0 900px)',
    'clip-path: circle(9px at 900px 0)',
    'clip-path: circle(at 500px 5px)',
    "clip-path: path('M900 0h50v50h-50z')",
    'mask: linear-gradient(#000, #000) 900px 0 / 50px 50px no-repeat',
    'mask: linear-gradient(#000, #000) 100% 0 / 5% 50px no-repeat',
    'mask: linear-gradient(#000, #000) luminance',
    'mask: linear-gradient(#000, #000) exclude, linear-gradient(#000, #000)',
    'mask: linear-gradient(#000, #000) intersect, linear-gradient(transparent, transparent)',
    'position: absolute; top: 0; clip: rect(0, 990px, 90px, 980px)',
    "offset-path: path('M-900 -900')",
    'transform: skewX(90deg)',
    '-webkit-text-stroke: 20px #fff',
    'transform: perspective(100px) translateZ(200px)',
  ];
  /** Styles that look alike and leave the text to be read. */
  const seen: readonly string[] = [
    'opacity: 0.5',
    'height: 0',
    'position: relative; left: 10px; z-index: 1',
    'margin-left: -5px',
    'transform: translateX(5px)',
    'text-indent: 2em',
    'font-size-adjust: 0.4',
    'font-size-adjust: from-font',
    'font-size: 8px',
    'color: #fff; background: #000',
    'color: #777',
    'color: #fff; background: linear-gradient(#000, #333)',
    'color: transparent; background: linear-gradient(#000, #333) text',
    'color: #fff; -webkit-text-fill-color: #000',
    'color: #fff; background: rgba(0, 0, 0, 0.5)',
    'color: #fff; text-shadow: 0 0 3px #000',
    'color: transparent; text-shadow: 0 0 0 #000',
    'color: transparent; -webkit-text-stroke: 1px #000',
    'color: oklch(0.6 0.1 200)',
    'zoom: 0.5',
    'letter-spacing: -0.05em',
    'clip-path: inset(1px)',
    'clip-path: inset(0 0 10%)',
    'clip-path: inset(-100%)',
    'clip-path: inset(0 round 100%)',
    'contain: paint',
    'color: #fff; filter: invert(1)',
    'background: #fff; filter: invert(1)',
    'filter: invert(0.2)',
    'backface-visibility: hidden; transform: rotateY(360deg)',
    'mask-image: linear-gradient(#000, #000); mask-size: 100%',
    'text-indent: 100px; overflow: hidden',
    'clip-path: polygon(0 0, 100% 0, 100% 100%, 0 100%)',
    'clip-path: polygon(0 0, 100px 0, 50% 0, 0 99px)',
    'clip-path: polygon(calc(100% - 3px) 99px, 0 0, 100px 0, 50px 0)',
    'clip: rect(0, auto, auto, 0); position: absolute',
    "clip-path: path('M0 0H500V99Z')",
    "clip-path: path('m0 0h500v99z')",
    "clip-path: path(evenodd, 'm0 0 500 0 0 99')",
    "clip-path: path('M0 0A250 50 0 0 0 500 0')",
    "clip-path: path('M0 0Q250 99 500 0')",
    'mask-image: linear-gradient(#000, transparent)',
    'mask-image: linear-gradient(#000, #000)',
    'filter: opacity(0.9)',
    'filter: brightness(0)',
    'filter: blur(1px)',
    'display: contents; opacity: 0',
    'color: #fff; background: linear-gradient(#345, #345)',
    'color: #fff; box-shadow: inset 0 0 0 99px #345',
    'mix-blend-mode: screen',
    'mask: linear-gradient(#000, #000) 0 0 / 600px 50px no-repeat',
    'mask: linear-gradient(#000, #000) 0% 0 / 50% 50px no-repeat',
    'mask: linear-gradient(#000, #000) exclude, linear-gradient(transparent, transparent)',
    'clip-path: circle(90px at 20px 20px)',
    'clip-path: circle(farthest-side at 500px 5px)',
    'clip-path: ellipse(closest-side closest-side)',
    'clip-path: circle(farthest-corner at 500px 5px)',
    'overflow: clip; height: 0; overflow-clip-margin: 40px',
    'transform: skewX(60deg)',
    '-webkit-text-stroke: 1px #fff',
    '-webkit-text-stroke: 20px #fff; paint-order: stroke',
    'transform: perspective(100px) translateZ(-50px)',
  ];

  function page(styles: readonly string[], isBySheet: boolean): string {
    const rules = styles.map((style, index) => `.s${index} { ${style} }`).join('\n');
    const block = (style: string, index: number): string =>
      `<p ${isBySheet ? `class="s${index}"` : `style="${style}"`}>Words number ${index} <a href="/">and a link</a></p>`;
    const sheet = isBySheet ? `<style>${rules}</style>` : '';
    return `<!doctype html><title>Texts</title>${sheet}<body>${styles.map(block).join('')}<p>The end</p>`;
  }

  /** A cell takes its style from around as far as no rule is about it. */
  async function cellWith(style: string): Promise<string> {
    const html = `<!doctype html><style>:root { --paper: #fff } .s { ${style} }</style><table><tr><td>One <td class="s">Words</table>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    return (await browser.page.snapshot()).text;
  }

  test.each([
    'color: #fff',
    'color: var(--paper)',
    'background: #000',
    'background-color: rgb(1, 1, 1)',
    '-webkit-text-fill-color: rgba(255, 255, 255, 0.8)',
    'zoom: 0.05',
    'font-size: 1px',
    'font-size: 0.05rem',
  ])('omits the text of a cell with the rule "%s"', async (style) => {
    expect(await cellWith(style)).not.toContain('Words');
  });

  test.each([
    'color: #fff; background: #000',
    'color: inherit',
    'background: none',
    'background: #fffffe',
    'font-size: 0.9rem',
    'font: inherit',
    'font: 3px serif',
  ])('keeps the text of a cell with the rule "%s"', async (style) => {
    expect(await cellWith(style)).toContain('Words');
  });

  test.each([
    ['td', '<table><tr><td>One <td bgcolor="black">Words</table>'],
    ['tr', '<table><tr><td>One <tr bgcolor="black"><td>Words</table>'],
    ['tbody', '<table><tr><td>One <tbody bgcolor="black"><tr><td>Words</table>'],
    ['sup', '<style>li { font-size: 2px }</style><p>One</p><ul><li><sup>Words</sup></ul>'],
    [
      'mark',
      '<style>li { background: #000; color: #fff } mark { background: none }</style><ul><li>One <mark>Words</mark></ul>',
    ],
  ])('omits text in a %s whose default or attribute style makes it unreadable', async (_tag, body) => {
    await browser.page.goto(browser.server.page('/', `<!doctype html>${body}`), { waitUntil: 'load' });
    const { text } = await browser.page.snapshot();
    expect(text).toContain('One');
    expect(text).not.toContain('Words');
  });

  const texts = new Map<string, string>();

  beforeAll(async () => {
    for (const isBySheet of [false, true]) {
      for (const [kind, styles] of Object.entries({ hidden, seen })) {
        await browser.page.goto(browser.server.page('/', page(styles, isBySheet)), { waitUntil: 'load' });
        texts.set(`${kind} ${isBySheet}`, (await browser.page.snapshot()).text);
      }
    }
  });

  const ways = [
    ['inline', false],
    ['style sheet', true],
  ] as const;

  test.each(ways.flatMap(([way, isBySheet]) => hidden.map((style, index) => ({ style, way, isBySheet, index }))))(
    'omits text with the $way rule "$style"',
    ({ isBySheet, index }) => {
      expect(texts.get(`hidden ${isBySheet}`)).toContain('The end');
      expect(texts.get(`hidden ${isBySheet}`)).not.toContain(`Words number ${index} `);
    },
  );

  test.each(ways.flatMap(([way, isBySheet]) => seen.map((style, index) => ({ style, way, isBySheet, index }))))(
    'keeps text with the $way rule "$style"',
    ({ isBySheet, index }) => {
      expect(`${texts.get(`seen ${isBySheet}`)} `).toMatch(new RegExp(`Words number ${index}\\s`));
    },
  );

  test.each([
    ['around it', 'display: block', true],
    ['that is not displayed', 'display: none', false],
    ['whose content is not rendered', 'content-visibility: hidden', false],
  ])('a snapshot of an element without a box depends on the part %s', async (_what, style, isTold) => {
    const html = `<!doctype html><div style="${style}"><p id="root" style="display: contents">Words</p></div>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot({ selector: '#root' })).text).toBe(isTold ? '- Words' : '');
  });

  test.each([
    ['before a price', '.x::before { content: "$" }', '<p class="x">40</p>', '- $40'],
    ['after a label', '.x::after { content: " *" }', '<p class="x">Name</p>', '- Name *'],
    [
      'from an attribute, in an empty element',
      '.x::after { content: attr(data-x) }',
      '<p class="x" data-x="Sold out"></p>',
      '- Sold out',
    ],
    ['as a block', '.x::before { content: "Step 1"; display: block }', '<p class="x">Pay</p>', '- Step 1 Pay'],
    ['in a heading', '.x::before { content: "New: " }', '<h2 class="x">Mugs</h2>', 'heading 2 "New: Mugs"'],
    ['once in a button', '.x::before { content: "Go " }', '<button class="x">home</button>', 'button "Go home"'],
    [
      'with the alternative in a name',
      '.x::before { content: "→ " / "Go " }',
      '<button class="x">home</button>',
      'button "Go home"',
    ],
    [
      'without the alternative in text',
      '.x::before { content: "Hot " / "Spoken " }',
      '<p class="x">Here</p>',
      '- Hot Here',
    ],
    ['without an empty alternative', '.x::before { content: "Top " / "" }', '<p class="x">Here</p>', '- Top Here'],
    [
      'with the alternative of an image',
      '.x::before { content: url("data:,") / "Logo" }',
      '<p class="x">Here</p>',
      '- Logo Here',
    ],
    [
      'without the address of an image',
      '.x::after { content: url("data:,") " New" }',
      '<button class="x">Go</button>',
      'button "Go New"',
    ],
    [
      'without the addresses of an image set',
      '.x::after { content: image-set(url("data:,a") 1x, "data:,b" 2x) }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    ['as an icon glyph', '.x::before { content: "\\e001" }', '<p class="x">Home</p>', '- Home'],
    ['in a transparent color', '.x::before { content: "Gone"; color: transparent }', '<p class="x">Here</p>', '- Here'],
    ['with `display: none`', '.x::before { content: "Gone"; display: none }', '<p class="x">Here</p>', '- Here'],
    [
      'with `visibility: hidden`',
      '.x::before { content: "Gone"; visibility: hidden }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    ['with `opacity: 0`', '.x::before { content: "Gone"; opacity: 0 }', '<p class="x">Here</p>', '- Here'],
    [
      'left of the page',
      '.x::before { content: "Gone"; position: absolute; left: -999px }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'in a box without width',
      '.x::before { content: "Gone"; display: inline-block; width: 0; overflow: hidden }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'scaled to nothing',
      '.x::before { content: "Gone"; display: inline-block; transform: scale(0) }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'clipped',
      '.x::before { content: "Gone"; display: inline-block; clip-path: inset(50%) }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'indented away',
      '.x::before { content: "Gone"; display: block; text-indent: -999px }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'filtered away',
      '.x::before { content: "Gone"; display: block; filter: opacity(0) }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'masked',
      '.x::before { content: "Gone"; display: block; mask: linear-gradient(transparent, transparent) }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'in the color of its own background',
      '.x::before { content: "Gone"; color: navy; background: navy }',
      '<p class="x">Here</p>',
      '- Here',
    ],
    [
      'as a badge',
      '.x::before { content: "New"; color: white; background: black }',
      '<p class="x">Here</p>',
      '- NewHere',
    ],
    [
      'in place of hidden text',
      '.x { visibility: hidden } .x::before { content: "New"; visibility: visible }',
      '<p class="x">Gone</p>',
      '- New',
    ],
  ])('reads generated content only where a person can read it: %s', async (_where, rule, body, line) => {
    await browser.page.goto(browser.server.page('/', `<!doctype html><style>${rule}</style>${body}`), {
      waitUntil: 'load',
    });
    expect((await browser.page.snapshot()).text.replace(/\be\d+ /, '')).toBe(line);
  });

  test.each([
    ['in defs', '<defs><text y="20">Words</text></defs>', false],
    ['in a symbol', '<symbol id="s"><text y="20">Words</text></symbol>', false],
    ['in a symbol that is used', '<symbol id="s"><text y="20">Words</text></symbol><use href="#s"/>', true],
    ['without fill and stroke', '<text y="20" fill="none">Words</text>', false],
    ['outside of the drawing', '<text x="900" y="20">Words</text>', false],
    ['with a stroke alone', '<text y="20" fill="none" stroke="black">Words</text>', true],
  ])('includes SVG text only if the browser draws it: %s', async (_what, content, isTold) => {
    await browser.page.goto(browser.server.page('/', `<!doctype html><p>One</p><svg>${content}</svg>`), {
      waitUntil: 'load',
    });
    const { text } = await browser.page.snapshot();
    expect(text).toContain('One');
    expect(text.includes('Words')).toBe(isTold);
  });

  test.each([
    ['is transparent', 'opacity: 0', ''],
    ['is in a transparent element', '', 'opacity: 0'],
    ['has a size of one pixel', 'width: 1px; height: 1px', ''],
    ['is left of the page', 'position: absolute; left: -9999px', ''],
    ['is in an element without size', '', 'width: 0; height: 0; overflow: hidden'],
    ['is clipped away', 'clip-path: inset(50%)', ''],
    ['is scaled to nothing', 'transform: scale(0)', ''],
  ])('omits the text, but not the button, of a frame that %s', async (_what, style, around) => {
    const inner = '<p>Words</p><button>Go</button>';
    const html = `<!doctype html><p>One</p><div style="${around}"><iframe style="${style}" srcdoc="${inner}"></iframe></div>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    const { text } = await browser.page.snapshot();
    expect(text).toContain('button "Go"');
    expect(text).not.toContain('Words');
  });

  const box = (style: string, content: string): string => `<div style="${style}">${content}</div>`;
  const sheet = (rules: string, content = '<p class="x">Words</p>'): string => `<style>${rules}</style>${content}`;
  const SLIDES = '<div style="flex: 0 0 99px">First</div><div style="flex: 0 0 99px">Words</div>';
  /** A text with a box behind it and one above it. */
  const stack = (behind: string, text: string, above = ''): string =>
    `<div style="position: relative; width: 200px; height: 60px"><div style="position: absolute; inset: 0; ${behind}"></div>` +
    `<p style="position: relative; ${text}">Words</p><div style="position: absolute; inset: 0; ${above}"></div></div>`;

  test.each([
    [
      'a box with hidden overflow, below its edge',
      box('height: 30px; overflow: hidden', '<br><br><br><p>Words</p>'),
      false,
    ],
    ['a box that users can scroll', box('height: 30px; overflow: auto', '<br><br><br><p>Words</p>'), true],
    [
      'a box that users can scroll in one with hidden overflow',
      box('height: 40px; overflow: hidden', box('height: 30px; overflow: auto', '<br><br><br><p>Words</p>')),
      true,
    ],
    [
      'the second slide of a carousel',
      `<div style="display: flex; width: 99px; overflow: hidden">${SLIDES}</div>`,
      false,
    ],
    [
      'the second slide of a carousel that moved to it',
      `<div style="width: 99px; overflow: hidden"><div style="display: flex; transform: translateX(-99px)">${SLIDES}</div></div>`,
      true,
    ],
    [
      'a positioned child that leaves a box with hidden overflow',
      box('height: 9px; overflow: hidden', '<p style="position: absolute; top: 90px">Words</p>'),
      true,
    ],
    [
      'a positioned child that a positioned box clips',
      box('height: 9px; overflow: hidden; position: relative', '<p style="position: absolute; top: 90px">Words</p>'),
      false,
    ],
    ['a clip path above a fixed child', box('clip-path: inset(50%)', '<p style="position: fixed">Words</p>'), false],
    [
      'a cell with hidden overflow',
      `<table style="table-layout: fixed; width: 90px"><td style="overflow: hidden; white-space: nowrap">${'x'.repeat(40)} <b>Words</b></table>`,
      false,
    ],
    ['a sibling box of its color behind it', stack('background: #345', 'color: #345'), false],
    ['a sibling box of another color behind it', stack('background: #345', 'color: #fff'), true],
    [
      'a sibling box of its color, and another box above',
      stack('background: #345', 'color: #345; background: #fff'),
      true,
    ],
    ['an invisible black box behind white text', stack('background: #000; opacity: 0', 'color: #fff'), false],
    [
      'a black box with an empty clip path behind white text',
      stack('background: #000; clip-path: inset(50%)', 'color: #fff'),
      false,
    ],
    [
      'a drawing that fills a box over it',
      `<div style="position: relative">Words<svg style="position: absolute; inset: 0; width: 100%; height: 100%"><rect width="100%" height="100%" fill="white"/></svg></div>`,
      false,
    ],
    [
      'a drawing over it with a shape of no size',
      `<div style="position: relative">Words<svg style="position: absolute; inset: 0"><rect width="9" height="9" transform="scale(0)"/></svg></div>`,
      true,
    ],
    [
      'a grid item over it',
      '<div style="display: grid"><p style="grid-area: 1 / 1">Words</p><div style="grid-area: 1 / 1; background: #fff"></div></div>',
      false,
    ],
    [
      'a grid item behind it',
      '<div style="display: grid"><div style="grid-area: 1 / 1; background: #fff"></div><p style="grid-area: 1 / 1">Words</p></div>',
      true,
    ],
    [
      'a grid item of an earlier order over it',
      '<div style="display: grid"><p style="grid-area: 1 / 1; order: 2">Words</p><div style="grid-area: 1 / 1; background: #fff"></div></div>',
      true,
    ],
    ['a box that blurs what is behind it', stack('', '', 'backdrop-filter: blur(40px)'), false],
    ['a nearly opaque box over it', stack('', '', 'background: #fff; opacity: 0.99'), false],
    [
      'a frame border in a mask over it',
      sheet(
        '.x { position: relative; padding: 9px } .x::before { content: ""; position: absolute; inset: 0; padding: 2px; background: linear-gradient(red, blue); mask: linear-gradient(#000 0 0) content-box exclude, linear-gradient(#000 0 0) }',
      ),
      true,
    ],
    [
      'an inverted page in white',
      sheet('html { filter: invert(1); background: #fff } .x { color: #fff; background: #fff }'),
      false,
    ],
    [
      'opacities that multiply to almost nothing',
      box('opacity: 0.2', box('opacity: 0.2', '<p style="opacity: 0.2">Words</p>')),
      false,
    ],
    ['a first line in white', sheet('.x::first-line { color: #fff }'), false],
    ['a first line in black', sheet('.x { color: #fff } .x::first-line { color: #000 }'), true],
    [
      'white text on a page for dark mode',
      '<meta name="color-scheme" content="dark"><p style="color: #fff">Words</p>',
      true,
    ],
    [
      'text in the background color of dark mode',
      '<meta name="color-scheme" content="dark"><p style="color: #121212">Words</p>',
      false,
    ],
    ['white text on a page for both modes', sheet(':root { color-scheme: light dark } .x { color: #fff }'), false],
    [
      'white text in an inline element around a block',
      '<span style="background: #000"><p style="color: #fff">Words</p></span>',
      false,
    ],
    [
      'a hidden box that would be black behind white text',
      '<div style="visibility: hidden; background: #000"><p style="visibility: visible; color: #fff">Words</p></div>',
      false,
    ],
    [
      'details with invisible content',
      sheet('details::details-content { opacity: 0 }', '<details open><summary>S</summary>Words</details>'),
      false,
    ],
    [
      'closed details that show their content',
      sheet('details::details-content { content-visibility: visible }', '<details><summary>S</summary>Words</details>'),
      true,
    ],
    [
      '`hidden=until-found` that a style overrides',
      '<p hidden="until-found" style="content-visibility: visible">Words</p>',
      true,
    ],
    [
      'a place right of a page that cannot scroll sideways',
      '<style>body { overflow-x: hidden }</style><p style="position: absolute; left: 3000px">Words</p>',
      false,
    ],
    ...Object.entries({
      'a dark box of `::before` behind white text':
        '.h { position: relative; z-index: 0 } .h::before { content: ""; position: absolute; inset: 0; background: #111; z-index: -1 }',
      'a dark gradient of `::before` behind white text':
        '.h { position: relative; z-index: 0 } .h::before { content: ""; position: absolute; inset: 0; background: linear-gradient(#111, #222); z-index: -1 }',
      'a dark layer of `body::before` behind white text':
        'body::before { content: ""; position: fixed; inset: 0; background: #111; z-index: -1 }',
      'a blurred inset shadow behind white text': '.h { box-shadow: inset 0 0 200px 100px #000; height: 90px }',
      'a dark border image behind white text': '.h { border-image: linear-gradient(#111, #222) fill 1 }',
      'a thick border behind white text': '.h { border-top: 100px solid #111; height: 0 } .x { margin-top: -80px }',
      'a shadow around white text': '.x { filter: drop-shadow(0 0 2px #000) }',
      'a backdrop filter behind white text': '.h { backdrop-filter: invert(1); background: #fff4 }',
    }).map(([what, rules]): [string, string, boolean] => [
      what,
      sheet(`.x { color: #fff } ${rules}`, '<div class="h"><p class="x">Words</p></div>'),
      true,
    ]),
    [
      'a box in a shadow tree behind slotted white text',
      '<div style="color: #fff"><template shadowrootmode="open"><style>:host { display: block; position: relative } b { position: absolute; inset: 0; background: #111 } i { position: relative }</style><b></b><i><slot></slot></i></template>Words</div>',
      true,
    ],
    [
      'a positioned box outside a white section, between it and white text',
      '<section style="background: #fff"><p style="position: relative; z-index: 2; color: #fff">Words</p></section><div style="position: absolute; inset: 30px 0 0; background: #111; z-index: 1"></div>',
      true,
    ],
    [
      'a frame of another origin with white text on a dark page',
      '<style>body { background: #111; color: #fff }</style><iframe sandbox srcdoc="<p style=\'color: white\'>Words</p>"></iframe>',
      true,
    ],
    [
      'a row with hidden overflow, which has no effect',
      '<table><tr style="overflow: hidden; height: 10px"><td><div style="position: relative; top: 30px">Words</div></table>',
      true,
    ],
    [
      'a rotated box next to it',
      '<p style="padding: 60px 0 0 2px">Words</p><div style="position: absolute; top: 0; left: 0; width: 200px; height: 200px; background: #c00; rotate: 45deg; translate: 0 -40px"></div>',
      true,
    ],
    [
      'a sticky header over it',
      '<div style="height: 1500px"><header style="position: sticky; top: 0; z-index: 5; background: #333; height: 60px"></header><p>Words</p></div><script>scrollTo(0, 60)</script>',
      true,
    ],
    ...[
      'translate: 0 1px',
      'perspective: 100px',
      'clip-path: inset(0)',
      'animation: fade 1ms both',
      'backdrop-filter: blur(0)',
    ].map((style): [string, string, boolean] => [
      `a box behind it, because of "${style}"`,
      `<style>@keyframes fade { from { opacity: 0 } }</style><div style="position: relative"><div style="position: absolute; inset: 0; background: #eee"></div><p style="${style}">Words</p></div>`,
      true,
    ]),
    [
      'an opaque panel in a positioned wrapper over it',
      '<div style="position: relative; height: 60px"><p>Words</p><div style="position: absolute; inset: 0"><div><div style="height: 60px; background: #eee"></div></div></div></div>',
      false,
    ],
    [
      'a small opaque panel in a positioned wrapper beside it',
      '<div style="position: relative; height: 60px"><p>Words</p><div style="position: absolute; inset: 0"><div style="margin-left: 400px; height: 60px; background: #eee"></div></div></div>',
      true,
    ],
    [
      'a frame of which a box shows another part',
      box(
        'height: 60px; overflow: hidden',
        '<iframe style="display: block; border: 0; height: 300px; margin-top: -200px" srcdoc="<p>Words</p>"></iframe>',
      ),
      false,
    ],
    [
      'a frame of which a box shows this part',
      box(
        'height: 60px; overflow: hidden',
        '<iframe style="display: block; border: 0; height: 300px" srcdoc="<p>Words</p>"></iframe>',
      ),
      true,
    ],
    [
      'a frame with a clip path around another part',
      '<iframe style="height: 300px; clip-path: inset(200px 0 0 0)" srcdoc="<p>Words</p>"></iframe>',
      false,
    ],
    [
      'a `clipPath` rectangle beside a frame',
      '<svg width="0" height="0"><clipPath id="c"><rect x="400" width="9" height="9"/></clipPath></svg><iframe style="clip-path: url(#c)" srcdoc="<p>Words</p>"></iframe>',
      false,
    ],
    [
      'a frame that cannot scroll, below its edge',
      '<iframe scrolling="no" style="height: 80px" srcdoc="<div style=\'height: 300px\'>Top</div><p>Words</p>"></iframe>',
      false,
    ],
    [
      'a frame that can scroll, below its edge',
      '<iframe style="height: 80px" srcdoc="<div style=\'height: 300px\'>Top</div><p>Words</p>"></iframe>',
      true,
    ],
    [
      'a dark frame, in the color of its background',
      '<iframe srcdoc="<meta name=color-scheme content=dark><p style=\'color: #121212\'>Words</p>"></iframe>',
      false,
    ],
    [
      'a uniform gradient that is cut to its letters',
      '<p style="background: linear-gradient(#fff, #fff); background-clip: text; color: transparent">Words</p>',
      false,
    ],
    [
      'a child that resets the indent of its parent',
      box('text-indent: -9999px; overflow: hidden', '<div style="text-indent: 0">Words</div>'),
      true,
    ],
    [
      'a box that shows the start of reversed content, at the end',
      '<div style="display: flex; flex-direction: column-reverse; height: 60px; overflow: clip"><div style="flex: none; height: 200px">m</div><div style="flex: none">Words</div></div>',
      false,
    ],
    ['a box behind the viewer', box('perspective: 100px', '<p style="transform: translateZ(200px)">Words</p>'), false],
    [
      'a box in front of the viewer',
      box('perspective: 900px', '<p style="transform: translateZ(9px)">Words</p>'),
      true,
    ],
    [
      'a hidden back in a turned box',
      box(
        'transform-style: preserve-3d; transform: rotateY(180deg)',
        '<p style="backface-visibility: hidden">Words</p>',
      ),
      false,
    ],
    [
      'a hidden back in a turned box that is flattened',
      box(
        'transform-style: preserve-3d; transform: rotateY(180deg); overflow: hidden',
        '<p style="backface-visibility: hidden">Words</p>',
      ),
      true,
    ],
    [
      'a cell of a collapsed column',
      '<table><colgroup><col><col style="visibility: collapse"></colgroup><tr><td>One<td>Words</table>',
      false,
    ],
    [
      'a cell beside a collapsed column',
      '<table><colgroup><col style="visibility: collapse"><col></colgroup><tr><td>Two<td>Words</table>',
      true,
    ],
    [
      'a font that is adjusted to nothing',
      `<style>@font-face { font-family: tiny; src: ${LOCAL_FONT}; size-adjust: 1% } p.tiny { font-family: tiny, serif }</style><p class="tiny">Words</p>`,
      false,
    ],
    [
      'a font that is adjusted to nothing, by a rule about siblings',
      `<style>@font-face { font-family: tiny; src: ${LOCAL_FONT}; size-adjust: 1% } p + p { font-family: tiny, serif }</style><p>One<p>Words`,
      false,
    ],
    [
      'a size adjusted to nothing by a rule about siblings',
      '<style>p + p { font-size-adjust: 0.001 }</style><p>One<p>Words',
      false,
    ],
    [
      'white on a background of a size set by a rule about siblings',
      '<style>body { background: #000 } p { color: #fff; background: linear-gradient(#fff, #fff) 0 0 / 0 0 } p + p { background-size: auto }</style><p>One<p>Words',
      false,
    ],
    [
      'moved off the page in a direction set by a rule about siblings',
      '<style>p { text-indent: 2000px } p + p { direction: rtl }</style><div>One</div><p>Two<p>Words',
      false,
    ],
    [
      'white on a gradient from white to transparent over black',
      '<body style="background: #000"><p style="color: #fff; background-image: linear-gradient(90deg, #fff, #fff0); text-align: right">One Words',
      true,
    ],
    [
      'clipped to a polygon with 150,000 corners',
      `<p style="position: absolute; clip-path: polygon(0 0, ${'100% 0, 100% 100%, '.repeat(75_000)}0 100%)">Words`,
      true,
    ],
    [
      'a stroke below the letters by a rule about siblings',
      '<style>p { -webkit-text-stroke: 20px #fff } p + p { paint-order: stroke }</style><div>One</div><p>Two<p>Words',
      true,
    ],
    [
      'a font that is adjusted a little',
      `<style>@font-face { font-family: small; src: ${LOCAL_FONT}; size-adjust: 90% } p.small { font-family: small }</style><p class="small">Words</p>`,
      true,
    ],
    ['a frame of padding', '<iframe style="width: 1px; height: 1px; padding: 40px" srcdoc="Words"></iframe>', false],
    ['a frame with padding', '<iframe style="padding: 40px" srcdoc="Words"></iframe>', true],
    ['a clip path without an area', '<p style="clip-path: path(\'M0 0\')">Words</p>', false],
    ['a clip path around it', '<p style="clip-path: path(\'M0 0H500V99H0Z\')">Words</p>', true],
    [
      'an empty `clipPath` element',
      '<svg width="0" height="0"><clipPath id="c"></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      false,
    ],
    [
      'a `clipPath` rectangle around it',
      '<svg width="0" height="0"><clipPath id="c"><rect width="500" height="99"/></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      true,
    ],
    [
      'a `clipPath` rectangle beside it',
      '<svg width="0" height="0"><clipPath id="c"><rect x="300" width="9" height="9"/></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      false,
    ],
    [
      'a moved `clipPath` circle around it',
      '<svg width="0" height="0"><clipPath id="c" transform="translate(9)"><circle r="9" transform="scale(9)"/></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      true,
    ],
    [
      'a `clipPath` in the right half of its box',
      '<svg width="0" height="0"><clipPath id="c" clipPathUnits="objectBoundingBox"><rect x=".5" width=".5" height="1"/></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      false,
    ],
    [
      'a `clipPath` in the left half of its box',
      '<svg width="0" height="0"><clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath></svg><p style="clip-path: url(#c)">Words</p>',
      true,
    ],
    [
      'a mask beside it',
      '<svg width="0" height="0"><mask id="c"><rect x="300" width="9" height="9" fill="white"/></mask></svg><p style="mask: url(#c)">Words</p>',
      false,
    ],
    [
      'a mask around it',
      '<svg width="0" height="0"><mask id="c"><g><rect width="500" height="99" fill="white"/></g></mask></svg><p style="mask: url(#c)">Words</p>',
      true,
    ],
    [
      'a transparent mask',
      '<svg width="0" height="0"><mask id="c"><rect width="500" height="99" fill="white" opacity="0"/></mask></svg><p style="mask: url(#c)">Words</p>',
      false,
    ],
    [
      'a stroke as its mask',
      '<svg width="0" height="0"><mask id="c"><path d="M0 9H500" stroke="white" stroke-width="30"/></mask></svg><p style="mask: url(#c)">Words</p>',
      true,
    ],
    [
      'a clip path that moves with its box',
      box(
        'transform: translateX(10px); clip-path: inset(0); width: 90px; height: 60px',
        '<p style="position: absolute; left: 300px">Words</p>',
      ),
      false,
    ],
    [
      'a clip path of a moved box',
      box('translate: 10px; clip-path: inset(40px 0 0); width: 200px; height: 80px', 'Words'),
      false,
    ],
    [
      'a clip path of a rotated box',
      box('rotate: 1deg; clip-path: inset(40px 0 0); width: 200px; height: 80px', 'Words'),
      false,
    ],
    [
      'a clip path around it in a rotated box',
      box('rotate: 90deg; clip-path: inset(0 50% 0 0); width: 90px; height: 90px', 'Words'),
      true,
    ],
    [
      'a clip path that scales with its box',
      box('transform: scale(2); clip-path: inset(0 0 50px 0); width: 90px; height: 90px', 'Words'),
      true,
    ],
    [
      'a clip path of a mirrored box',
      box('transform: scaleX(-1); clip-path: inset(0 0 0 60px); width: 120px', 'Words'),
      false,
    ],
    ['a missing `clipPath` element', '<p style="clip-path: url(#c)">Words</p>', true],
    [
      'a filter that floods it',
      '<svg width="0" height="0"><filter id="f"><feFlood flood-color="white"/></filter></svg><p style="filter: url(#f)">Words</p>',
      false,
    ],
    [
      'a filter that blurs it',
      '<svg width="0" height="0"><filter id="f"><feGaussianBlur stdDeviation="0.1"/></filter></svg><p style="filter: url(#f)">Words</p>',
      true,
    ],
    [
      'a fixed box that is partly below the viewport',
      '<div style="position: fixed; bottom: -260px; height: 300px"><p style="margin: 0; height: 40px">Handle</p><p>Words</p></div>',
      false,
    ],
    [
      'a fixed box that ends below the viewport',
      '<div style="position: fixed; top: 10px; height: 2000px"><p style="margin-top: 1500px">Words</p></div>',
      false,
    ],
    [
      'a fixed box that is partly right of the viewport',
      '<div style="position: fixed; right: -160px; width: 200px">Tab<p style="margin-left: 60px">Words</p></div>',
      false,
    ],
    [
      'the visible part of a fixed box',
      '<div style="position: fixed; bottom: -260px; height: 300px"><p style="margin: 0; height: 40px">Words</p></div>',
      true,
    ],
    [
      'a fixed box that scrolls',
      '<div style="position: fixed; inset: 0; overflow: auto"><p style="margin-top: 1500px">Words</p></div>',
      true,
    ],
    [
      'a scrolling part of a fixed box',
      '<div style="position: fixed; top: 10px; height: 2000px"><div style="height: 90px; overflow: auto"><p style="margin-top: 1500px">Words</p></div></div>',
      true,
    ],
    [
      'a fixed box that scrolls with a transformed ancestor',
      '<div style="transform: translate(0); height: 3000px"><div style="position: fixed; top: 10px; height: 2000px"><p style="margin-top: 1500px">Words</p></div></div>',
      true,
    ],
    ['a `clip-path` shape without area', '<p style="clip-path: shape(from 0 0, line to 50px 0)">Words</p>', false],
    [
      'a `clip-path` shape around it',
      '<p style="clip-path: shape(from 0 0, line to 900px 0, line to 900px 99px, line to 0 99px, close)">Words</p>',
      true,
    ],
    [
      'a `clip-path` shape beside it',
      '<p style="clip-path: shape(from 500px 0, line to 900px 0, line to 900px 99px, close)">Words</p>',
      false,
    ],
    [
      'a right-to-left body, to the left',
      '<body dir="rtl"><p style="position: absolute; left: -500px">Words</p>',
      true,
    ],
    [
      'a right-to-left body, to the right',
      '<body dir="rtl"><p style="position: absolute; right: -500px">Words</p>',
      false,
    ],
    [
      'vertical lines from right to left, to the left',
      '<body style="writing-mode: vertical-rl"><p style="position: absolute; left: -500px; top: 0">Words</p>',
      true,
    ],
    [
      'vertical lines from left to right, to the left',
      '<body style="writing-mode: vertical-lr"><p style="position: absolute; left: -500px; top: 0">Words</p>',
      false,
    ],
    ['the label of its option', '<select size="3"><option label="Shown">Words</option></select>', false],
    ['an empty label of its option', '<select size="3"><option label="">Words</option></select>', true],
    [
      'a hidden backface by a half turn of its parent',
      '<div style="transform-style: preserve-3d; transform: rotateY(180deg)"><p style="backface-visibility: hidden">Words</p></div>',
      false,
    ],
    [
      'a hidden backface by a half turn with `rotate`',
      '<p style="backface-visibility: hidden; rotate: y 180deg">Words</p>',
      false,
    ],
    [
      'a hidden backface by a half turn of its parent with `rotate`',
      '<div style="transform-style: preserve-3d; rotate: 1 0 0 180deg"><p style="backface-visibility: hidden">Words</p></div>',
      false,
    ],
    [
      'a hidden backface and half turns with `rotate` and `transform`',
      '<p style="backface-visibility: hidden; rotate: y 180deg; transform: rotateY(180deg)">Words</p>',
      true,
    ],
    ['a hidden backface that lies flat', '<p style="backface-visibility: hidden; rotate: 180deg">Words</p>', true],
    [
      'a hidden backface and two half turns',
      '<div style="transform-style: preserve-3d; transform: rotateY(180deg)"><p style="backface-visibility: hidden; transform: rotateY(180deg)">Words</p></div>',
      true,
    ],
    [
      'a text background in the color behind it',
      '<p style="background: white; background-clip: text; color: transparent">Words</p>',
      false,
    ],
    [
      'a text background in another color',
      '<p style="background: red; background-clip: text; color: transparent">Words</p>',
      true,
    ],
    [
      'a transparent placeholder',
      '<style>::placeholder { opacity: 0 }</style><input aria-label="Name" placeholder="Words">',
      false,
    ],
    [
      'a tiny placeholder',
      '<style>::placeholder { font-size: 0 }</style><input aria-label="Name" placeholder="Words">',
      false,
    ],
    [
      'a hidden placeholder',
      '<style>::placeholder { visibility: hidden }</style><input aria-label="Name" placeholder="Words">',
      false,
    ],
    [
      'a faded placeholder',
      '<style>::placeholder { opacity: 0.5 }</style><input aria-label="Name" placeholder="Words">',
      true,
    ],
    ['a value in place of the placeholder', '<input value="blue" placeholder="Words">', true],
    ['the font size of its field', '<input value="Words" style="font-size: 0">', false],
    ['the indent of its field', '<input value="Words" style="text-indent: -900px">', false],
    ['a small indent of its field', '<input value="Words" style="text-indent: 9px">', true],
    ['a far indent from right to left', '<p dir="rtl" style="text-indent: 9999px">Words</p>', false],
    ['a small indent from right to left', '<p dir="rtl" style="text-indent: 50px">Words</p>', true],
    ['a transparent color of its field', '<textarea style="color: transparent">Words</textarea>', false],
    ['the default color of its field', '<textarea>Words</textarea>', true],
    [
      'a black page behind its frame',
      '<div style="background: black"><iframe srcdoc="<p>Words</p>"></iframe></div>',
      false,
    ],
    [
      'a white background in its frame',
      '<div style="background: black"><iframe srcdoc="<body style=\'background: white\'><p>Words</p>"></iframe></div>',
      true,
    ],
  ])('omits text only if nobody can read it: %s', async (_what, body, isTold) => {
    await browser.page.goto(browser.server.page('/', `<!doctype html><p>One</p>${body}`), { waitUntil: 'load' });
    const { text } = await browser.page.snapshot();
    expect(text).toContain('One');
    expect(text.includes('Words')).toBe(isTold);
  });

  test.each([
    'transform: translateX(0); overflow: hidden',
    'clip-path: inset(0)',
    'opacity: 0',
    'mask-image: linear-gradient(transparent, transparent)',
  ])('reads a modal dialog in a parent with the style "%s"', async (style) => {
    const html = `<!doctype html><div style="${style}; height: 20px"><dialog>Words</dialog></div><script>document.querySelector('dialog').showModal()</script>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text).toContain('Words');
  });

  test('reads white text of a dialog on a dark backdrop', async () => {
    const style = '<style>::backdrop { background: #111 } dialog { background: none; border: 0; color: #fff }</style>';
    const html = `<!doctype html>${style}<dialog>Words</dialog><script>document.querySelector('dialog').showModal()</script>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text).toContain('Words');
  });

  test('omits text under a fixed layer that `body::after` draws', async () => {
    const rule = 'body::after { content: ""; position: fixed; inset: 0; background: #fff }';
    const html = `<!doctype html><style>${rule}</style><p>Words</p>`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text).not.toContain('Words');
    await browser.page.evaluate("document.querySelector('style').remove()");
    expect((await browser.page.snapshot()).text).toContain('Words');
  });

  test('reads a frame at the left of a right-to-left page', async () => {
    const html =
      '<!doctype html><html dir="rtl"><p>One</p><div style="width: 3000px"><iframe style="position: absolute; left: -900px" srcdoc="<p>Words</p>"></iframe></div>';
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text).toContain('Words');
  });

  test('includes white text over an image that is stacked behind it', async () => {
    const hero =
      '<div style="display: grid"><img alt="" style="grid-area: 1 / 1" width="300" height="100" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=">' +
      '<h1 style="grid-area: 1 / 1; color: #fff">Words on it</h1></div>';
    await browser.page.goto(browser.server.page('/', hero), { waitUntil: 'load' });
    const { text } = await browser.page.snapshot();
    expect(text).toContain('Words on it');
  });

  test('reads no text that is shown as dots', async () => {
    const html = `<!doctype html><style>.dots { -webkit-text-security: disc }</style><p class="dots">4111 <b>2222</b></p>
      <p class="dots">Card <i style="-webkit-text-security: none">Visa</i></p><button class="dots">s3cret</button>
      <input class="dots" aria-label="Key" value="s3cret"><textarea class="dots" aria-label="Note">s3cret</textarea><input type="checkbox" class="dots" aria-label="Save">`;
    await browser.page.goto(browser.server.page('/', html), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text.split('\n')).toEqual([
      '- Visa',
      'e1 button "••••••"',
      'e2 textbox "Key" filled',
      'e3 textbox "Note" multiline filled',
      'e4 checkbox "Save" unchecked',
    ]);
  });

  test('omits the value of a password field, but shows its states', async () => {
    const body =
      '<input type="password" aria-label="Secret" value="hunter2" required><input aria-label="Name" value="Ann" readonly>' +
      '<input type="checkbox" aria-label="Tick" checked><button aria-expanded="false" disabled>More</button>';
    await browser.page.goto(browser.server.page('/', body), { waitUntil: 'load' });
    expect((await browser.page.snapshot()).text.split('\n')).toEqual([
      'e1 textbox "Secret" required filled',
      'e2 textbox "Name" = "Ann" readonly',
      'e3 checkbox "Tick" checked',
      'e4 button "More" disabled collapsed',
    ]);
  });
});
