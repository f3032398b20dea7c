import { describe, expect, it } from 'vitest';
import { oddPages } from '../odd-pages/odd-page.ts';
import { expectWorks, ORDINARY_PART } from './works-on.ts';

const odd = oddPages({ defaultTimeout: 15_000 });

/** Throws, and names what was called in case it reaches a message. */
const BROKEN = `const broken = (name) => function () { throw new Error('the page was fooled by ' + name); };
  const breakAll = (object, names = Object.getOwnPropertyNames(object)) => { for (const name of names) {
    if (name === 'constructor' || typeof Object.getOwnPropertyDescriptor(object, name)?.value !== 'function') continue;
    Object.defineProperty(object, name, { value: broken(name), writable: true, configurable: true }); } };
  const breakGetters = (object, names) => { for (const name of names)
    Object.defineProperty(object, name, { get: broken(name), set: broken(name), configurable: true }); };`;

const pages: readonly (readonly [what: string, script: string])[] = [
  ['every method of Array', `breakAll(Array.prototype); breakAll(Array)`],
  ['every method of String', `breakAll(String.prototype)`],
  ['every method of Object', `breakAll(Object)`],
  ['every method of Function', `breakAll(Function.prototype, ['call', 'apply', 'bind', 'toString'])`],
  [
    'every method of Map, Set, WeakMap and WeakRef',
    `for (const kind of [Map, Set, WeakMap, WeakRef]) breakAll(kind.prototype)`,
  ],
  ['JSON', `breakAll(JSON)`],
  ['JSON with undefined', `delete window.JSON`],
  ['Reflect and Symbol', `window.Reflect = null; window.Symbol = null`],
  ['Promise', `window.Promise = broken('Promise')`],
  ['the methods of Promise', `breakAll(Promise.prototype); breakAll(Promise)`],
  ['the iterator of arrays', `Array.prototype[Symbol.iterator] = broken('iterator')`],
  [
    'query methods of Document.prototype',
    `breakAll(Document.prototype, ['querySelector', 'querySelectorAll', 'getElementById', 'elementFromPoint', 'evaluate', 'createTreeWalker'])`,
  ],
  [
    'query methods of the document',
    `document.querySelector = document.querySelectorAll = document.evaluate = document.elementFromPoint = broken('own')`,
  ],
  ['every method of Element', `breakAll(Element.prototype)`],
  ['every method of Node and EventTarget', `breakAll(Node.prototype); breakAll(EventTarget.prototype)`],
  [
    'getters of Element',
    `breakGetters(Element.prototype, ['id', 'className', 'tagName', 'localName', 'shadowRoot', 'children', 'attributes', 'innerHTML', 'scrollTop'])`,
  ],
  [
    'getters of Node',
    `breakGetters(Node.prototype, ['parentNode', 'childNodes', 'firstChild', 'nextSibling', 'isConnected', 'nodeType', 'nodeName', 'ownerDocument'])`,
  ],
  [
    'innerText and offsets',
    `breakGetters(HTMLElement.prototype, ['innerText', 'offsetWidth', 'offsetHeight', 'offsetParent', 'hidden', 'inert'])`,
  ],
  [
    'the value of fields',
    `breakGetters(HTMLInputElement.prototype, ['value', 'checked', 'type', 'disabled', 'readOnly', 'labels', 'form'])`,
  ],
  [
    'getters of Document',
    `breakGetters(Document.prototype, ['body', 'head', 'title', 'URL', 'activeElement', 'readyState', 'hidden', 'scrollingElement', 'documentElement', 'defaultView'])`,
  ],
  [
    'the observers',
    `window.MutationObserver = window.IntersectionObserver = window.ResizeObserver = broken('observer')`,
  ],
  ['the methods of observers', `breakAll(MutationObserver.prototype); breakAll(IntersectionObserver.prototype)`],
  [
    'timer functions',
    `window.requestAnimationFrame = window.setTimeout = window.setInterval = window.queueMicrotask = window.clearTimeout = broken('timer')`,
  ],
  ['timers with ones that never fire', `window.requestAnimationFrame = () => 0; window.setTimeout = () => 0`],
  [
    'the clocks',
    `performance.now = Date.now = broken('clock'); Performance.prototype.now = broken('clock'); window.Date = null`,
  ],
  ['the clocks with ones that do not advance', `performance.now = () => 0; Date.now = () => 0`],
  ['computed style', `window.getComputedStyle = broken('style'); breakAll(CSSStyleDeclaration.prototype)`],
  [
    'getComputedStyle() to hide everything',
    `window.getComputedStyle = () => ({ display: 'none', visibility: 'hidden', opacity: '0' })`,
  ],
  [
    'box methods to return empty boxes',
    `Element.prototype.getBoundingClientRect = () => new DOMRect(); Element.prototype.getClientRects = () => []; Element.prototype.checkVisibility = () => false`,
  ],
  [
    'elementFromPoint()',
    `Document.prototype.elementFromPoint = document.elementFromPoint = () => document.documentElement`,
  ],
  [
    'the dispatch of events',
    `EventTarget.prototype.dispatchEvent = broken('dispatch'); window.Event = window.MouseEvent = window.InputEvent = broken('event')`,
  ],
  [
    'event listener methods',
    `window.addEventListener = document.addEventListener = EventTarget.prototype.addEventListener = EventTarget.prototype.removeEventListener = broken('listen')`,
  ],
  [
    'getters and methods of Event',
    `breakGetters(Event.prototype, ['target', 'type', 'composed', 'currentTarget']); breakAll(Event.prototype)`,
  ],
  [
    'attributes',
    `breakAll(Element.prototype, ['getAttribute', 'setAttribute', 'hasAttribute', 'getAttributeNames', 'attachShadow'])`,
  ],
  ['focus', `HTMLElement.prototype.focus = HTMLElement.prototype.click = HTMLElement.prototype.blur = broken('focus')`],
  [
    'scrolling',
    `Element.prototype.scrollIntoView = Element.prototype.scrollTo = window.scrollTo = window.scrollBy = broken('scroll')`,
  ],
  [
    'selections and ranges',
    `Window.prototype.getSelection = Document.prototype.getSelection = broken('selection'); breakAll(Range.prototype); breakAll(Selection.prototype)`,
  ],
  [
    'constructors with null',
    `for (const name of ['Element', 'HTMLElement', 'Node', 'ShadowRoot', 'HTMLInputElement', 'Array', 'String', 'WeakMap', 'Error']) window[name] = null`,
  ],
  ['Error.prepareStackTrace', `Error.prepareStackTrace = broken('stack'); Error.stackTraceLimit = 0`],
  ['console', `breakAll(console); window.console = null`],
];

