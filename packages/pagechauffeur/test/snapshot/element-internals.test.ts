import { expect, test } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';

const odd = oddPages();

/** A script that defines a custom element whose constructor runs `body` with its internals `i` and the element `e`. */
function define(tag: string, body: string): string {
  return `customElements.define('${tag}', class extends HTMLElement {
    constructor() { super(); const e = this; const i = this.attachInternals(); this.i = i; ${body} }
  });`;
}

const check = define(
  'x-check',
  `i.role = 'checkbox'; i.ariaChecked = 'false';
   e.addEventListener('click', () => { i.ariaChecked = String(i.ariaChecked !== 'true'); });`,
);

function page(script: string, body: string): string {
  return `<script>${script}</script>${body}`;
}

test('reads roles, names, states and values that custom elements set through their internals', async () => {
  const script = [
    check,
    define('x-toggle', "i.role = 'button'; i.ariaPressed = 'true'"),
    define('x-off', "i.role = 'button'; i.ariaDisabled = 'true'"),
    define('x-slider', "i.role = 'slider'; i.ariaValueNow = '3'; i.ariaLabel = 'Volume'"),
    define('x-list', "i.role = 'listbox'"),
    define('x-option', "i.role = 'option'; i.ariaSelected = String(e.textContent === 'Public')"),
  ].join('');
  const list = '<x-list aria-label="Visibility"><x-option>Public</x-option><x-option>Private</x-option></x-list>';
  const controls = '<x-check>Notify</x-check><x-toggle>Mute</x-toggle><x-off>Publish</x-off><x-slider></x-slider>';
  await odd.open(`${controls}${list}<script>${script}</script>`);
  expect(await odd.text()).toBe(
    [
      'e1 checkbox "Notify" unchecked',
      'e2 button "Mute" pressed',
      'e3 button "Publish" disabled',
      'e4 slider "Volume" = "3"',
      'e5 listbox "Visibility"',
      ' e6 option "Public" selected',
      ' e7 option "Private"',
    ].join('\n'),
  );
});

test('prefers attributes to internals', async () => {
  const script = define('x-check', "i.role = 'checkbox'; i.ariaLabel = 'Inner'; i.ariaChecked = 'true'");
  await odd.open(page(script, '<x-check role="switch" aria-label="Outer" aria-checked="false"></x-check>'));
  expect(await odd.text()).toBe('e1 switch "Outer" unchecked');
});

test('names a form-associated custom element by its label', async () => {
  const associated = check.replace('extends HTMLElement {', 'extends HTMLElement { static formAssociated = true;');
  await odd.open(page(associated, '<label>Notify <x-check></x-check></label>'));
  expect(await odd.text()).toContain('checkbox "Notify" unchecked');
});

test.each(['open', 'closed'])('reads the internals of custom elements in %s shadow roots', async (mode) => {
  const host = define(
    'x-form',
    `e.attachShadow({ mode: '${mode}' }).innerHTML = '<x-check style="display: block">Notify</x-check>'`,
  );
  await odd.open(page(check + host, '<x-form></x-form>'));
  expect(await odd.text()).toContain('checkbox "Notify" unchecked');
});

test('reads the internals of custom elements in frames', async () => {
  const script = define('x-toggle', "i.role = 'button'").replaceAll('"', '&quot;');
  await odd.open(`<iframe srcdoc="<script>${script}</script><x-toggle tabindex='0'>Mute</x-toggle>"></iframe>`);
  expect(await odd.text()).toContain('f1e1 button "Mute"');
});

test('reads states again for each snapshot', async () => {
  await odd.open(page(check, '<x-check>Notify</x-check>'));
  expect(await odd.text()).toBe('e1 checkbox "Notify" unchecked');
  await odd.page.locator('x-check').click();
  expect(await odd.text()).toBe('e1 checkbox "Notify" checked');
  await odd.page.evaluate("document.querySelector('x-check').i.ariaChecked = 'mixed'");
  expect(await odd.text()).toBe('e1 checkbox "Notify" mixed');
});

test('reads the internals of elements that appear later', async () => {
  const script = define('x-option', "i.role = 'option'") + define('x-list', "i.role = 'listbox'");
  const list = '<x-list id="list" tabindex="0" hidden><x-option>Public</x-option></x-list>';
  await odd.open(page(script, `<p>Text</p>${list}`));
  expect(await odd.text()).toBe('- Text');
  await odd.page.evaluate("document.getElementById('list').hidden = false");
  expect(await odd.text()).toMatch(/listbox\n e\d+ option "Public"/);
});

