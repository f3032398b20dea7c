import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ANTHROPIC_COMPUTER } from '../agent/computer-formats.ts';
import { driverFor, openPage, strictServer } from '../agent/computer-server.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ScriptedAgent, type ScriptedCall } from '../tools/scripted-agent.ts';

const SECRET = 'Zanzibar-77';
const BIG = 'style="position: absolute; left: 100px; width: 300px; height: 40px; font-size: 30px';

const agent = new ScriptedAgent();
const browser = useBrowser({
  llmClient: agent.model,
  routes: {
    '/': `<title>Sign in</title><label>Code <input></label><label>Note <textarea></textarea></label>`,
    '/thief': `<title>Offer</title><body style="margin: 0"><textarea aria-label=Coupon style="width: 100%; height: 90vh"></textarea>`,
  },
});

beforeAll(() => {
  const { otherOrigin } = browser.server;
  browser.server.page(
    '/framed',
    `<title>Sign in</title><input aria-label=Code ${BIG}; top: 100px">
      <iframe src="${otherOrigin}/thief" style="position: absolute; left: 100px; top: 200px; width: 300px; height: 100px; border: 0"></iframe>`,
  );
});
beforeEach(() => browser.page.goto(`${browser.server.origin}/`));

const fill: ScriptedCall = { tool: 'fill', input: { text: '%otp%' }, on: { name: 'Code' } };
const press = (keys: string): ScriptedCall => ({ tool: 'press', input: { keys } });
const clickOn = (name: string, button = 'left'): ScriptedCall => ({ tool: 'click', input: { button }, on: { name } });

/** Runs an agent that enters a bound code and makes these calls. Returns the last result. */
async function run(calls: readonly ScriptedCall[]): Promise<string> {
  const { told } = await agent.run(
    browser.driver,
    [fill, ...calls].map((call) => [call]),
    { instruction: 'Enter the code', variables: { otp: SECRET }, page: browser.page },
  );
  return told.at(-1) ?? '';
}

async function held(page = browser.page): Promise<string[]> {
  const read = "[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join()";
  return Promise.all(page.frames().map((frame) => frame.evaluate(read))) as Promise<string[]>;
}

describe('bound value that an agent typed', () => {
  it.each([
    ['Control+C', 'Control+V'],
    ['Control+X', 'Control+Shift+V'],
    ['Control+Insert', 'Shift+Insert'],
    ['Shift+Delete', 'Shift+Insert'],
  ])('the agent does not paste it on another site with %s and %s', async (copy, paste) => {
    const leave = { tool: 'navigate', input: { url: `${browser.server.otherOrigin}/thief` } };
    const told = await run([press('Control+A'), press(copy), leave, clickOn('Coupon'), press(paste)]);
    expect(await held()).toEqual(['']);
    expect(told).toContain('Cannot paste: the clipboard contains');
    expect(told).not.toContain(SECRET);
  });

  it('the agent does not drag it into a frame of another site', async () => {
    await browser.page.goto(`${browser.server.origin}/framed`);
    await run([press('Control+A'), { tool: 'drag', on: { name: 'Code' }, to: { name: 'Coupon' } }]);
    expect(await held()).toEqual([SECRET, '']);
  });

  it('a middle click does not paste it into a frame of another site', async () => {
    await browser.page.goto(`${browser.server.origin}/framed`);
    await run([press('Control+A'), clickOn('Coupon', 'middle')]);
    expect(await held()).toEqual([SECRET, '']);
  });

  it('a computer-use model does not move it into a frame of another site', async () => {
    const actions = [
      { action: 'key', text: 'ctrl+a' },
      { action: 'left_click_drag', start_coordinate: [160, 120], coordinate: [200, 250] },
      { action: 'left_mouse_down', coordinate: [160, 120] },
      { action: 'triple_click', coordinate: [160, 120] },
      { action: 'mouse_move', coordinate: [160, 120] },
      { action: 'left_mouse_down' },
      { action: 'mouse_move', coordinate: [180, 180] },
      { action: 'mouse_move', coordinate: [200, 250] },
      { action: 'left_mouse_up' },
      { action: 'triple_click', coordinate: [160, 120] },
      { action: 'key', text: 'ctrl+c' },
      { action: 'middle_click', coordinate: [200, 250] },
      { action: 'left_click', coordinate: [200, 250] },
      { action: 'key', text: 'ctrl+v' },
    ];
    const enter = [
      { action: 'left_click', coordinate: [160, 120] },
      { action: 'type', text: '%otp%' },
    ];
    const steps = [...enter, ...actions].map((action, index) => ANTHROPIC_COMPUTER.actions(index + 1, [action]));
    const done = ANTHROPIC_COMPUTER.tool(steps.length + 1, 'done', { success: false, message: 'That was all.' });
    await using provider = await strictServer(ANTHROPIC_COMPUTER, [...steps, done]);
    await using driver = await driverFor(ANTHROPIC_COMPUTER, provider, { driver: browser.driver });
    const page = await openPage(driver, `${browser.server.origin}/framed`);
    const task = { instruction: 'Enter the code', variables: { otp: SECRET }, maxSteps: steps.length + 2 };
    const result = await driver.agent({ mode: 'cua' }).execute(task);
    expect(await held(page)).toEqual([SECRET, '']);
    expect(result.actions.at(-2)?.result).toContain('Cannot paste: the clipboard contains %otp%');
  });
});

describe('other content beside a bound value', () => {
  it('the agent pastes other text', async () => {
    await browser.driver.context.clipboard.writeText('two blue mugs');
    const told = await run([clickOn('Note'), press('Control+V')]);
    expect(told).toContain('Done: press Control+V');
    expect(await held()).toEqual([`${SECRET},two blue mugs`]);
  });

  it('the agent drags a card', async () => {
    const page = browser.server.page(
      '/board',
      `<title>Board</title><label>Code <input></label><div draggable=true role=button aria-label="Write report" style="width: 100px; height: 40px">Write report</div>
        <div tabindex=0 role=group aria-label=Finished style="width: 200px; height: 100px"></div><script>
          document.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card 1');
          document.ondragover = (event) => event.preventDefault();
          document.ondrop = (event) => { event.preventDefault(); document.querySelector('[role=group]').textContent = event.dataTransfer.getData('text/plain'); };
        </script>`,
    );
    await browser.page.goto(page);
    await run([{ tool: 'drag', on: { name: 'Write report' }, to: { name: 'Finished' } }]);
    expect(await browser.page.locator('[role=group]').textContent()).toBe('card 1');
  });
});
