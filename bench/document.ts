import { readFile, writeFile } from 'node:fs/promises';
import type { Report } from './report.ts';
import { formatReport } from './table.ts';

export interface Results {
  readonly machine: readonly string[];
  readonly reports: readonly Report[];
}

const document = new URL('../docs/benchmarks.md', import.meta.url);
const heading = '## Last measured\n';

/** Replaces all tables in the document. */
export async function documentAll({ machine, reports }: Results): Promise<void> {
  const [guide = ''] = (await readFile(document, 'utf8')).split(heading);
  await write(guide, `${factsOf(machine)}\n\n`, reports.map(sectionOf));
}

/** Replaces only the tables of these reports. Each table then states its own machine. */
export async function documentSome({ machine, reports }: Results): Promise<void> {
  const [guide = '', tables = ''] = (await readFile(document, 'utf8')).split(heading);
  const [facts = '', ...sections] = tables.split(/^(?=### )/m);
  const renewed = new Map(reports.map((report) => [kindOf(`### ${report.title}`), report]));
  const all = sections.map((section) => {
    const report = renewed.get(kindOf(section));
    return report ? withFacts(report, machine) : section;
  });
  const known = new Set(sections.map(kindOf));
  const added = reports.filter(({ title }) => !known.has(kindOf(`### ${title}`)));
  await write(guide, facts.trimStart(), [...all, ...added.map((report) => withFacts(report, machine))]);
}

function withFacts(report: Report, machine: readonly string[]): string {
  return sectionOf(report).replace('\n', `\n\nMeasured separately:\n\n${factsOf(machine)}\n`);
}

async function write(guide: string, facts: string, sections: readonly string[]): Promise<void> {
  const tables = sections.map((section) => section.trim()).join('\n\n');
  await writeFile(document, `${guide}${heading}\n${facts}${tables}\n`);
}

function factsOf(machine: readonly string[]): string {
  return machine.map((line) => `- ${line}`).join('\n');
}

function sectionOf(report: Report): string {
  return formatReport(report).replace(/^## /, '### ');
}

// Versions in titles change between runs.
function kindOf(section: string): string {
  return (section.split('\n')[0] ?? '').replaceAll(/[\d.]+/g, '');
}
