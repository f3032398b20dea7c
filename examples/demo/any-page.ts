import type { Passenger } from './passenger.ts';

/** Opens a page, says what an instruction points to, does it, and reads what the page is then. */
export async function visitPage(passenger: Passenger, url: string, instruction: string | undefined): Promise<void> {
  await passenger.goto(url);
  if (instruction !== undefined) {
    await passenger.observe(instruction);
    await passenger.act(instruction);
    await passenger.ask('the title of the page');
  }
  await passenger.read();
  await passenger.screenshot('demo-page');
}