describe('page that replaces built-ins', () => {
  it.each(pages)('works when the page replaces %s', async (_what, script) => {
    await odd.open(`<script>{ ${BROKEN} ${script} }</script>${ORDINARY_PART}`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });
});

const polluted: readonly (readonly [what: string, script: string])[] = [
  [
    'a getter of "get" that throws',
    `Object.defineProperty(Object.prototype, 'get', { get: broken('get'), configurable: true })`,
  ],
  [
    '"value", "get" and "set"',
    `Object.prototype.value = 'fooled'; Object.prototype.get = () => 'fooled'; Object.prototype.set = () => undefined`,
  ],
  ['"then"', `Object.prototype.then = function (resolve) { resolve('fooled') }`],
  ['a getter of "then" that throws', `Object.defineProperty(Object.prototype, 'then', { get: broken('then') })`],
  [
    '"toJSON"',
    `Object.prototype.toJSON = () => 'fooled'; Array.prototype.toJSON = () => 'fooled'; String.prototype.toJSON = () => 'fooled'`,
  ],
  ['"toString" and "valueOf"', `Object.prototype.toString = Object.prototype.valueOf = broken('toString')`],
  [
    'setters of small indexes',
    `for (let i = 0; i < 20; i += 1) Object.defineProperty(Array.prototype, i, { set: broken('index'), get: broken('index'), configurable: true })`,
  ],
  [
    'accessors for property names of the driver',
    `for (const name of ['kind', 'ref', 'selector', 'state', 'timeout', 'objectId', 'result', 'element', 'frame', 'composed', 'bubbles', 'subtree'])
      Object.defineProperty(Object.prototype, name, { get: broken(name), set: broken(name), configurable: true })`,
  ],
  [
    'null as a prototype',
    `Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(HTMLDivElement.prototype, null)`,
  ],
];

describe('page that pollutes prototypes', () => {
  it.each(polluted)('works when the page pollutes prototypes with %s', async (_what, script) => {
    await odd.open(`<script>{ ${BROKEN} ${script} }</script>${ORDINARY_PART}`);
    // A script in the page's own world lives by the page's rules: whatever has `then` is waited for.
    await expect(
      expectWorks(odd, { isEvaluated: !script.includes('.then') && !script.includes("'then'") }),
    ).resolves.toBeUndefined();
  });
});

const defined: readonly (readonly [what: string, script: string])[] = [
  ['window.chauffeur', `window.chauffeur = { callForText: broken('chauffeur') }`],
  ['an unconfigurable window.chauffeur', `Object.defineProperty(window, 'chauffeur', { value: null })`],
  ['an element named chauffeur', `document.write('<img name="chauffeur"><form id="chauffeur"></form>')`],
  ['a frame named chauffeur', `document.write('<iframe name="chauffeur"></iframe>')`],
];

describe('page that defines driver globals', () => {
  it.each(defined)('works when the page defines %s', async (_what, script) => {
    await odd.open(`<script>{ ${BROKEN} ${script} }</script>${ORDINARY_PART}`);
    await expect(expectWorks(odd)).resolves.toBeUndefined();
  });
});
