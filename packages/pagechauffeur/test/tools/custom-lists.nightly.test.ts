import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/index.ts';
import { useBrowser } from '../support/use-browser.ts';
import { ScriptedAgent, type ScriptedCall, type Shown } from './scripted-agent.ts';

const agent = new ScriptedAgent();
const browser = useBrowser({ llmClient: agent.model });

const SHOW_CHOICE = `const choose = (text) => { said.textContent = [said.textContent, text].filter(Boolean).join(', '); };`;

/** A button that opens a list at the end of the body, as libraries do to escape \`overflow: hidden\`. */
const PORTAL = `<title>Order</title><button role=combobox aria-label=Colour aria-expanded=false>Red</button><p id=said></p><script>{ ${SHOW_CHOICE}
  const trigger = document.querySelector('button');
  trigger.onclick = () => {
    const open = document.querySelector('ul');
    trigger.setAttribute('aria-expanded', String(!open));
    if (open) return open.remove();
    setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<ul role=listbox>' + ['Red', 'Green', 'Dark  green'].map((text) => '<li role=option>' + text + '</li>').join('') + '</ul>');
      document.querySelector('ul').onclick = ({ target }) => { choose(target.textContent); document.querySelector('ul').remove(); };
    }, 200);
  };
}</script>`;

/** A list without roles, whose options are hidden until it opens; its neighbour offers the same. */
const PLAIN = `<title>Order</title><style>.list { cursor: pointer } .list:not(.open) div { display: none }</style>
  <div class=list tabindex=0><span>Size</span><div>Small</div><div>Extra large</div></div>
  <button onclick="choose('the button')">Large</button><p id=said></p><script>{ ${SHOW_CHOICE}
  const list = document.querySelector('.list');
  list.onclick = ({ target }) => { if (target.matches('.list div')) choose(target.textContent); list.classList.toggle('open'); };
}</script>`;

/** A field that offers only cities that start with its text. */
const FILTERED = `<title>Trip</title><input role=combobox aria-label=City><ul role=listbox hidden></ul><p id=said></p><script>{ ${SHOW_CHOICE}
  const [field, list] = [document.querySelector('input'), document.querySelector('ul')];
  field.oninput = () => setTimeout(() => {
    const fitting = ['Bergen', 'Berlin', 'Bern'].filter((city) => field.value && city.startsWith(field.value));
    list.hidden = fitting.length === 0;
    list.innerHTML = fitting.map((city) => '<li role=option>' + city + '</li>').join('');
  }, 150);
  list.onclick = ({ target }) => { choose(target.textContent); list.hidden = true; };
}</script>`;

/** A list that stays open, in which several things can be chosen. */
const LISTBOX = `<title>Toppings</title><ul role=listbox aria-label=Toppings aria-multiselectable=true>
  <li role=option aria-selected=false>Olives</li><li role=option aria-selected=false>Basil</li></ul>
  <ul role=listbox aria-label=Extras><li role=option>Basil</li></ul><p id=said></p><script>{ ${SHOW_CHOICE}
  document.onclick = ({ target }) => { if (target.role === 'option') { choose(target.parentElement.ariaLabel + ' ' + target.textContent); target.ariaSelected = 'true'; } };
}</script>`;

const TWINS = `<title>Seats</title><button aria-expanded=false onclick="list.hidden = !list.hidden">Seat</button>
  <ul id=list role=listbox hidden><li role=option>Window<li role=option>Window</ul>`;

async function choose(html: string, name: string, options: readonly string[]): Promise<Shown & { page: Page }> {
  const { page } = browser;
  await page.setContent(html);
  const call: ScriptedCall = { tool: 'select', on: { name }, input: { options } };
  return { ...(await agent.run(browser.driver, [[call]], { page })), page };
}

describe('`select` on a custom list', () => {
  it.each([
    ['a list that opens elsewhere in the document', PORTAL, 'Colour', ['dark green'], 'Dark  green'],
    ['a list of options without roles', PLAIN, 'Size', ['Extra large'], 'Extra large'],
    ['a field that filters its options by text', FILTERED, 'City', ['Bern'], 'Bern'],
    ['a list that is always open', LISTBOX, 'Toppings', ['Basil', 'Olives'], 'Toppings Basil, Toppings Olives'],
  ])('clicks the option in %s', async (_what, html, name, options, said) => {
    const { page, actions, told } = await choose(html, name, options);
    expect(await page.locator('#said').textContent()).toBe(said);
    expect(actions).toMatchObject([{ tool: 'select', success: true }]);
    expect(told[0]).toMatch(new RegExp(`It is the option "${options[0]}" of e\\d+\\.`));
  });

  it('finds the option by a variable value, and hides the value from the model', async () => {
    const { page } = browser;
    await page.setContent(PORTAL);
    const call: ScriptedCall = { tool: 'select', on: { name: 'Colour' }, input: { options: ['%colour%'] } };
    const { told } = await agent.run(browser.driver, [[call]], { page, variables: { colour: 'Dark  green' } });
    expect(await page.locator('#said').textContent()).toBe('Dark  green');
    expect(told[0]).toMatch(/It is the option "%colour%" of e\d+\.$/);
    expect(told[0]).not.toMatch(/dark/i);
  });

  it('opens a list again after the first click closed it', async () => {
    const { page } = browser;
    await page.setContent(PORTAL);
    await page.locator('button').click();
    await page.locator('ul').waitFor();
    await page.evaluate("document.querySelector('li').remove()");
    await agent.run(browser.driver, [[{ tool: 'select', on: { name: 'Colour' }, input: { options: ['Red'] } }]], {
      page,
    });
    expect(await page.locator('#said').textContent()).toBe('Red');
  });

  it('reports a missing option, and sends the existing options to the model', async () => {
    const { actions, told, requests } = await choose(PORTAL, 'Colour', ['Blue']);
    expect(actions).toMatchObject([{ tool: 'select', success: false }]);
    expect(told[0]).toMatch(/^The list of e\d+ has no option "Blue"\./);
    expect(JSON.stringify(requests.at(-1)?.messages)).toContain('option \\"Green\\"');
  });

  it('fails when several options have the requested label', async () => {
    const { actions, told } = await choose(TWINS, 'Seat', ['Window']);
    expect(actions).toMatchObject([{ tool: 'select', success: false }]);
    expect(told[0]).toMatch(/^The list of e\d+ has several options "Window"\./);
  });

  it('calls onBeforeAction before each click', async () => {
    const { page } = browser;
    await page.setContent(PORTAL);
    const judged: string[] = [];
    const call: ScriptedCall = { tool: 'select', on: { name: 'Colour' }, input: { options: ['Green'] } };
    await agent.run(browser.driver, [[call]], {
      page,
      callbacks: {
        onBeforeAction: ({ tool, element = '' }) => {
          judged.push(`${tool} ${element}`);
          return !element.includes('Green');
        },
      },
    });
    expect(judged).toEqual(['select combobox "Colour"', 'click combobox "Colour"', 'click option "Green"']);
    expect(await page.locator('#said').textContent()).toBe('');
  });

  it('records two clicks in the script of the run', async () => {
    const { result } = await choose(PORTAL, 'Colour', ['Green']);
    const script = result.toScript();
    expect(script).toMatch(/getByRole\('combobox'.*\.click\(\)[\s\S]*getByRole\('option'.*Green.*\.click\(\)/);
  });
});
