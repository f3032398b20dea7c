import type { ShownField } from './view-wire.ts';

/** The DOM members used below. The server is compiled without DOM types. */
interface Control {
  readonly localName: string;
  readonly type: string;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly multiple: boolean;
  readonly size: number;
  readonly min: string;
  readonly max: string;
  readonly step: string;
  readonly labels: ArrayLike<{ readonly textContent: string }> | null;
  readonly options: ArrayLike<{
    readonly label: string;
    readonly disabled: boolean;
    readonly parentNode: { readonly disabled?: boolean };
  }>;
  readonly shadowRoot: Place | null;
  readonly contentDocument?: Place | null;
  value: string;
  selectedIndex: number;
  getBoundingClientRect(): { readonly left: number; readonly top: number };
  focus(): void;
  dispatchEvent(event: unknown): void;
}

interface Place {
  elementFromPoint(x: number, y: number): Control | null;
}

// Each function below runs in an isolated world by its source text, so it must not use imports or other functions.

/**
 * Returns the control at a point if Chromium shows its choices in a popup outside the page: a dropdown, or a date, time
 * or color input.
 */
export function fieldAt(x: number, y: number): Control | null {
  const { document } = globalThis as unknown as { readonly document: Place };
  let [place, left, top]: [Place | null, number, number] = [document, 0, 0];
  let found: Control | null = null;
  for (;;) {
    const element: Control | null = place.elementFromPoint(x - left, y - top);
    if (!element || element === found) break;
    found = element;
    const { contentDocument, shadowRoot }: Pick<Control, 'contentDocument' | 'shadowRoot'> = element;
    if (contentDocument) {
      const box = element.getBoundingClientRect();
      [left, top] = [left + box.left, top + box.top];
    }
    place = contentDocument ?? shadowRoot;
    if (!place) break;
  }
  if (!found || found.disabled || found.readOnly) return null;
  if (found.localName === 'select') return found.multiple || found.size > 1 ? null : found;
  const kinds = ['date', 'time', 'datetime-local', 'month', 'week', 'color'];
  return found.localName === 'input' && kinds.includes(found.type) ? found : null;
}

/** Reads the label, value and choices of a control from `fieldAt`. */
export function readField(control: Control): ShownField {
  const label = (control.labels?.[0]?.textContent ?? '').trim().slice(0, 200);
  if (control.localName !== 'select') {
    const { type, value, min, max, step } = control;
    return { kind: type as Exclude<ShownField['kind'], 'select'>, label, value, min, max, step };
  }
  const options = Array.from(control.options, ({ label: text, disabled, parentNode }) => ({
    text: text.slice(0, 200),
    isDisabled: disabled || parentNode.disabled === true,
  }));
  return { kind: 'select', label, value: String(control.selectedIndex), options: options.slice(0, 1000) };
}

/** Sets a value and dispatches `input` and `change`, as a choice in Chromium's popup does. */
export function setField(control: Control, value: string): void {
  const { Event } = globalThis as unknown as { readonly Event: new (type: string, options: object) => unknown };
  control.focus();
  if (control.localName === 'select') control.selectedIndex = Number(value);
  else control.value = value;
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
