import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import type { RecordedStep } from '../../src/agent/replay/recorded-step.ts';
import { CHAUFFEUR, PLAYWRIGHT } from '../../src/agent/script/dialect.ts';
import { Literals } from '../../src/agent/script/literals.ts';
import type { Locating } from '../../src/agent/script/locating.ts';
import { stepCode } from '../../src/agent/script/step-code.ts';

/** Texts of a page, or of an edited cache file, that try to become code. */
const TEXTS = [
  `'); evil(); ('`,
  '"); evil(); ("',
  '`); evil(); (`',
  '${evil()}',
  '%city%${evil()}`, evil(), `',
  '\\',
  "\\'); evil(); //",
  '\\`, evil(), `%city%',
  'a\nevil();\n',
  'a\r\nevil()',
  'a\u2028evil()\u2029',
  '*/ evil(); /*',
  '// \n evil()',
  '</script><script>evil()</script>',
  'A$/i, X: EVIL(), Y: /^A',
  'A\nEVIL();',
];

function stepsWith(text: string): RecordedStep[] {
  const fingerprint = {
    ...{
      role: text,
      name: text,
      xpath: '/html[1]/body[1]/input[1]',
      opening: '',
      title: text,
      landmark: '',
      column: text,
    },
    ...{ attributes: { type: 'file' }, sections: [text], row: [text], isTitled: false, alike: { place: 1, count: 2 } },
  };
  const locatings: Locating[] = [
    { by: 'role', value: text, name: text, nth: 1, frames: [text], within: { role: text, hasText: text } },
    { by: 'selector', value: text, frames: [] },
    { by: 'label', value: text, frames: [] },
    { by: 'testid', value: text, frames: [] },
    { by: text, value: text, frames: [] },
    { by: 'constructor', value: text, frames: [] },
  ] as unknown as Locating[];
  const methods = [
    'click',
    'fill',
    'type',
    'append',
    'replace',
    'insert',
    'press',
    'select',
    'upload',
    'dragAndDrop',
    text,
  ];
  const common = { page: 0, url: text, waited: 0 };
  const plain = ['navigate', 'press', 'wait', 'dialog', 'scroll', 'tabs', 'download', text].map((tool) => ({
    ...common,
    tool,
    input: { url: text, keys: text, text, until: 'gone', accept: true, to: text, what: text },
  }));
  const onElements = locatings.flatMap((locating) =>
    methods.map((method) => ({
      ...common,
      tool: 'click',
      input: {},
      element: {
        locating,
        goal: locating,
        step: {
          action: { selector: text, description: text, method, arguments: [text, text] },
          frame: '',
          fingerprint,
        },
      },
    })),
  );
  return [...plain, ...onElements];
}

test.each(TEXTS)('writes page text as a literal, never as code: %j', (text) => {
  const literals = new Literals(['city'], () => [text]);
  for (const dialect of [CHAUFFEUR, PLAYWRIGHT])
    for (const step of stepsWith(text)) {
      const lines = stepCode(step, { dialect, literals, page: 'page', pageName: () => 'page' });
      const code = `async function run(page, variables) {\n${lines.join('\n')}\n}`;
      const { errors, program } = parseSync('script.ts', code);
      expect(errors, code).toEqual([]);
      expect(program.body, code).toHaveLength(1);
      expect(JSON.stringify(program), code).not.toMatch(
        /"type":"Identifier","(?:start":\d+,"end":\d+,")?name":"evil"/i,
      );
    }
});
