import { DriverLocatorError } from '../../src/index.ts';
import type { SharedBrowser } from '../support/use-browser.ts';

interface Robbery {
  readonly method: 'fill' | 'type';
  /** Milliseconds between two tries of each frame to take the focus. */
  readonly cadence: number;
  readonly tries: number;
  readonly value: string;
}

/**
 * Enters a value that is bound to its origin while frames take the focus. Returns what the fields of the page and of each frame hold after
 * each try; `refused` for the field of the page if the call says that it could not type all of it.
 */
export async function enterWhileRobbed(
  { server, page, driver }: SharedBrowser,
  { method, cadence, tries, value }: Robbery,
): Promise<string[]> {
  const thief = `<input><script>setInterval(() => document.querySelector('input').focus(), ${cadence});
    addEventListener('keydown', ({ key }) => { if (key.length === 1) document.querySelector('input').value += key; });</script>`;
  server.page('/thief', thief);
  const frames = `<iframe src="/thief"></iframe><iframe src="${server.otherOrigin}/thief"></iframe>`;
  await page.goto(server.page('/robbed', `<label>Password <input type=password></label>${frames}`), {
    waitUntil: 'load',
  });
  const action = { selector: 'input', description: 'the password', method, arguments: ['%password%'] };
  const held: string[] = [];
  for (let turn = 0; turn < tries; turn += 1) {
    await page.evaluate("document.querySelector('input').value = ''");
    const isDone = await driver.act(action, { variables: { password: { value, origins: [server.origin] } } }).then(
      () => true,
      (error: unknown) => !(error instanceof DriverLocatorError),
    );
    const values = await Promise.all(
      page.frames().map((frame) => frame.evaluate("document.querySelector('input').value")),
    );
    held.push([isDone ? values[0] : 'refused', ...values.slice(1)].join());
  }
  return held;
}
