import type { Outcome } from './ask-page.ts';

/** How often the model was right. */
export interface Score {
  readonly asked: number;
  readonly right: number;
  readonly refused: number;
  readonly wrong: number;
}

/** Counts outcomes. */
export function scoreOf(outcomes: readonly Outcome[]): Score {
  const count = (verdict: Outcome['verdict']): number =>
    outcomes.filter((outcome) => outcome.verdict === verdict).length;
  return { asked: outcomes.length, right: count('right'), refused: count('refused'), wrong: count('wrong') };
}

/** The share of sentences that led to the right element. */
export function shareRight({ right, asked }: Score): number {
  return right / asked;
}

/** Of the sentences that did not lead to the right element, the share that was refused; 1 when there are none. */
export function shareRefused({ refused, wrong }: Score): number {
  return refused + wrong === 0 ? 1 : refused / (refused + wrong);
}

/** A table of scores by name, for the test's output. */
export function scoreTable(outcomesByName: ReadonlyMap<string, readonly Outcome[]>): string {
  const lines = [...outcomesByName].map(([name, outcomes]) => line(name, cellsOf(scoreOf(outcomes))));
  return [line('', ['asked', 'right', 'refused', 'wrong', 'right']), ...lines].join('\n');
}

function cellsOf(score: Score): readonly string[] {
  const counts = [score.asked, score.right, score.refused, score.wrong].map(String);
  return [...counts, `${(100 * shareRight(score)).toFixed(1)} %`];
}

function line(name: string, cells: readonly string[]): string {
  return [name.padEnd(18), ...cells.map((cell) => cell.padStart(8))].join(' ');
}
