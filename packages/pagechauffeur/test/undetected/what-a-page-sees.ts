/** A script that runs before everything else of a page and keeps what a page can know of whoever drives it. */
export const WITNESS = `<script>
  window.witness = { records: [], events: [], console: [], touched: [], stacks: [] };
  {
    const { witness } = window;
    const keep = (list, entry) => { list[list.length] = entry; };
    new MutationObserver((list) => { for (const { type, target, attributeName } of list) keep(witness.records, type + ' ' + target.nodeName + ' ' + (attributeName ?? '')); })
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const name of Object.keys(console)) {
      const original = console[name];
      if (typeof original === 'function') console[name] = function (...args) { keep(witness.console, name); return original.apply(this, args); };
    }
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'beforeinput', 'input', 'change', 'focusin'])
      addEventListener(type, (event) => { keep(witness.events, type + ' ' + event.isTrusted); keep(witness.stacks, new Error().stack.split('\\n').length); }, true);
    for (const type of ['error', 'unhandledrejection', 'message', 'securitypolicyviolation', 'storage', 'hashchange', 'popstate'])
      addEventListener(type, () => keep(witness.events, 'unasked ' + type), true);
    const watch = (object, name) => {
      const { get, value } = Object.getOwnPropertyDescriptor(object, name) ?? {};
      if (get) Object.defineProperty(object, name, { get() { witness.touched[witness.touched.length] = name; return get.call(this); } });
      else if (typeof value === 'function') object[name] = function (...args) { witness.touched[witness.touched.length] = name; return value.apply(this, args); };
    };
    for (const name of ['innerText', 'offsetWidth', 'offsetParent', 'hidden']) watch(HTMLElement.prototype, name);
    for (const name of ['id', 'className', 'shadowRoot', 'getBoundingClientRect', 'getAttribute', 'matches', 'scrollIntoView', 'attachShadow', 'checkVisibility', 'setAttribute', 'innerHTML'])
      watch(Element.prototype, name);
    for (const name of ['textContent', 'parentNode', 'isConnected', 'getRootNode', 'appendChild', 'contains']) watch(Node.prototype, name);
    for (const name of ['value', 'type', 'checked', 'labels', 'setSelectionRange', 'select']) watch(HTMLInputElement.prototype, name);
    for (const name of ['querySelector', 'querySelectorAll', 'elementFromPoint', 'evaluate', 'createElement', 'createTreeWalker', 'activeElement', 'hasFocus', 'adoptedStyleSheets', 'getAnimations'])
      watch(Document.prototype, name);
    for (const name of ['focus', 'click', 'dispatchEvent']) watch(name === 'dispatchEvent' ? EventTarget.prototype : HTMLElement.prototype, name);
    for (const name of ['getComputedStyle', 'requestAnimationFrame', 'setTimeout', 'queueMicrotask', 'postMessage', 'fetch']) watch(window, name);
    for (const name of ['parse', 'stringify']) watch(JSON, name);
    for (const name of ['map', 'push', 'filter', 'forEach', 'includes', 'join', 'slice']) watch(Array.prototype, name);
    for (const name of ['toString', 'valueOf', 'hasOwnProperty']) watch(Object.prototype, name);
    watch(Function.prototype, 'toString');
    watch(Promise.prototype, 'then');
    watch(MutationObserver.prototype, 'observe');
    watch(performance.__proto__, 'now');
    witness.touched.length = 0;
  }
</script>`;

/** Tells everything a page can list of itself: names, natives, elements, styles, timing, permissions. */
const PORTRAIT = `(async () => {
  const namesOf = (object) => Reflect.ownKeys(object).map(String).toSorted().join(' ');
  const natives = {};
  for (const name of Object.getOwnPropertyNames(window)) {
    const value = Reflect.get(window, name);
    if (typeof value !== 'function') continue;
    natives[name] = Function.prototype.toString.call(value) + namesOf(value);
    const prototype = Object.getOwnPropertyDescriptor(value, 'prototype')?.value;
    if (typeof prototype !== 'object' || prototype === null) continue;
    natives[name + '.prototype'] = Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .map(([key, { get, set, value: method }]) => [key, get, set, method].map(String).join()).join();
  }
  return {
    names: namesOf(window),
    documentNames: namesOf(document),
    elementNames: [...document.querySelectorAll('*')].map(namesOf).join(),
    navigatorNames: namesOf(Object.getPrototypeOf(navigator)),
    natives,
    html: document.documentElement.outerHTML,
    nodes: document.querySelectorAll('*').length,
    styleSheets: document.styleSheets.length,
    adopted: document.adoptedStyleSheets.length,
    frames: window.length,
    marks: performance.getEntriesByType('mark').length + performance.getEntriesByType('measure').length,
    resources: performance.getEntriesByType('resource').filter(({ name }) => !name.endsWith('favicon.ico')).length,
    errors: [Error.stackTraceLimit, String(Error.prepareStackTrace)],
    storage: [localStorage.length, sessionStorage.length, document.cookie, history.length],
    permission: (await navigator.permissions.query({ name: 'notifications' })).state,
    animations: document.getAnimations().length,
    stack: new Error('here').stack.includes('chauffeur'),
  };
})()`;

/** A script by which the page takes its portrait, for {@link DIFFERENCES}. Where it keeps it, `witness` does not show. */
export const REMEMBER = `(async () => {
  const portrait = await ${PORTRAIT};
  Object.defineProperty(witness, 'portrait', { value: portrait, configurable: true });
  witness.touched.length = 0;
})()`;

/** A script that tells where the page now differs from the portrait it has taken, entry by entry. */
export const DIFFERENCES = `(async () => {
  const entriesOf = ({ natives, ...rest }) => new Map(
    [...Object.entries(rest), ...Object.entries(natives).map(([name, text]) => ['natives.' + name, text])]
      .map(([name, value]) => [name, JSON.stringify(value)]));
  const before = entriesOf(witness.portrait);
  const after = entriesOf(await ${PORTRAIT});
  witness.touched.length = 0;
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => name + ': ' + before.get(name) + ' is now ' + after.get(name));
})()`;
