/** Runs in a page: builds a document, changes it at random, and compares snapshots after each change. */
import { takeFrameSnapshot } from '../../src/injected/snapshot/frame-snapshot.ts';
import { noteListeners } from '../../src/injected/snapshot/clickable/listened.ts';
import { conditions, signalKinds } from '../../src/injected/snapshot/reuse/signals.ts';

let state = 1;

/** Returns a number from 0 up to `end`, the same for the same seed. */
function next(end: number): number {
  state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
  const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % end;
}

function one<T>(list: ArrayLike<T>): T {
  return list[next(list.length)] as T;
}

let count = 0;

function words(): string {
  count += 1;
  return `${one(['Blue', 'Oak', 'Tall', 'Plain'])} ${one(['mug', 'lamp', 'chair', 'vase'])} ${count}`;
}

const RULES = `
  .card { position: relative; padding: 4px } .card:hover .tools { opacity: 1 } .tools { opacity: 0 }
  tr:nth-child(even) { background-color: #eee } .flag + * { color: #fefefe } .gone { display: none }
  .white { color: #fff; background: #fff } .pointer { cursor: pointer } .bold { font-weight: 700 }
  section:has(.alarm) .quiet { visibility: hidden } .big ~ .small { text-transform: uppercase }
  li:first-child { cursor: pointer } :focus { cursor: zoom-in } .field:focus-within .help { display: none }
  .box { container-type: inline-size } @container (min-width: 300px) { .wide { display: none } }
  @media (max-width: 700px) { .desktop { display: none } } @media (prefers-color-scheme: dark) { .light { display: none } }
  input:checked + .on { display: none } :target { visibility: hidden } form:invalid .hint { display: none }
  .scroller { overflow: auto; height: 60px } .fade { transition: opacity 1s } .after::after { content: "after" }
  .cover { position: absolute; left: 0; top: 0; width: 400px; height: 80px; background: #fff }
  :fullscreen p { display: none } section::backdrop { background: none }
  .narrow { position: absolute; left: -60px; font-family: Trial, serif } .alarm {} .side { width: 0; overflow: hidden } .side.open { width: 800px }
  section:has(.alarm) { --shown: hidden } .varied { visibility: var(--shown, visible) } nav a:hover { font-size: 1px }
`;

const CLASSES = (
  'white pointer bold gone flag big small quiet card alarm tools desktop light wide after selected active current unread ' +
  'cover narrow scroller item'
).split(' ');

const PARTS: readonly (() => string)[] = [
  () =>
    `<table><thead><tr><th>Name<th>Price</thead><tbody>${many(6, () => `<tr><td><input type="checkbox"><span class="on">${words()}</span><td>${next(99)}<td><button>Buy ${words()}</button><a href="?p=${next(9)}">More</a>`)}</tbody></table>`,
  () => `<ul>${many(6, () => `<li class="${one(CLASSES)}">${words()} <a href="#t${next(9)}">${words()}</a>`)}</ul>`,
  () =>
    `<div class="card"><h3>${words()}</h3><p>${words()} <b>${words()}</b> <em>${words()}</em></p><div class="tools"><button title="${words()}"><i class="fa fa-trash"></i></button></div></div>`,
  () =>
    `<form class="field"><label for="f${next(20)}">${words()}</label><input id="f${next(20)}" required><select>${many(4, () => `<option>${words()}`)}</select><textarea></textarea><div><p class="hint">${words()}<p class="hint">${words()}<p class="help">${words()}</div></form>`,
  () => `<details><summary>${words()}</summary><p>${words()}<p>${words()}</details>`,
  () => `<div class="scroller"><p>${many(8, () => `${words()}<br>`)}</p><p>${words()}</p></div>`,
  () =>
    `<div class="box" style="width: ${200 + next(200)}px"><p class="wide">${words()}<p>${words()}<p>${words()}</div>`,
  () =>
    `<div style="position: relative; height: 60px"><p>${words()}<p>${words()}<div class="narrow"><p>${words()} ${words()}</p></div></div>`,
  () =>
    `<nav aria-labelledby="n${next(9)}">${many(5, () => `<a href="/${next(99)}">${words()}</a>`)}</nav><h2 id="n${next(9)}">${words()}</h2>`,
  () =>
    `<div popover id="pop${next(9)}"><p>${words()}<p>${words()}<button>${words()}</button></div><dialog><p>${words()}<p>${words()}</dialog>`,
  () =>
    `<div role="tablist">${many(5, () => `<div role="tab" class="${one(CLASSES)}">${words()}</div>`)}</div><p class="quiet">${words()}`,
  () =>
    `<div class="list">${many(5, () => `<div class="row" data-id="${next(9)}"><span></span><div>${words()}</div></div>`)}</div>`,
  () =>
    `<svg width="80" height="80"><defs><text id="drawn-${next(1_000_000)}">${words()}</text></defs><text y="20">${words()}</text></svg><p class="desktop">${words()}<p class="light">${words()}`,
  () =>
    `<div style="display: flex"><div class="box" style="flex: 1; min-width: 0"><div class="wide"><p>${words()}<p>${words()}<p>${words()}</div></div><aside class="side">${words()}</aside></div>`,
  () => `<div class="varied"><p>${words()}<p>${words()}<p>${words()}</div>`,
  () => {
    const id = next(99);
    return `<div style="display: none"><input type="checkbox" id="h${id}"></div><div><label for="h${id}">${words()}</label><p>${words()}<p>${words()}</div>`;
  },
  () => `<ul class="pointer">${many(3, () => `<li><p>${words()}<p>${words()}<p>${words()}`)}</ul>`,
];

