/** `false` and `undefined` omit an attribute. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Strings become text nodes: data from pages and logs is never parsed as HTML. */
type Child = Node | string | undefined;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (typeof value === 'string') made.setAttribute(name, value);
  }
  fill(made, ...children);
  return made;
}

/** Replaces the children of an element. Skips `undefined` and empty strings. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== ''));
}

export function button(
  label: string,
  onClick: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Returns an element from `index.html`. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new TypeError(`no element ${id}`);
  return found;
}
