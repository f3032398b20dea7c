import { ariaRoles } from './aria/role-names.ts';
import { flatChildren } from './flat-tree.ts';
import { attributeOf, localNameOf } from './native.ts';
import { roleOf } from './role.ts';
import { isNotRendered } from './visibility.ts';

const namedByContent: ReadonlySet<string> = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader ' +
    'switch tab tooltip treeitem'
  ).split(' '),
);

/** The accessible name of an element, white space folded; `''` when it has none. */
export function nameOf(element: Element): string {
  return fold(ownName(element, roleOf(element), new Set()));
}

function ownName(element: Element, role: string, visited: Set<Element>): string {
  visited.add(element);
  const labelled = referencedText(element, 'aria-labelledby', visited);
  if (labelled) return labelled;
  const label = attributeOf(element, 'aria-label')?.trim();
  if (label) return label;
  const native = nativeName(element, visited);
  if (native) return native;
  if (namedByContent.has(role) && ariaRoles.has(role)) {
    const content = contentText(element, visited);
    if (content.trim()) return content;
  }
  return attributeOf(element, 'title') ?? attributeOf(element, 'placeholder') ?? '';
}

function referencedText(element: Element, attribute: string, visited: Set<Element>): string {
  const ids = attributeOf(element, attribute)?.trim();
  if (!ids) return '';
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return '';
  return ids.split(/\s+/).map((id) => root.getElementById(id)).filter((found) => found !== null).map((found) => textOf(found, visited)).join(' ');
}

function nativeName(element: Element, visited: Set<Element>): string {
  if (element instanceof HTMLInputElement && ['button', 'submit', 'reset'].includes(element.type)) {
    return element.value || { submit: 'Submit', reset: 'Reset' }[element.type] || '';
  }
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement || element instanceof HTMLButtonElement) {
    return Array.from(element.labels ?? [], (label) => textOf(label, visited)).join(' ');
  }
  const firstChild = { fieldset: 'legend', table: 'caption', figure: 'figcaption' }[localNameOf(element)];
  if (firstChild) {
    const caption = element.querySelector(`:scope > ${firstChild}`);
    return caption ? textOf(caption, visited) : '';
  }
  return attributeOf(element, 'alt') ?? '';
}

function textOf(element: Element, visited: Set<Element>): string {
  if (visited.has(element)) return '';
  visited.add(element);
  const label = attributeOf(element, 'aria-label')?.trim();
  return label || nativeName(element, visited) || contentText(element, visited);
}

function contentText(element: Element, visited: Set<Element>): string {
  let text = '';
  for (const child of flatChildren(element)) {
    if (child instanceof Text) text += child.data;
    else if (child instanceof Element && !isNotRendered(child)) {
      const inner = textOf(child, visited);
      text += getComputedStyle(child).display.startsWith('inline') ? inner : ` ${inner} `;
    }
  }
  return text;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