function many(most: number, make: () => string): string {
  return Array.from({ length: 2 + next(most) }, make).join('');
}

function section(): string {
  return `<section>${many(4, () => one(PARTS)())}</section>`;
}

const [LEAST, MOST] = [1050, 1500];

export function build(seed: number): void {
  state = seed;
  document.head.innerHTML = `<style>${RULES}</style>`;
  document.body.innerHTML = '<main></main>';
  grow();
}

function elementCount(): number {
  return document.getElementsByTagName('*').length;
}

function grow(): void {
  const main = document.querySelector('main') ?? document.body.appendChild(document.createElement('main'));
  while (elementCount() < LEAST) main.insertAdjacentHTML('beforeend', section());
}

function any(selector = 'body *'): HTMLElement {
  const found = document.querySelectorAll<HTMLElement>(selector);
  return found.length === 0 ? document.body : one(found);
}

function anyRule(): CSSStyleRule | null {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule);
  return rules.length > 0 ? one(rules) : null;
}

const DECLARATIONS = [
  'display: none',
  'visibility: hidden',
  'color: #fff',
  'cursor: pointer',
  'position: relative',
  'text-transform: uppercase',
  'opacity: 0',
];
const SELECTORS = [
  '.card p',
  'li:nth-child(2)',
  '.row > div',
  'td:last-child',
  'h3 + p',
  '.item',
  'section:has(.flag) b',
  'button',
];

function ruleText(): string {
  return `${one(SELECTORS)} { ${one(DECLARATIONS)} }`;
}

let lastAnimation: Animation | null = null;

