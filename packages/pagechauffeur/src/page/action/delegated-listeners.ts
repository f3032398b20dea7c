import type { Session } from '../../cdp/session.ts';

/**
 * Whether a framework that listens further up hands the text events of a field to a handler of it. `node` is the field's backend
 * node id. Frameworks keep such handlers at elements, where they are read in the page's own world; the browser breaks off a
 * reading that would run code with side effects, so the page does not notice.
 */
export async function hasDelegatedListener(session: Session, node: number, objectGroup: string): Promise<boolean> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node, objectGroup });
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: readDelegated.toString(),
    arguments: [{ value: BROWSER_FILLED_TYPES }],
    returnByValue: true,
    throwOnSideEffect: true,
    silent: true,
  });
  return exceptionDetails === undefined && result.value === true;
}

/** Types of fields that only the browser completes. Pages have handlers of them to keep the value. */
const BROWSER_FILLED_TYPES: readonly string[] = ['email', 'number', 'password', 'tel'];

/** The part of an element that is read. */
interface PageElement {
  readonly parentNode: PageElement | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
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

/** Runs in the page, so it uses nothing from here, and nothing that Chromium takes for a side effect, such as `matches` and `Reflect.get`. */
function readDelegated(this: PageElement, browserFilledTypes: readonly string[]): boolean {
  const isFilledByBrowser = (field: PageElement): boolean => {
    const purpose = (field.getAttribute('autocomplete') ?? '').trim().toLowerCase();
    return browserFilledTypes.includes(field.getAttribute('type') ?? '') || !['', 'on', 'off'].includes(purpose);
  };
  /** How frameworks keep a field's handlers at the field: the key of the property, and where a handler stands in its value. */
  const keptAtFields: readonly (readonly [framework: string, key: RegExp, hasHandler: (kept: Kept) => boolean])[] = [
    ['React', /^__react(Props|EventHandlers)\$/, (props) => Boolean(props.onChange ?? props.onInput ?? props.onKeyUp)],
    ['Solid', /^\$\$(input|keyup)$/, () => true],
    ['Svelte', /^Symbol\(events\)$/, (handlers) => Boolean(handlers.input ?? handlers.keyup)],
  ];
  /** jQuery keeps what `on(event, selector)` was given at the element that listens; before version 2 in a table of its own. */
  const isDelegated = (field: PageElement, listening: PageElement, kept: number | JQueryData): boolean => {
    const data = typeof kept === 'number' ? (globalThis as PageGlobals).jQuery?.cache?.[kept] : kept;
    const handlers = [...(data?.events?.input ?? []), ...(data?.events?.keyup ?? [])];
    return handlers.some(
      ({ selector }) => selector !== undefined && Array.from(listening.querySelectorAll(selector)).includes(field),
    );
  };

  if (isFilledByBrowser(this)) return false;
  const field = this as unknown as Readonly<Record<string | symbol, Kept>>;
  for (const key of Reflect.ownKeys(this)) {
    const reader = keptAtFields.find(([, pattern]) => pattern.test(String(key)));
    if (reader?.[2](field[key] ?? {})) return true;
  }
  for (let node = this.parentNode; node; node = node.parentNode)
    for (const [key, kept] of Object.entries(node))
      if (/^jQuery\d+/.test(key) && isDelegated(this, node, kept as JQueryData)) return true;
  return false;
}
