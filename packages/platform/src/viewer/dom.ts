/** Attributes and non-string properties of an element. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Content of an element. Strings become text nodes: data from pages and logs is never parsed as HTML. */
type Child = Node | string | undefined;

/** Creates an element. Attributes that are `false` or undefined are left out. */
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

/** Replaces the children of an element. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== ''));
}

/** Creates a button. */
export function button(
  label: string,
  onClick: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Returns an element of the page's static HTML. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new TypeError(`no element ${id}`);
  return found;
}
