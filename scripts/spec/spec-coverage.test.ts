import { expect, it } from 'vitest';
import { parseSource } from '../source-file.ts';
import { coverageFaults, coveragePage } from './coverage.ts';
import { namedRows } from './named-rows.ts';

const spec = {
  parts: { options: { title: 'Options', rows: { timeout: 'a limit', page: 'where' } } },
  notBuilt: { 'options.page': 'no pages yet' },
};

function read(text: string): ReturnType<typeof namedRows> {
  return namedRows(parseSource('act/act.test.ts', text));
}

/** All reported problems of a test file. */
function faultsOf(text: string): string[] {
  const { tests, faults } = read(text);
  return [...faults, ...coverageFaults(spec, tests)];
}

const BOTH = '// [spec: options.timeout, options.page]';

it('finds tests that name rows, with the titles of the blocks around them', () => {
  const { tests, faults } = read(`
    describe('options', () => {
      describe.each([1])('of %s', () => {
        // [spec: options.timeout]
        // Why it is so.
        // [spec: options.page]
        it.each([1, 2])('count \\'all\\'', () => {});
      });
    });
    it('names none', () => {});`);
  expect(faults).toEqual([]);
  expect(tests).toEqual([
    {
      path: 'act/act.test.ts',
      line: 7,
      title: "options › of %s › count 'all'",
      ids: ['options.timeout', 'options.page'],
    },
  ]);
});

it.each([
  [`${BOTH}\nit('works', () => {});`],
  [`${BOTH}\ntest.skipIf(isSlow).each(['a'])('works', () => {});`],
  [`${BOTH}\ntest('works', { timeout: 5 }, () => {});`],
])('accepts %j', (text) => {
  expect(faultsOf(text)).toEqual([]);
});

const NOBODY = ['options.timeout: no test names this row', 'options.page: no test names this row'];

it.each([
  [`it('works', () => {});`, NOBODY],
  [`// [spec: options.timeout]\nit('works', () => {});`, NOBODY.slice(1)],
  [
    `${BOTH}\n// [spec: options.colour]\nit('works', () => {});`,
    ['act/act.test.ts:3 names options.colour, which is not a row'],
  ],
  [`${BOTH}\nconst a = 1;\nit('works', () => {});`, ['act/act.test.ts:1 is not directly above a test', ...NOBODY]],
  [`${BOTH}\ndescribe('works', () => {});`, ['act/act.test.ts:1 is not directly above a test', ...NOBODY]],
  [`${BOTH}\nit.skip('works', () => {});`, ['act/act.test.ts:1 is not directly above a test', ...NOBODY]],
  [BOTH, ['act/act.test.ts:1 is not directly above a test', ...NOBODY]],
  [
    `// [spec options.timeout]\nit('works', () => {});`,
    ['act/act.test.ts:1 is not of the form [spec: part.row, part.row]', ...NOBODY],
  ],
])('reports what is wrong with %j', (text, faults) => {
  expect(faultsOf(text)).toEqual(faults);
});

it('reports an unknown row in the list of missing ones', () => {
  const { tests } = read(`${BOTH}\nit('works', () => {});`);
  expect(coverageFaults({ ...spec, notBuilt: { 'options.hue': 'x' } }, tests)).toEqual([
    'options.hue is listed as not built, but is not a row',
  ]);
});

it('renders one line per row, with missing rows at the end', () => {
  const { tests } = read(`${BOTH}\nit('works | here', () => {});`);
  const page = coveragePage(spec, tests);
  expect(page).toContain(String.raw`| options.timeout | a limit | ${'`act/act.test.ts`'} works \| here |`);
  expect(page).toContain('1 of 2 rows are implemented');
  expect(page.split('## Not in this version')[1]).toContain(
    '- **options.page** (where): no pages yet. `act/act.test.ts` works',
  );
});
