import { z } from 'zod';
import type { Passenger } from './passenger.ts';

const overview = z.object({ title: z.string(), headings: z.array(z.string()) });

/** Opens a page, says what an instruction points to, does it, and reads what the page is then. */
export async function visitPage(passenger: Passenger, url: string, instruction: string): Promise<void> {
  await passenger.goto(url);
  await passenger.observe(instruction);
  await passenger.act(instruction);
  await passenger.extract('the title of the page and its headings', overview, ({ title, headings }) => ({
    effect: title,
    details: headings,
  }));
  await passenger.screenshot('demo-page');
}
