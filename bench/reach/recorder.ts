// Runs in the page, as a script without imports: see `trials.ts`.
import type { Box, ReachRecorder, Spot } from './recorder-types.ts';

const GRID = 14;
/** Some widgets draw a part much later than the rest, such as the fold icons of Monaco. */
const QUIET_MS = 500;
const LONGEST_DRAWING_MS = 2500;
/** On a busy machine, an editor can render a reaction late. */
const QUIET_AFTER_MS = 120;
const LONGEST_REACTION_MS = 1200;
// The page's own timers that are due earlier run first.
const pause = (time: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, time);
  return promise;
};
const parentOf = (node: Node): Node | null => (node instanceof ShadowRoot ? node.host : node.parentNode);
const deepElementAt = (x: number, y: number): Element | null => {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner = found.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
};
/** Nodes that were added since the recording began, without their descendants. */
const added = new WeakSet<Node>();
// A menu and a tooltip may be added in any order, so added elements do not count as siblings.
const pathOf = (start: Node): string => {
  const steps: string[] = [];
  for (let node: Node | null = start; node; node = parentOf(node)) {
    if (!(node instanceof Element)) continue;
    const { localName: tag, parentNode } = node;
    const siblings = [...(parentNode?.children ?? [])].filter(
      (sibling) => sibling.localName === tag && !added.has(sibling),
    );
    const index = added.has(node) ? '+' : siblings.length > 1 ? siblings.indexOf(node) + 1 : '';
    steps.unshift(`${tag}${index}`);
  }
  return steps.join('/');
};
const spotByElement = new Map<Element, Spot | null>();
const ownPoint = (element: Element): Spot | null => {
  const known = spotByElement.get(element);
  if (known !== undefined) return known;
  const spot = findOwnPoint(element);
  spotByElement.set(element, spot);
  return spot;
};
const range = (length: number): number[] => Array.from({ length: GRID }, (_, index) => ((index + 0.5) / GRID) * length);
const findOwnPoint = (element: Element): Spot | null => {
  const box = element.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, innerWidth), Math.min(box.bottom, innerHeight)];
  if (right - left < 2 || bottom - top < 2) return null;
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) {
      const x = left + ((column + 0.5) / GRID) * (right - left);
      const y = top + ((row + 0.5) / GRID) * (bottom - top);
      if (deepElementAt(x, y) === element) return { path: pathOf(element), x, y };
    }
  return null;
};
const labelledControl = (element: Element): Box | null => {
  const label = element.closest('label');
  if (!label?.control) return null;
  const { x, y, width, height } = label.control.getBoundingClientRect();
  return { x, y, width, height };
};
const everyElement = (root: ParentNode): Element[] =>
  [...root.querySelectorAll('*')].flatMap((element) => [
    element,
    ...(element.shadowRoot ? everyElement(element.shadowRoot) : []),
  ]);
const everyRoot = (): (Document | ShadowRoot)[] => [
  document,
  ...everyElement(document).flatMap(({ shadowRoot }) => shadowRoot ?? []),
];

