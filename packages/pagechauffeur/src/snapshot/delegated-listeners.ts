import type { Session } from '../cdp/session.ts';
import type { BrowserNode, RemoteHandle, World } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** Names of the events whose handlers to look for. */
type EventNames = readonly string[];

const TEXT_EVENTS: EventNames = ['input', 'keyup'];
/** Input types that only the browser autofills. Page handlers on them only store the value. */
const BROWSER_FILLED_TYPES: readonly string[] = ['email', 'number', 'password', 'tel'];

/** The object group is released in the same burst that reads the elements. */
const GROUP = 'delegation';
/** Serializes only the backend node ids of a node list. */
const AS_NODES = {
  serialization: 'deep',
  maxDepth: 2,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
} as const;

/**
 * True if a framework with delegated events calls a handler for the text events of this field. `node` is the backend node id of the field.
 * Frameworks store such handlers on the element, so they are read in the main world. `throwOnSideEffect` aborts the read before it can run
 * page code with side effects, so the page does not notice.
 */
export async function hasDelegatedListener(session: Session, node: number, objectGroup: string): Promise<boolean> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node, objectGroup });
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: `function(...args) { return (${String(readDelegated)}).apply(this, args).length > 0 }`,
    arguments: [{ value: TEXT_EVENTS }, { value: BROWSER_FILLED_TYPES }],
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
  });
  return exceptionDetails === undefined && result.value === true;
}

/** Backend node ids of all elements in a document that receive these events through a framework's event delegation. */
export async function delegatedNodes(
  { session }: World,
  document: RemoteHandle,
  events: EventNames,
): Promise<readonly number[]> {
  const answer = session.send('Runtime.callFunctionOn', {
    objectId: document.objectId,
    functionDeclaration: readDelegated.toString(),
    arguments: [{ value: events }, { value: [] }],
    objectGroup: GROUP,
    serializationOptions: AS_NODES,
    throwOnSideEffect: true,
    silent: true,
  });
  session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(ignoreRejection);
  const { result, exceptionDetails } = await answer;
  if (exceptionDetails) return [];
  const nodes = (result.deepSerializedValue?.value ?? []) as readonly BrowserNode[];
  return nodes.flatMap(({ value }) => value?.backendNodeId ?? []);
}

/** The members of documents and elements that {@link readDelegated} uses. */
interface PageNode {
  readonly ownerDocument: PageNode | null;
  readonly parentNode: PageNode | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
}

/** Data that a framework stores under its own keys. */
type Kept = Readonly<Record<string | symbol, unknown>>;

/** jQuery's data for an element with listeners: handlers by event. A delegated handler from `on(event, selector)` has a selector. */
interface JQueryData {
  readonly events?: Readonly<Record<string, readonly { readonly selector?: string }[]>>;
}

interface PageGlobals {
  readonly jQuery?: { readonly cache?: Readonly<Record<number, JQueryData>> };
}

/**
 * Elements that receive these events through event delegation: all of a document, or the given field if it is one. Runs in the page, so it
 * cannot use anything from this module. It also avoids calls that Chromium treats as side effects, such as `matches` and `Reflect.get`.
 */
function readDelegated(this: PageNode, events: readonly string[], browserFilledTypes: readonly string[]): PageNode[] {
  const isFilledByBrowser = (field: PageNode): boolean => {
    const purpose = (field.getAttribute('autocomplete') ?? '').trim().toLowerCase();
    return browserFilledTypes.includes(field.getAttribute('type') ?? '') || !['', 'on', 'off'].includes(purpose);
  };
  const ownNames: Readonly<Record<string, string>> = { input: 'onchange', dblclick: 'ondoubleclick' };
  const reactNames = events.flatMap((event) => [`on${event}`, ownNames[event] ?? '']);
  /** Where each framework stores handlers on an element: the pattern of the property key, and a check for a handler in its value. */
  const keptAtElements: readonly (readonly [framework: string, key: RegExp, hasHandler: (kept: Kept) => boolean])[] = [
    [
      'React',
      /^__react(Props|EventHandlers)\$/,
      (props) => Object.keys(props).some((name) => reactNames.includes(name.toLowerCase()) && Boolean(props[name])),
    ],
    ['Solid', new RegExp(`^\\$\\$(${events.join('|')})$`), () => true],
    ['Svelte', /^Symbol\(events\)$/, (handlers) => events.some((event) => Boolean(handlers[event]))],
    ['Svelte 5', new RegExp(`^__(${events.join('|')})$`), () => true],
  ];
  const isKept = (element: PageNode): boolean =>
    Reflect.ownKeys(element).some((key) => {
      const reader = keptAtElements.find(([, pattern]) => pattern.test(String(key)));
      return reader?.[2]((element as unknown as Readonly<Record<string | symbol, Kept>>)[key] ?? {}) ?? false;
    });
  /** Selectors of `on(event, selector)`. jQuery stores them on the listening element; before version 2, in `jQuery.cache`. */
  const selectorsAt = (listening: PageNode): string[] =>
    Object.entries(listening).flatMap(([key, kept]: [string, JQueryData | number]) => {
      if (!/^jQuery\d+/.test(key)) return [];
      const data: JQueryData | undefined =
        typeof kept === 'number' ? (globalThis as PageGlobals).jQuery?.cache?.[kept] : kept;
      return events.flatMap((event) => (data?.events?.[event] ?? []).flatMap(({ selector }) => selector ?? []));
    });
  const handedOn = (listening: PageNode): PageNode[] =>
    selectorsAt(listening).flatMap((selector) => {
      try {
        return Array.from(listening.querySelectorAll(selector.replace(/(^|,)\s*(?=[>+~])/g, '$1:scope ')));
      } catch {
        // jQuery-only selectors, such as `li:visible`, match nothing here. Other selectors still count.
        return [];
      }
    });

  if (this.ownerDocument === null) {
    const elements = Array.from(this.querySelectorAll('*'));
    return [...elements.filter(isKept), ...handedOn(this), ...elements.flatMap(handedOn)];
  }
  if (isFilledByBrowser(this)) return [];
  if (isKept(this)) return [this];
  for (let node = this.parentNode; node; node = node.parentNode) if (handedOn(node).includes(this)) return [this];
  return [];
}