test('reads the internals of all of 200 elements', async () => {
  await odd.open(page(check, '<x-check style="display: block">Notify</x-check>'.repeat(200)));
  expect((await odd.page.snapshot({ tokenBudget: Number.POSITIVE_INFINITY })).text.match(/checkbox/g)).toHaveLength(
    200,
  );
});

test('notices a changed state in a document of which parts are used again', async () => {
  const row = '<p>Row</p>';
  await odd.open(page(check, `<div>${row.repeat(3)}<x-check>Notify</x-check></div>${row.repeat(1200)}`));
  for (const _ of [1, 2, 3]) expect(await odd.text()).toContain('checkbox "Notify" unchecked');
  await odd.page.evaluate("document.querySelector('x-check').i.ariaChecked = 'true'");
  expect(await odd.text()).toContain('checkbox "Notify" checked');
});

test('finds elements by the role of their internals before the first snapshot', async () => {
  await odd.open(page(check, '<p>Text</p><x-check>Notify</x-check>'));
  expect(await odd.page.getByRole('checkbox', { name: 'Notify' }).count()).toBe(1);
});

test('checks and unchecks elements whose state only their internals have', async () => {
  await odd.open(page(check, '<x-check>Notify</x-check>'));
  const box = odd.page.locator('x-check');
  for (const isWanted of [true, true, false, false, true]) {
    await box.setChecked(isWanted);
    expect(await box.isChecked()).toBe(isWanted);
  }
  await odd.page.evaluate("document.querySelector('x-check').click()");
  expect(await box.isChecked()).toBe(false);
  await box.check();
  expect(await odd.page.evaluate("document.querySelector('x-check').i.ariaChecked")).toBe('true');
});

test('reports a custom checkbox that ignores the click', async () => {
  await odd.open(page(define('x-check', "i.role = 'checkbox'; i.ariaChecked = 'false'"), '<x-check>Notify</x-check>'));
  await expect(odd.page.locator('x-check').check()).rejects.toThrow('still off');
});

test('waits until the internals of an element enable it', async () => {
  const script = define(
    'x-off',
    "i.role = 'button'; i.ariaDisabled = 'true'; e.onclick = () => { e.textContent = 'Done' }",
  );
  await odd.open(page(script, '<x-off>Publish</x-off>'));
  expect(await odd.text()).toBe('e1 button "Publish" disabled');
  expect(await odd.page.locator('x-off').isEnabled()).toBe(false);
  await odd.page.evaluate("setTimeout(() => { document.querySelector('x-off').i.ariaDisabled = null }, 500)");
  await odd.page.locator('x-off').click({ timeout: 5000 });
  expect(await odd.text()).toBe('e1 button "Done"');
});

test('does not let the page notice that internals are read', async () => {
  const script = `globalThis.attached = 0;
    const { attachInternals } = HTMLElement.prototype;
    HTMLElement.prototype.attachInternals = function () { globalThis.attached += 1; return attachInternals.call(this); };
    ${check}`;
  await odd.open(page(script, '<x-check>Notify</x-check>'));
  expect(await odd.text()).toContain('checkbox');
  expect(await odd.page.evaluate('globalThis.attached')).toBe(1);
});

test('reads the style of each shadow host, which its own style sheet can set by any attribute', async () => {
  const style = '<style>:host([off]) { cursor: not-allowed }</style><slot></slot>';
  const script = define('x-button', `e.attachShadow({ mode: 'open' }).innerHTML = '${style}'; i.role = 'button'`);
  await odd.open(page(script, '<x-button off tabindex="0">Publish</x-button><x-button tabindex="0">Invite</x-button>'));
  expect(await odd.text()).toBe('e1 button "Publish" disabled\ne2 button "Invite"');
});

const later = define('x-sw', "e.load = () => { i.role = 'switch'; e.textContent = 'Loaded' }");

function countOf(text: string, word: string): number {
  return text.split(word).length - 1;
}

