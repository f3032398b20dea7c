import type { Session } from '../cdp/session.ts';
import type { RemoteHandle, World } from '../cdp/world.ts';
import type { DelegatedElements } from '../injected/contract.ts';

type EventNames = readonly string[];

const TEXT_EVENTS: EventNames = ['input', 'keyup'];
/** Input types whose text handlers usually just store the value. They do not mean that the page has suggestions. */
const BROWSER_FILLED_TYPES: readonly string[] = ['email', 'number', 'password', 'tel'];

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
  events: EventNames,
): Promise<DelegatedElements> {
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    objectId: document.objectId,
    functionDeclaration: inPage(elementsInDocument),
    arguments: [{ value: events }],
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
  });
  return exceptionDetails ? { elementCount: 0, indexes: [] } : (result.value as DelegatedElements);
}

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

type Key = string | symbol;
/** Returns the elements that the handlers under `key` of an element apply to. */
type Targets = (element: PageNode, key: Key) => readonly PageNode[];

/** Reads what the frameworks on a page store on its elements. */
interface Delegation {
  readonly inUse: ReadonlyMap<Key, Targets>;
  /** Remembers the key if a framework stores handlers under it. */
  readonly learn: (key: Key) => void;
  readonly targetsAt: (node: PageNode) => readonly PageNode[];
}

/**
 * Returns the source of a function that runs in the page. It passes `events` to {@link delegationOf}, and then the
 * result, `events` and all other arguments to `read`.
 */
function inPage(read: typeof isDelegatedField | typeof elementsInDocument): string {
  return `function(events, ...rest) { return (${String(read)}).call(this, (${String(delegationOf)})(events), events, ...rest) }`;
}

/**
 * Runs in the page, like the functions below. So it cannot use anything from this module, and must avoid calls that
 * Chromium treats as side effects, such as `matches` and `Reflect.get`.
 */
function delegationOf(events: readonly string[]): Delegation {
  const valueAt = (node: PageNode, key: Key): unknown => (node as unknown as Kept)[key];
  const ownNames: Readonly<Record<string, string>> = { input: 'onchange', dblclick: 'ondoubleclick' };
  const reactNames = events.flatMap((event) => [`on${event}`, ownNames[event] ?? '']);
  const itself =
    (hasHandler: (kept: Kept) => boolean): Targets =>
    (element, key) =>
      hasHandler((valueAt(element, key) ?? {}) as Kept) ? [element] : [];
  /**
   * Elements for `on(event, selector)`. jQuery stores the selectors on the element with the listener; before version 2,
   * in `jQuery.cache`.
   */
  const selected: Targets = (element, key) => {
    const kept = valueAt(element, key) as JQueryData | number | undefined;
    const data = typeof kept === 'number' ? (globalThis as PageGlobals).jQuery?.cache?.[kept] : kept;
    const handlers = events.flatMap((event) => data?.events?.[event] ?? []);
    return handlers.flatMap(({ selector }) => {
      if (!selector) return [];
      try {
        return Array.from(element.querySelectorAll(selector.replace(/(^|,)\s*(?=[>+~])/g, '$1:scope ')));
      } catch {
        // Selectors that only jQuery supports, such as `li:visible`, match nothing here. All others still count.
        return [];
      }
    });
  };
  const readers: readonly (readonly [framework: string, key: RegExp, targets: Targets])[] = [
    [
      'React',
      /^__react(Props|EventHandlers)\$/,
      itself((props) => Object.keys(props).some((name) => reactNames.includes(name.toLowerCase()) && props[name])),
    ],
    ['Solid', new RegExp(`^\\$\\$(${events.join('|')})$`), itself(() => true)],
    ['Svelte', /^Symbol\(events\)$/, itself((handlers) => events.some((event) => Boolean(handlers[event])))],
    ['Svelte 5', new RegExp(`^__(${events.join('|')})$`), itself(() => true)],
    ['jQuery', /^jQuery\d+/, selected],
  ];
  const inUse = new Map<Key, Targets>();
  return {
    inUse,
    learn: (key) => {
      const reader = readers.find(([, pattern]) => pattern.test(String(key)));
      if (reader) inUse.set(key, reader[2]);
    },
    targetsAt: (node) => Array.from(inUse).flatMap(([key, targets]) => (key in node ? targets(node, key) : [])),
  };
}

function isDelegatedField(
  this: PageNode,
  { learn, targetsAt }: Delegation,
  _events: readonly string[],
  browserFilledTypes: readonly string[] = [],
): boolean {
  const purpose = (this.getAttribute('autocomplete') ?? '').trim().toLowerCase();
  if (browserFilledTypes.includes(this.getAttribute('type') ?? '') || !['', 'on', 'off'].includes(purpose))
    return false;
  const hands = (node: PageNode): boolean => {
    for (const key of Reflect.ownKeys(node)) learn(key);
    return targetsAt(node).includes(this);
  };
  if (hands(this)) return true;
  for (let node = this.parentNode; node; node = node.parentNode) if (hands(node)) return true;
  return false;
}

/**
 * Returns the elements with handlers of a framework. During the side-effect check, each call takes about 1.5 µs, so
 * reading the keys of all elements would be too slow. Reads a sample to find the keys in use, then tests all elements
 * for these keys with `in`.
 */
function elementsInDocument(
  this: PageNode,
  { inUse, learn, targetsAt }: Delegation,
  events: readonly string[],
): DelegatedElements {
  const elements = this.querySelectorAll('*');
  const { length } = elements;
  const ownKeys = Reflect.ownKeys(this);
  const { __svelte: svelte, jQuery } = globalThis as PageGlobals;
  for (const event of events) {
    // Solid sets this property on the document, and Svelte 5 sets `__svelte` on the window.
    if (ownKeys.includes('_$DX_DELEGATE')) learn(`$$${event}`);
    if (svelte !== undefined) learn(`__${event}`);
  }
  if (jQuery?.expando !== undefined) learn(jQuery.expando);
  const sample = (every: number): void => {
    for (let index = 0; index < length; index += index < 200 ? 1 : every) {
      const keys = Reflect.ownKeys(elements[index] ?? {});
      // An iterator would be slow, because Chromium checks each of its steps.
      for (let at = 0; at < keys.length; at += 1) {
        const key = keys[at];
        if (key !== undefined && !inUse.has(key)) learn(key);
      }
    }
  };
  for (const key of ownKeys) learn(key);
  sample(Math.ceil(length / 200));
  // React marks the document if it has a listener anywhere in it.
  const hasReact = ownKeys.some((key) => String(key).startsWith('_reactListening'));
  if (hasReact && !Array.from(inUse.keys()).some((key) => String(key).startsWith('__react'))) sample(1);

  const delegated = new Set<PageNode | undefined>(targetsAt(this));
  for (const [key, targets] of inUse)
    for (let index = 0; index < length; index += 1) {
      const element = elements[index];
      if (element && key in element) for (const target of targets(element, key)) delegated.add(target);
    }
  const indexes: number[] = [];
  for (let index = 0; index < length && delegated.size > 0; index += 1)
    if (delegated.has(elements[index])) indexes.push(index);
  return { elementCount: length, indexes };
}
