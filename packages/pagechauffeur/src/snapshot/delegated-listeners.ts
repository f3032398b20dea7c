import type { Session } from '../cdp/session.ts';
import type { RemoteHandle, World } from '../cdp/world.ts';
import type { DelegatedElements } from '../injected/contract.ts';

/** Input types whose text handlers usually just store the value. They do not mean that the page has suggestions. */
const BROWSER_FILLED_TYPES: readonly string[] = ['email', 'number', 'password', 'tel'];

/** React's props for events. */
const REACT_PROPS: Readonly<Record<string, string>> = {
  click: 'onClick',
  mouseup: 'onMouseUp',
  pointerup: 'onPointerUp',
  dblclick: 'onDoubleClick',
  contextmenu: 'onContextMenu',
  mousedown: 'onMouseDown',
  pointerdown: 'onPointerDown',
  input: 'onInput',
  keyup: 'onKeyUp',
};

/** Events that tell whether a page may show suggestions for a text. */
const TEXT_EVENTS = wanted(['input', 'keyup'], ['onChange']);

/** The handlers to look for. */
interface WantedHandlers {
  readonly events: readonly string[];
  readonly reactProps: readonly string[];
}

function wanted(events: readonly string[], otherReactProps: readonly string[] = []): WantedHandlers {
  return { events, reactProps: [...events.flatMap((event) => REACT_PROPS[event] ?? []), ...otherReactProps] };
}

/**
 * True if a framework with event delegation calls a handler for text events of this field. `node` is a backend node ID.
 * The handlers are stored on the element, so this runs in the main world. `throwOnSideEffect` aborts before page code
 * with side effects can run, so the page does not notice.
 */
export async function hasDelegatedListener(session: Session, node: number, objectGroup: string): Promise<boolean> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node, objectGroup });
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: inPage(isDelegatedField),
    arguments: [{ value: TEXT_EVENTS }, { value: BROWSER_FILLED_TYPES }],
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
  });
  return exceptionDetails === undefined && result.value === true;
}

/** Returns the elements for which a framework with event delegation has handlers for these events. */
export async function delegatedElements(
  { session }: World,
  document: RemoteHandle,
  events: readonly string[],
): Promise<DelegatedElements> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    objectId: document.objectId,
    functionDeclaration: inPage(elementsInDocument),
    arguments: [{ value: wanted(events) }],
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
  });
  return exceptionDetails ? NO_DELEGATION : (result.value as DelegatedElements);
}

export const NO_DELEGATION: DelegatedElements = { elementCount: 0, indexes: [], isDelegating: false };

/** The part of the DOM that the page functions use, because Node has no DOM types. */
interface PageNode {
  readonly ownerDocument: PageNode | null;
  readonly parentNode: PageNode | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): ArrayLike<PageNode>;
}

/** Data that a framework stores under its own keys on an element. */
type Kept = Readonly<Record<string | symbol, unknown>>;

/** jQuery stores the handlers of each event with the element. Those from `on(event, selector)` have a selector. */
interface JQueryData {
  readonly events?: Readonly<Record<string, readonly { readonly selector?: string }[]>>;
}

interface PageGlobals {
  readonly __svelte?: unknown;
  readonly jQuery?: { readonly expando?: string; readonly cache?: Readonly<Record<number, JQueryData>> };
}

/** The node with index -1 is the root. */
interface Delegation {
  /** True for the index of a node that has a handler. */
  readonly hasHandler: Readonly<Record<number, boolean>>;
  /** Elements with jQuery handlers for the descendants that match `selectors`. */
  readonly containers: readonly { readonly index: number; readonly selectors: readonly string[] }[];
  /** True if a framework delegates events, even if no node has a handler yet. */
  readonly isDelegating: boolean;
}

/**
 * Returns the source of a function that runs in the page. It calls `task` with {@link InPage} and all of its own
 * arguments.
 */
function inPage(task: typeof isDelegatedField | typeof elementsInDocument): string {
  const names = `(${String(namesOn)})(root, nodes)`;
  const read = `(root, nodes, wanted) => (${String(delegationOf)})(root, nodes, { names: ${names}, wanted })`;
  return `function(...values) { return (${String(task)}).call(this, { read: ${read}, match: ${String(matchesIn)} }, ...values) }`;
}