test('reads the internals of elements that a router replaces 40 times', async () => {
  const script = define('x-sw', "i.role = 'switch'");
  await odd.open(page(script, '<main></main>'));
  for (let screen = 0; screen < 40; screen += 1) {
    const body = `<x-sw tabindex="0">Option ${screen}</x-sw>`.repeat(20);
    await odd.page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(body)}`);
    expect(countOf(await odd.text(), 'switch')).toBe(20);
  }
});

test('reads a role that elements set after the first snapshot', async () => {
  await odd.open(page(later, '<x-sw tabindex="0">Loading</x-sw>'.repeat(20)));
  expect(await odd.text()).not.toContain('switch');
  await odd.page.evaluate("for (const e of document.querySelectorAll('x-sw')) e.load()");
  expect(countOf(await odd.text(), 'switch')).toBe(20);
});

test('reads the role of new elements of a tag whose first ones had none', async () => {
  await odd.open(page(later, '<x-sw tabindex="0">Loading</x-sw>'));
  expect(await odd.text()).not.toContain('switch');
  await odd.page.evaluate("const e = document.createElement('x-sw'); e.load(); document.body.append(e)");
  expect(countOf(await odd.text(), 'switch')).toBe(1);
});

test.each(['role="switch" aria-label="Own"', 'aria-hidden="true"', 'hidden', 'inert'])(
  'reads the role of other elements if the first one has %s',
  async (attribute) => {
    const script = define('x-sw', "i.role = 'switch'; i.ariaLabel = 'Inner'");
    const others = '<x-sw tabindex="0" class="other">Other</x-sw>'.repeat(120);
    await odd.open(page(script, `<x-sw ${attribute}>First</x-sw>${others}`));
    const { text } = await odd.page.snapshot({ tokenBudget: Number.POSITIVE_INFINITY });
    expect(countOf(text, 'switch "Inner"')).toBe(120);
  },
);

test('reads the role of an element that was below aria-hidden', async () => {
  const script = define('x-sw', "i.role = 'switch'");
  await odd.open(
    page(script, '<div aria-hidden="true"><x-sw onclick="">Wifi</x-sw></div><x-sw tabindex="0">Other</x-sw>'),
  );
  await odd.text();
  await odd.page.evaluate("document.querySelector('div').removeAttribute('aria-hidden')");
  expect(await odd.text()).toContain('switch "Wifi"');
});

test('reads the role of elements after `setContent`', async () => {
  await odd.open(page(later, '<x-sw tabindex="0">Loading</x-sw>'));
  expect(await odd.text()).not.toContain('switch');
  await odd.page.setContent('<x-sw tabindex="0">Loading</x-sw>');
  await odd.page.evaluate("Object.assign(document.querySelector('x-sw').i, { role: 'switch' })");
  expect(await odd.text()).toContain('switch "Loading"');
});

test('checks an element that set its role without another change', async () => {
  await odd.open(page(define('x-late', "e.onclick = () => { i.ariaChecked = 'true' }"), '<x-late>Wifi</x-late>'));
  await odd.text();
  await odd.page.evaluate(
    "Object.assign(document.querySelector('x-late').i, { role: 'switch', ariaChecked: 'false' })",
  );
  await odd.page.locator('x-late').check();
  expect(await odd.page.locator('x-late').isChecked()).toBe(true);
});

test('forgets a role that internals remove, but not that of an element that is hidden', async () => {
  await odd.open(page(define('x-sw', "i.role = 'switch'"), '<x-sw tabindex="0">Wifi</x-sw>'));
  expect(await odd.text()).toBe('e1 switch "Wifi" unchecked');
  await odd.page.evaluate("document.querySelector('x-sw').ariaHidden = 'true'");
  expect(await odd.text()).toContain('switch');
  await odd.page.evaluate("document.querySelector('x-sw').ariaHidden = null");
  await odd.page.evaluate("document.querySelector('x-sw').i.role = null");
  expect(await odd.text()).toBe('e1 generic "Wifi"');
});

test('stops after some time among thousands of inline elements, and continues with the next snapshot', async () => {
  await odd.open(page(define('x-sw', "i.role = 'switch'"), '<x-sw tabindex="0">Wifi</x-sw>'.repeat(3000)));
  const options = { tokenBudget: Number.POSITIVE_INFINITY };
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) counts.push(countOf((await odd.page.snapshot(options)).text, 'switch'));
  const [first = 0, , last = 0] = counts;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(500);
  expect(last).toBeGreaterThan(first);
});
