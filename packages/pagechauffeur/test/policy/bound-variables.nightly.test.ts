import { expect, it } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';
import { enterWhileRobbed } from './robbed-field.ts';

const browser = useBrowser();
const SECRET = 'Zanzibar-77';

it.each([
  ['fill', 0],
  ['fill', 7],
  ['type', 0],
  ['type', 16],
] as const)(
  '%s puts a bound value only into its field while frames take the focus every %i ms',
  async (method, cadence) => {
    const seen = await enterWhileRobbed(browser, { method, cadence, tries: 10, value: SECRET });
    const whole = seen.filter((held) => held === `${SECRET},,`);
    const refused = method === 'type' ? seen.filter((held) => held === 'refused,,') : [];
    expect([...whole, ...refused]).toHaveLength(seen.length);
    expect(whole).not.toEqual([]);
  },
  180_000,
);