/**
 * Functions that run in the page, so they cannot use anything from this module.
 *
 * During the side-effect check, V8 deoptimizes the callee of each call (`Runtime_DebugOnFunctionCall`), which takes 8
 * to 40 µs. So the loops over all nodes call no function, not even a built-in one. Nor do they contain one: a variable
 * that a function in the loop uses costs 1.5 µs per iteration. The check also rejects spread
 * objects and some built-in functions, such as `matches` and `Reflect.get`. `match` and `replace` are accepted, but
 * afterwards all code of the renderer that uses regular expressions is slower: snapshots took 1.3 times as long.
 */
interface InPage {
  readonly read: (root: PageNode, nodes: ArrayLike<PageNode>, wanted: WantedHandlers) => Delegation;
  readonly match: typeof matchesIn;
}

/**
 * Returns the names of properties on the nodes, each once, one per line. `for…in` lists an object's own names before
 * inherited ones. The first 40 nodes count, and a sample of the others.
 */
function namesOn(root: PageNode, nodes: ArrayLike<PageNode>): string {
  const { length } = nodes;
  const { jQuery } = globalThis as PageGlobals;
  const expando = jQuery?.expando;
  let names = typeof expando === 'string' ? `${expando}\n` : '';
  const isListed = { __proto__: null } as unknown as Record<string, boolean>;
  const list = (step: number): void => {
    for (let index = -1; index < length; index += index < 40 ? 1 : step) {
      let rest = index < 0 ? 200 : 12;
      for (const name in index < 0 ? root : nodes[index]) {
        if (!(name in isListed)) {
          isListed[name] = true;
          names += `${name}\n`;
        }
        rest -= 1;
        if (rest === 0) break;
      }
    }
  };
  list(Math.ceil(length / 60));
  // React marks the document if it has a listener anywhere in it.
  if (/^_reactListening/m.test(names) && !/^__react(?:Props|EventHandlers)\$/m.test(names)) list(1);
  return names;
}

/** Reads what the frameworks on a page store on its elements. `names` comes from {@link namesOn}. */
function delegationOf(
  root: PageNode,
  nodes: ArrayLike<PageNode>,
  { names, wanted: { events, reactProps } }: { readonly names: string; readonly wanted: WantedHandlers },
): Delegation {
  const { length } = nodes;
  const { __svelte: svelte, jQuery } = globalThis as PageGlobals;
  const namesLike = (pattern: RegExp): readonly string[] => {
    const found: string[] = [];
    for (let match = pattern.exec(names); match; match = pattern.exec(names)) found.push(match[0]);
    return found;
  };

  const hasHandler: Record<number, boolean> = {};
  /** Marks the nodes with one of these properties in the object under `key`; without properties, all with `key`. */
  const markBy = (key: string | symbol, properties?: readonly string[]): void => {
    for (let index = -1; index < length; index += 1) {
      const node = (index < 0 ? root : nodes[index]) as unknown as Kept;
      if (!(key in node)) continue;
      if (!properties) hasHandler[index] = true;
      const kept = properties && (node[key] as Kept | undefined);
      if (!kept) continue;
      for (let at = 0; at < properties.length; at += 1) if (kept[properties[at] ?? '']) hasHandler[index] = true;
    }
  };
  const reactKeys = namesLike(/^__react(?:Props|EventHandlers)\$.*/gm);
  for (let at = 0; at < reactKeys.length; at += 1) markBy(reactKeys[at] ?? '', reactProps);

  // Solid and Svelte 5 store each handler under a name of its own. Solid sets a property on the document.
  const isSolid = names.includes('_$DX_DELEGATE\n');
  for (let at = 0; at < events.length; at += 1) {
    const solidKey = `$$${events[at]}`;
    const svelteKey = `__${events[at]}`;
    if (isSolid || names.includes(`${solidKey}\n`)) markBy(solidKey);
    if (svelte !== undefined || names.includes(`${svelteKey}\n`)) markBy(svelteKey);
  }

  // Later versions of Svelte 5 store all handlers of an element under a symbol. Builds can leave out `__svelte`.
  const step = Math.ceil(length / (svelte === undefined ? 40 : 1000)) || 1;
  for (let index = -1; index < length; index += step) {
    const symbols = Object.getOwnPropertySymbols(index < 0 ? root : nodes[index]);
    for (let at = 0; at < symbols.length; at += 1) {
      const symbol = symbols[at];
      // Chromium treats the getter `description` as a side effect.
      if (symbol === undefined || String(symbol) !== 'Symbol(events)') continue;
      markBy(symbol, events);
      index = length;
    }
  }

  // jQuery stores selectors on the element with the listener; before version 2, in `jQuery.cache`.
  const containers: { index: number; selectors: string[] }[] = [];
  for (const key of namesLike(/^jQuery\d.*/gm)) {
    const holders: { readonly index: number; readonly kept: unknown }[] = [];
    for (let index = -1; index < length; index += 1) {
      const node = (index < 0 ? root : nodes[index]) as unknown as Kept;
      if (key in node) holders[holders.length] = { index, kept: node[key] };
    }
    for (const { index, kept } of holders as readonly { index: number; kept?: JQueryData | number }[]) {
      const handlers = (typeof kept === 'number' ? jQuery?.cache?.[kept] : kept)?.events;
      if (!handlers) continue;
      const selectors = events.flatMap((event) => (handlers[event] ?? []).flatMap(({ selector }) => selector || []));
      if (selectors.length > 0) containers.push({ index, selectors });
    }
  }
  const isDelegating = reactKeys.length > 0 || isSolid || svelte !== undefined || containers.length > 0;
  return { hasHandler, containers, isDelegating };
}

