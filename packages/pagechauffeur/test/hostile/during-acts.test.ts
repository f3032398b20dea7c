import { afterEach, expect, it } from 'vitest';
import { rows } from '../support/nightly-rows.ts';
import { useBrowser } from '../support/use-browser.ts';
import { churn, clickOn } from './during-acts.ts';

const browser = useBrowser({ routes: { '/blank': '<title>Blank</title>' } });

afterEach(async () => {
  const { page, driver } = browser;
  await Promise.all(driver.context.pages().flatMap((other) => (other === page ? [] : [other.close()])));
  driver.context.setActivePage(page);
});

const COVER = `b.onpointermove = () => {
  if (document.querySelector('iframe')) return;
  const cover = document.createElement('iframe');
  cover.src = far;
  cover.style = 'position: fixed; inset: 0; width: 100%; height: 100%';
  document.body.append(cover);
  setTimeout(() => { cover.remove(); alert('Saved') }, 400);
}`;
it(
  'act() reports no success when a frame catches the click, although a dialog opens',
  { timeout: 60_000 },
  async () => {
    const { success, message, hits } = await clickOn(browser, COVER);
    expect(hits).toBe('');
    expect(success).toBe(false);
    expect(message).toMatch(/never reached the page|covers it/);
  },
);

it.each(
  rows(
    [
      ['adds and removes frames all the time', churn(100), /./],
      [
        'opens ten windows',
        `b.addEventListener('click', () => { for (let n = 0; n < 10; n += 1) window.open('/blank') })`,
        /opened/,
      ],
      ['opens a dialog on pointermove', `b.onpointermove = () => { b.onpointermove = null; alert('Hi') }`, /"Hi"/],
    ],
    [
      [
        'opens fifty windows',
        `b.addEventListener('click', () => { for (let n = 0; n < 50; n += 1) window.open('/blank') })`,
        /opened/,
      ],
    ],
  ),
)('act() clicks and reports the result on a page that %s', { timeout: 60_000 }, async (_what, script, words) => {
  const { success, message, hits } = await clickOn(browser, script);
  expect({ success, hits }).toEqual({ success: true, hits: 'clicked' });
  expect(message).toMatch(words);
});

it('act() reports that the page asked to confirm leaving it', async () => {
  const { success, message } = await clickOn(
    browser,
    `onbeforeunload = (event) => event.preventDefault(); b.addEventListener('click', () => { location = '/blank' })`,
  );
  expect({ success, message }).toMatchObject({
    success: true,
    message: expect.stringContaining('asked to confirm leaving it'),
  });
});
