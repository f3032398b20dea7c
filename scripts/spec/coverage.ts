import type { SpecPart } from '../../packages/pagechauffeur/test/spec/rows/part.ts';
import type { NamedTest } from './named-rows.ts';

/** The public API as a table, and the rows that are not implemented. */
export interface Spec {
  readonly parts: Readonly<Record<string, SpecPart>>;
  /** Reasons by row id. */
  readonly notBuilt: Readonly<Record<string, string>>;
}

interface Row {
  readonly id: string;
  readonly sentence: string;
}

/** Returns inconsistencies between rows and the tests that name them. */
export function coverageFaults({ parts, notBuilt }: Spec, tests: readonly NamedTest[]): string[] {
  const ids = Object.entries(parts).flatMap(([name, part]) => rowsOf(name, part).map(({ id }) => id));
  const known = new Set(ids);
  const named = new Set(tests.flatMap((test) => test.ids));
  return [
    ...ids.filter((id) => !named.has(id)).map((id) => `${id}: no test names this row`),
    ...tests.flatMap(({ path, line, ids: namedIds }) =>
      namedIds.filter((id) => !known.has(id)).map((id) => `${path}:${line} names ${id}, which is not a row`),
    ),
    ...Object.keys(notBuilt)
      .filter((id) => !known.has(id))
      .map((id) => `${id} is listed as not built, but is not a row`),
  ];
}

/** Renders the rows and their tests as a Markdown page. */
export function coveragePage({ parts, notBuilt }: Spec, tests: readonly NamedTest[]): string {
  const rows = Object.entries(parts).flatMap(([name, part]) => rowsOf(name, part));
  const built = rows.filter(({ id }) => !(id in notBuilt));
  const sections = Object.entries(parts).map(([name, part]) => {
    const lines = rowsOf(name, part).filter(({ id }) => !(id in notBuilt));
    return lines.length === 0 ? '' : `## ${part.title}\n\n${table(lines, tests)}\n`;
  });
  const missing = rows.filter(({ id }) => id in notBuilt);
  return [
    '# API coverage\n',
    'This page lists every part of the public API and the tests that cover it. `node scripts/spec-coverage.ts` generates ' +
      'it from the tests; `npm run check` fails if it is outdated. ' +
      '[How to link a test to a row](../packages/pagechauffeur/test/spec/README.md).\n',
    `${built.length} of ${rows.length} rows are implemented, each with a test.${toldMissing(missing.length)}\n`,
    ...sections.filter(Boolean),
    ...(missing.length > 0 ? ['## Not in this version\n'] : []),
    ...missing.map(({ id, sentence }) => `- **${id}** (${sentence}): ${notBuilt[id]}. ${testList(id, tests, '; ')}`),
    '',
  ].join('\n');
}

function toldMissing(count: number): string {
  if (count === 0) return '';
  return (
    ` ${count} are not in this version. [The end of the page](#not-in-this-version) lists them with the reasons and the ` +
    'tests of the current behavior.'
  );
}

function rowsOf(part: string, { rows }: SpecPart): Row[] {
  return Object.entries(rows).map(([name, sentence]) => ({ id: `${part}.${name}`, sentence }));
}

function table(rows: readonly Row[], tests: readonly NamedTest[]): string {
  const lines = rows.map(({ id, sentence }) => `| ${id} | ${inCell(sentence)} | ${testList(id, tests, '<br>')} |`);
  return ['| row | meaning | tests |', '| --- | --- | --- |', ...lines].join('\n');
}

function testList(id: string, tests: readonly NamedTest[], separator: string): string {
  const naming = tests.filter((test) => test.ids.includes(id));
  return naming.map(({ path, title }) => `\`${path}\` ${inCell(title)}`).join(separator);
}

function inCell(text: string): string {
  return text.replaceAll(/[|<>*_]/g, String.raw`\$&`).replaceAll('\n', ' ');
}