/** Changes of the document, by name. */
const CHANGES: Readonly<Record<string, () => void>> = {
  text: () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
    one(texts).data = words();
  },
  insert: () => any('section, ul, tbody, .list, main').insertAdjacentHTML('beforeend', one(PARTS)()),
  'insert before': () => any('li, tr, .row, p').insertAdjacentHTML('beforebegin', `<p id="n${next(9)}">${words()}</p>`),
  remove: () => any('section *').remove(),
  move: () => {
    const [moved, place] = [any('section *'), any('section *')];
    if (!moved.contains(place)) place.before(moved);
  },
  class: () => void any().classList.toggle(one(CLASSES)),
  attribute: () => {
    const [name, value] = one([
      ['aria-label', words()],
      ['title', words()],
      ['hidden', ''],
      ['role', 'group'],
      ['aria-hidden', 'true'],
      ['tabindex', '0'],
      ['aria-labelledby', `n${next(9)}`],
      ['dir', 'rtl'],
      ['inert', ''],
      ['onclick', ''],
      ['href', '/x'],
      ['aria-describedby', `n${next(9)}`],
      ['disabled', ''],
      ['data-id', String(next(9))],
      ['aria-disabled', 'true'],
      ['lang', 'de'],
    ] as const);
    const element = any();
    if (element.hasAttribute(name)) element.removeAttribute(name);
    else element.setAttribute(name, value);
  },
  reference: () => {
    const [label, field] = [any('[id^="n"]'), any('[id^="f"]')];
    if (next(3) === 0) label.id = `n${next(9)}`;
    else if (next(2) === 0) field.id = `f${next(20)}`;
    else label.textContent = words();
  },
  style: () => {
    any().style.cssText = one([
      ...DECLARATIONS,
      '',
      'width: 1px; overflow: hidden; height: 1px',
      'position: absolute; left: -5000px',
      'transform: translateY(-40px)',
      'z-index: -1; position: relative',
    ]);
  },
  sheet: () => {
    const sheets = document.head.querySelectorAll('style');
    if (sheets.length > 2) sheets[sheets.length - 1]?.remove();
    else document.head.insertAdjacentHTML('beforeend', `<style>${ruleText()}</style>`);
  },
  'inserted rule': () => {
    const sheet = one([...document.styleSheets]);
    if (sheet.cssRules.length > 32) sheet.deleteRule(sheet.cssRules.length - 1);
    else sheet.insertRule(ruleText(), sheet.cssRules.length);
  },
  'edited rule': () => {
    const rule = anyRule();
    if (rule) rule.style.cssText = one(DECLARATIONS);
  },
  'adopted sheet': () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(ruleText());
    document.adoptedStyleSheets = document.adoptedStyleSheets.length > 1 ? [] : [...document.adoptedStyleSheets, sheet];
  },
  'disabled sheet': () => {
    const sheet = one([...document.styleSheets]);
    sheet.disabled = !sheet.disabled;
  },
  has: () => void any('section *').classList.toggle('alarm'),
  container: () => {
    any('.box').style.width = `${200 + next(200)}px`;
  },
  'container beside': () => void any('.side').classList.toggle('open'),
  'container around': () => {
    any('section').style.width = next(2) === 0 ? '250px' : '';
  },
  details: () => {
    const details = any('details');
    if (details instanceof HTMLDetailsElement) details.open = !details.open;
  },
  scroll: () => {
    const scroller = any('.scroller');
    scroller.scrollTop = scroller.scrollTop > 0 ? 0 : 30 + next(60);
    if (next(3) === 0) scrollTo(next(20), next(800));
  },
  font: () => {
    document.documentElement.style.fontSize = `${12 + next(10)}px`;
  },
  value: () => {
    const field = any('input:not([type]), textarea');
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
      field.value = next(3) === 0 ? '' : words();
  },
  checked: () => {
    const box = any('input[type="checkbox"]');
    if (box instanceof HTMLInputElement) box[next(4) === 0 ? 'indeterminate' : 'checked'] = next(2) === 0;
  },
  selected: () => {
    const select = any('select');
    if (select instanceof HTMLSelectElement) select.selectedIndex = next(4);
  },
  focus: () =>
    next(3) === 0
      ? (document.activeElement as HTMLElement | null)?.blur()
      : any('input, button, a, textarea, [tabindex]').focus(),
  popover: () => {
    const popover = any('[popover]');
    if (popover.popover !== null && popover.isConnected) popover.togglePopover();
  },
  dialog: () => {
    const dialog = any('dialog');
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (dialog.open) dialog.close();
    else if (next(4) === 0) dialog.showModal();
    else dialog.show();
  },
  animation: () => {
    const running = document.getAnimations().filter((animation) => !(animation instanceof CSSTransition));
    if (running.length > 0) one(running).cancel();
    else lastAnimation = any('section *').animate({ opacity: [0, 0] }, { duration: 1e6, fill: 'both' });
  },
  'finished animation': () => {
    lastAnimation?.cancel();
    lastAnimation = null;
  },
  fade: () => {
    const faded = any('section p, section div');
    faded.classList.add('fade');
    faded.style.opacity = faded.style.opacity === '0' ? '1' : '0';
  },
  'shadow root': () => {
    const host = any('section p, section div, section span');
    if (!host.shadowRoot && ['P', 'DIV', 'SPAN'].includes(host.tagName))
      host.attachShadow({ mode: 'open' }).innerHTML = `<p>${words()}</p><slot></slot>`;
  },
  'in a shadow root': () => {
    const hosts = [...document.querySelectorAll('*')].filter((element) => element.shadowRoot);
    const root = hosts.length > 0 ? one(hosts).shadowRoot : null;
    if (!root) return;
    if (next(2) === 0) root.innerHTML = `<p>${words()}</p>${next(2) === 0 ? '<slot></slot>' : ''}`;
    else root.adoptedStyleSheets = [Object.assign(new CSSStyleSheet(), {})];
  },
  'frame inside': () => {
    const frame = document.querySelector('iframe');
    if (frame && next(2) === 0) frame.remove();
    else any('section *').insertAdjacentHTML('afterend', '<iframe srcdoc="<p>Inner"></iframe>');
  },
  backdrop: () => {
    // The element is from the realm of the outer page.
    const frame = frameElement as HTMLElement | null;
    if (frame) frame.style.background = next(2) === 0 ? '#fefefe' : '#000';
  },
  address: () => history.pushState(null, '', `?page=${next(9)}`),
  target: () => {
    location.hash = `#n${next(9)}`;
  },
  listener: () => {
    noteListeners(
      [one(['click', 'press', 'drop', 'double click'] as const)],
      { elementCount: 0, indexes: [], isDelegating: false },
      any('section *'),
    );
  },
  drawing: () => {
    const use = document.querySelector('use');
    if (use) use.remove();
    else any('svg').insertAdjacentHTML('beforeend', `<use href="#${any('defs text').id}"/>`);
  },
  cover: () => {
    const cover = document.querySelector('.cover');
    if (cover && next(2) === 0) cover.remove();
    else any('section > *').insertAdjacentHTML('beforeend', `<div class="cover">${words()}</div>`);
  },
};

