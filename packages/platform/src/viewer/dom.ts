/** What an element is made with: attributes, and properties that are no strings. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** What stands in an element. Texts are shown as they are: nothing that comes from a page or a log is ever read as HTML. */
type Child = Node | string | undefined;

/** An element with what belongs in it; attributes that are `false` or undefined are left out. */
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

/** Puts children in place of those that an element had. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== ''));
}

/** A button that does something. */
export function button(
  label: string,
  onClick: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** An element of the page's own HTML. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new TypeError(`no element ${id}`);
  return found;
}
