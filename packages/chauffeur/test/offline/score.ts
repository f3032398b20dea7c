import { isHeldOut } from './instruction-set.ts';
import type { Outcome } from './ask-page.ts';

/** How often the model was right. */
export interface Score {
  readonly asked: number;
  readonly right: number;
  readonly refused: number;
  readonly wrong: number;
}

/** Outcomes of one page, in the order of its sentences. */
export interface PageOutcomes {
  readonly page: string;
  readonly outcomes: readonly Outcome[];
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

/** A table of the pages and of both halves of the set, for the test's output. */
export function scoreTable(pages: readonly PageOutcomes[]): string {
  const all = pages.flatMap(({ outcomes }) => outcomes);
  const tuned = pages.flatMap(({ outcomes }) => outcomes.filter((_, index) => !isHeldOut(index)));
  const heldOut = pages.flatMap(({ outcomes }) => outcomes.filter((_, index) => isHeldOut(index)));
  const lines = pages.map(({ page, outcomes }) => line(page, scoreOf(outcomes)));
  return [
    line('page', null),
    ...lines,
    line('tuned on', scoreOf(tuned)),
    line('held out', scoreOf(heldOut)),
    line('all', scoreOf(all)),
  ].join('\n');
}

function line(name: string, score: Score | null): string {
  const cells = score
    ? [score.asked, score.right, score.refused, score.wrong, `${(100 * shareRight(score)).toFixed(1)} %`]
    : ['asked', 'right', 'refused', 'wrong', 'right'];
  return [name.padEnd(18), ...cells.map((cell) => String(cell).padStart(8))].join(' ');
}
