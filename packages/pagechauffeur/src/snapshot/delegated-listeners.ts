import type { Session } from '../cdp/session.ts';
import type { BrowserNode, RemoteHandle, World } from '../cdp/world.ts';
import { ignoreRejection } from '../util/deferred.ts';

/** Which handlers to look for, by the names of their events. */
type EventNames = readonly string[];

const TEXT_EVENTS: EventNames = ['input', 'keyup'];
/** Types of fields that only the browser completes. Pages have handlers of them to keep the value. */
const BROWSER_FILLED_TYPES: readonly string[] = ['email', 'number', 'password', 'tel'];

/** Elements are released in the same burst that reads them. */
const GROUP = 'delegation';
/** Of a list of nodes no more than their ids. */
const AS_NODES = {
  serialization: 'deep',
  maxDepth: 2,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
} as const;

/**
 * Whether a framework that listens further up hands the text events of a field to a handler of it. `node` is the field's backend
 * node id. Frameworks keep such handlers at elements, where they are read in the page's own world; the browser breaks off a
 * reading that would run code with side effects, so the page does not notice.
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

/** The backend node ids of all elements of a document to which a framework hands these events. */
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

/** The part of a document or an element that is read. */
interface PageNode {
  readonly ownerDocument: PageNode | null;
  readonly parentNode: PageNode | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageNode>;
}

/** What a framework keeps, by names of its own. */
type Kept = Readonly<Record<string | symbol, unknown>>;

/** What jQuery keeps of an element that listens: its handlers by event, those of `on(event, selector)` with the selector. */
interface JQueryData {
  readonly events?: Readonly<Record<string, readonly { readonly selector?: string }[]>>;
}

interface PageGlobals {
  readonly jQuery?: { readonly cache?: Readonly<Record<number, JQueryData>> };
}

/**
 * The elements to which a framework hands events: of a document all, of a field the field itself or none. Runs in the page, so it
 * uses nothing from here, and nothing that Chromium takes for a side effect, such as `matches` and `Reflect.get`.
 */
function readDelegated(this: PageNode, events: readonly string[], browserFilledTypes: readonly string[]): PageNode[] {
  const isFilledByBrowser = (field: PageNode): boolean => {
    const purpose = (field.getAttribute('autocomplete') ?? '').trim().toLowerCase();
    return browserFilledTypes.includes(field.getAttribute('type') ?? '') || !['', 'on', 'off'].includes(purpose);
  };
  const ownNames: Readonly<Record<string, string>> = { input: 'onchange', dblclick: 'ondoubleclick' };
  const reactNames = events.flatMap((event) => [`on${event}`, ownNames[event] ?? '']);
  /** How frameworks keep an element's handlers at the element: the key of the property, and where handlers stand in its value. */
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
  /** jQuery keeps what `on(event, selector)` was given at the element that listens; before version 2 in a table of its own. */
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
        // One that only jQuery understands, such as `li:visible`, leaves out its own elements and no others.
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