const changes = new Set<string>();
const words = (text: string | null): string[] => (text ?? '').replace(/\d+/g, '#').split(/\s+/).filter(Boolean);
const note = (record: MutationRecord): void => {
  const path = pathOf(record.target);
  if (record.type === 'characterData') changes.add(`${path} text`);
  else if (record.type === 'attributes') {
    const name = record.attributeName ?? '';
    const now = name === 'class' ? words((record.target as Element).getAttribute(name)) : [];
    const before = words(record.oldValue);
    const differing = [
      ...now.filter((word) => !before.includes(word)),
      ...before.filter((word) => !now.includes(word)),
    ];
    if (name === 'class') for (const word of differing) changes.add(`${path} class ${word}`);
    else if ((record.target as Element).getAttribute(name) !== record.oldValue) changes.add(`${path} ${name}`);
  } else {
    for (const node of record.addedNodes) changes.add(`${path} +${node.nodeName}`);
    for (const node of record.removedNodes) changes.add(`${path} -${node.nodeName}`);
  }
};
let lastChange = 0;
const noteAll = (records: readonly MutationRecord[]): void => {
  lastChange = performance.now();
  for (const { addedNodes } of records) for (const node of addedNodes) added.add(node);
  records.forEach(note);
};
const observer = new MutationObserver(noteAll);
// A click in a dialog or player focuses its container. That is no reaction of the clicked element.
const focusPath = (): string => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  const isContainer = focused?.getAttribute('tabindex') === '-1' && focused.childElementCount > 0;
  return pathOf(focused && !isContainer ? focused : document.body);
};
const facts = (): Map<string, string> => {
  const found = new Map([
    ['focus', focusPath()],
    ['address', location.href],
  ]);
  for (const element of everyElement(document)) {
    if (element instanceof HTMLInputElement)
      found.set(`${pathOf(element)} state`, `${element.value} ${element.checked}`);
    if (element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement)
      found.set(`${pathOf(element)} state`, element.value);
    if (element instanceof HTMLCanvasElement) found.set(`${pathOf(element)} drawing`, element.toDataURL());
    if (element instanceof HTMLMediaElement) found.set(`${pathOf(element)} playing`, String(element.paused));
    if (element.scrollTop !== 0 || element.scrollLeft !== 0)
      found.set(`${pathOf(element)} scrolled`, `${element.scrollLeft} ${element.scrollTop}`);
  }
  return found;
};
let before = facts();
const recorder: ReachRecorder = {
  leaves: () =>
    everyElement(document.body).flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (
        width < 3 ||
        height < 3 ||
        x < 0 ||
        y < 0 ||
        x >= innerWidth ||
        y >= innerHeight ||
        deepElementAt(x, y) !== element
      )
        return [];
      const around: Spot[] = [];
      for (let node = parentOf(element); node; node = parentOf(node)) {
        const spot = node instanceof Element ? ownPoint(node) : null;
        if (spot) around.push(spot);
      }
      const kind = `${element.localName}.${words(element.getAttribute('class')).join('.')}`;
      return [{ kind, path: pathOf(element), x, y, around, control: labelledControl(element) }];
    }),
  background: () => {
    // Often only the margin of the body is free of other elements.
    const across = [1, ...range(innerWidth), innerWidth - 2];
    const down = [innerHeight - 2, ...range(innerHeight), 1];
    for (const y of down)
      for (const x of across) {
        const element = deepElementAt(x, y);
        if (element === document.body || element === document.documentElement) return { path: pathOf(element), x, y };
      }
    return null;
  },
  spotAt: (x, y) => {
    const element = deepElementAt(x, y);
    return element && { path: pathOf(element), x, y };
  },
  drawn: async () => {
    let last = performance.now();
    const began = last;
    const watch = new MutationObserver(() => {
      last = performance.now();
    });
    watch.observe(document, { subtree: true, childList: true, attributes: true });
    while (performance.now() - last < QUIET_MS && performance.now() - began < LONGEST_DRAWING_MS) await pause(30);
    watch.disconnect();
  },
  start: async (time) => {
    await pause(time);
    changes.clear();
    before = facts();
    for (const root of everyRoot())
      observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeOldValue: true,
        characterData: true,
      });
  },
  stop: async (time) => {
    const began = performance.now();
    await pause(time);
    while (performance.now() - lastChange < QUIET_AFTER_MS && performance.now() - began < LONGEST_REACTION_MS)
      await pause(30);
    noteAll(observer.takeRecords());
    observer.disconnect();
    const after = facts();
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      if (before.get(key) === after.get(key)) continue;
      changes.add(key === 'focus' ? `focus ${after.get(key)}` : key);
    }
    return [...changes].toSorted();
  },
};
Object.assign(globalThis, { reachRecorder: recorder });
