import type { SharedBrowser } from '../support/use-browser.ts';

/** What became of a click on the button of a page, and what the page heard of. */
export async function clickOn(
  { page, driver, server }: SharedBrowser,
  script: string,
): Promise<{ readonly success: boolean; readonly message: string; hits: unknown }> {
  const html = `<!doctype html><button id=b onclick="hits.push('clicked')">Save</button>
    <script>hits = []; far = ${JSON.stringify(`${server.otherOrigin}/blank`)}; ${script}</script>`;
  await page.goto(server.page('/', html), { waitUntil: 'load' });
  const action = { selector: '#b', description: 'the Save button', method: 'click', arguments: [] };
  const [done] = await Promise.allSettled([driver.act(action, { page, timeout: 40_000 })]);
  const { success, message } =
    done.status === 'fulfilled' ? done.value : { success: false, message: String(done.reason) };
  return { success, message, hits: await page.evaluate('typeof hits === "undefined" ? "left" : hits.join()') };
}

/** A script that adds a frame and removes another one every so many milliseconds. */
export const churn = (cadence: number): string => `setInterval(() => {
  for (const frame of [...document.querySelectorAll('iframe')].slice(5)) frame.remove();
  const frame = document.createElement('iframe');
  frame.src = '/blank?' + Math.random();
  document.body.append(frame);
}, ${cadence})`;
