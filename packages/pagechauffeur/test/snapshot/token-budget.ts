import { describe, expect, test } from 'vitest';
import { longPages, type TargetPlace } from '../../../../bench/long-pages.ts';
import { tokensIn } from '../../src/injected/snapshot/folding/token-estimate.ts';
import type { Snapshot, SnapshotOptions, TreeOptions } from '../../src/snapshot/snapshot.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import { rows } from '../support/nightly-rows.ts';
import type { SharedBrowser } from '../support/use-browser.ts';

export const TARGET = 'The curator keeps the marmalade ledger';
export const INSTRUCTION = 'read the remark about the marmalade ledger';
const BUDGETS = rows([500, 6500], [2000, 20_000]);

/** On every change: rows, items, sections, one long text, a text field, and boxes without a list. */
const DAILY: readonly string[] = ['table rows', 'list items', 'sections', 'one paragraph', 'text field', 'cards'];

export const kinds: readonly string[] = rows(
  DAILY,
  Object.keys(longPages).filter((kind) => !DAILY.includes(kind)),
);

/** Opens and reads long pages. */
export class LongPages {
  readonly #browser: SharedBrowser;

  constructor(browser: SharedBrowser) {
    this.#browser = browser;
  }

  async open(body: string): Promise<void> {
    const html = `<!doctype html><title>Long</title><body><h1>Long</h1>${body}<button>Finish</button>`;
    await this.#browser.page.goto(this.#browser.server.page('/', html), { waitUntil: 'load' });
  }

  async openKind(kind: string, place: TargetPlace = 'middle'): Promise<void> {
    await this.open(longPages[kind]?.(TARGET, place) ?? '');
  }

  async read(options: SnapshotOptions & TreeOptions): Promise<Snapshot> {
    using progress = new Progress({ operation: 'snapshot', timeout: 30_000 });
    return await takeSnapshot(progress, this.#browser.page.target, options);
  }
}

/** Tests that pages of each kind show the target at these places, and use the budget. */
export function testPlaces(pages: LongPages, places: readonly TargetPlace[]): void {
  describe.each(kinds)('long page of %s', (kind) => {
    test.each(places)('shows the target at the %s, and uses 0.6 to 1.2 of every budget', async (place) => {
      await pages.openKind(kind, place);
      const whole = tokensIn((await pages.read({ tokenBudget: Infinity })).text);
      for (const tokenBudget of BUDGETS) {
        const { text } = await pages.read({ tokenBudget, instruction: INSTRUCTION });
        expect(text, `budget ${tokenBudget}`).toContain('marmalade ledger');
        expect(tokensIn(text)).toBeLessThanOrEqual(tokenBudget * 1.2);
        expect(tokensIn(text)).toBeGreaterThanOrEqual(Math.min(whole * 0.9, tokenBudget * 0.6));
      }
    });
  });
}