function balance(): void {
  const main = document.querySelector('main');
  if (elementCount() > MOST) for (let turn = 0; turn < 4; turn += 1) main?.firstElementChild?.remove();
  grow();
}

function read(isWhole: boolean): string {
  const { text, urls, tree } = takeFrameSnapshot({
    withTree: true,
    fold: { tokens: 1500 },
    ...(isWhole && { ignoreSelectors: ['no-such-element'] }),
  });
  return JSON.stringify([linesOf(tree), text.split('\n'), urls], null, 1);
}

/** Roles by name, because a kept role may have another index. */
function linesOf(tree: ReturnType<typeof takeFrameSnapshot>['tree']): unknown {
  const named = (node: unknown): unknown => {
    if (typeof node === 'string') return node;
    const [role, name, ref, properties, children] = node as [number, string?, number?, unknown?, unknown[]?];
    return [tree?.roles[role], name, ref, properties, children?.map(named)];
  };
  return tree?.nodes.map(named);
}

/** Returns the first difference between a snapshot that uses the last one and a whole one; `null` if there is none. */
export function difference(): string | null {
  const [quick, whole] = [read(false).split('\n'), read(true).split('\n')];
  for (let index = 0; index < Math.max(quick.length, whole.length); index += 1)
    if (quick[index] !== whole[index]) {
      const around = (lines: readonly string[]): string => lines.slice(Math.max(0, index - 14), index + 8).join('\n');
      return `reused:\n${around(quick)}\nwhole:\n${around(whole)}`;
    }
  return null;
}

/** The names of the changes in random order, each once. */
const round: string[] = [];

function nextName(): string {
  if (round.length === 0) for (const name of Object.keys(CHANGES)) round.splice(next(round.length + 1), 0, name);
  return round.pop() ?? '';
}

interface Outcome {
  readonly names: readonly string[];
  /** See `difference()`. */
  readonly found: string | null;
}

/** Makes `steps` changes, all kinds equally often or `only` some. Stops at the first difference. */
export async function run(steps: number, only: readonly string[] = []): Promise<Outcome> {
  const names: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const name = only.length > 0 ? one(only) : nextName();
    CHANGES[name]?.();
    balance();
    names.push(name);
    // Snapshots never follow each other within one task.
    await Promise.resolve();
    const found = difference();
    if (found !== null) return { names, found };
  }
  return { names, found: null };
}

/** Makes one change, and takes no snapshot. */
export function change(name: string): void {
  CHANGES[name]?.();
}

/** Leaves out a signal or condition from now on. Call before the first snapshot. */
export function switchOff(name: string): void {
  delete signalKinds[name];
  delete conditions[name];
}

export function signalNames(): readonly string[] {
  return [...Object.keys(signalKinds), ...Object.keys(conditions)];
}

/** Returns how many elements a snapshot asks for their attributes. */
export function elementsRead(isWhole: boolean): number {
  const { getAttributeNames } = Element.prototype;
  const asked = new Set<Element>();
  Element.prototype.getAttributeNames = function names(this: Element): string[] {
    asked.add(this);
    return getAttributeNames.call(this);
  };
  try {
    read(isWhole);
  } finally {
    Element.prototype.getAttributeNames = getAttributeNames;
  }
  return asked.size;
}