/**
 * Returns the descendants of `container` that match one of the selectors, in document order. Runs in the page. `:is()`
 * drops selectors that only jQuery supports, such as `li:visible`.
 */
function matchesIn(container: PageNode | undefined, selectors: readonly string[]): ArrayLike<PageNode> {
  const parts = selectors.join(',').split(',');
  const list = parts.map((part) => ('>+~'.includes(part.trim()[0] ?? ' ') ? `:scope ${part}` : part));
  try {
    return container?.querySelectorAll(`:is(${list.join(',')})`) ?? [];
  } catch {
    return [];
  }
}

function isDelegatedField(
  this: PageNode,
  { read, match }: InPage,
  textEvents: WantedHandlers,
  browserFilledTypes: readonly string[] = [],
): boolean {
  const purpose = (this.getAttribute('autocomplete') ?? '').trim().toLowerCase();
  if (browserFilledTypes.includes(this.getAttribute('type') ?? '') || !['', 'on', 'off'].includes(purpose))
    return false;
  const ancestors: PageNode[] = [];
  for (let node = this.parentNode; node; node = node.parentNode) ancestors.push(node);
  const { hasHandler, containers } = read(this, ancestors, textEvents);
  if (hasHandler[-1]) return true;
  return containers.some(({ index, selectors }) => {
    const matches = match(ancestors[index], selectors);
    for (let at = 0; at < matches.length; at += 1) if (matches[at] === this) return true;
    return false;
  });
}

/** Returns the elements with handlers of a framework. */
function elementsInDocument(this: PageNode, { read, match }: InPage, pointerEvents: WantedHandlers): DelegatedElements {
  const elements = this.querySelectorAll('*');
  const { length } = elements;
  const { hasHandler, containers, isDelegating } = read(this, elements, pointerEvents);
  const isTarget: Record<number, boolean> = {};
  for (const { index: start, selectors } of containers) {
    const matches = match(start < 0 ? this : elements[start], selectors);
    const count = matches.length;
    // Both lists are in document order.
    for (let index = start + 1, at = 0; at < count && index < length; index += 1)
      if (elements[index] === matches[at]) {
        isTarget[index] = true;
        at += 1;
      }
  }
  const indexes: number[] = [];
  for (let index = 0; index < length; index += 1)
    if (hasHandler[index] || isTarget[index]) indexes[indexes.length] = index;
  return { elementCount: length, indexes, isDelegating: isDelegating || indexes.length > 0 };
}
