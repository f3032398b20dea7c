import { ownName } from './library.ts';
import { formatNumber, medianOf, ratioOf, type Report, type Row } from './report.ts';

const rowHeads = ['', 'library', 'median', 'min', 'max', 'runs', 'ratio to ours'];

/** Formats a Markdown table and a list of goals, readable in a terminal too. */
export function formatReport(report: Report): string {
  const { heads, lines } = report.table ?? {
    heads: rowHeads,
    lines: report.rows.map((row) => cellsOf(row, report.rows)),
  };
  const goals = report.goals.map(
    ({ text, reached, isMet }) => `- ${isMet ? 'met   ' : 'MISSED'} ${text}; measured ${reached}`,
  );
  return [`## ${report.title}`, '', ...alignColumns([heads, ...lines]), '', ...goals, ''].join('\n');
}

function cellsOf(row: Row, rows: readonly Row[]): string[] {
  const ratio = ratioOf(row.median, medianOf(rows, row.subject, ownName));
  const figures = [row.median, row.min, row.max].map((value) => formatFigure(value, row.unit));
  return [
    row.subject,
    row.library,
    ...figures,
    String(row.runs),
    ratio === undefined ? '' : `${formatNumber(ratio)} ×`,
  ];
}

function formatFigure(value: number, unit: Row['unit']): string {
  return unit === 'ms' || unit === 'kB' ? `${formatNumber(value)} ${unit}` : value.toLocaleString('en-US');
}

function alignColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const [head = [], ...body] = lines.map((cells) =>
    cells.map((cell, column) => pad(cell, column, widths[column] ?? 0)),
  );
  const rule = widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`);
}

function pad(cell: string, column: number, width: number): string {
  return column < 2 ? cell.padEnd(width) : cell.padStart(width);
}
