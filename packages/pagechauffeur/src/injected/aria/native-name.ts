import { attributeOf, firstChildOf, hasAttribute, localNameOf, nextSiblingOf, textContentOf } from '../native.ts';
import { labelsOf } from './references.ts';

export type TextOf = (element: Element) => string;

const labelableTags: ReadonlySet<string> = new Set([
  'button',
  'input',
  'meter',
  'output',
  'progress',
  'select',
  'textarea',
]);
const captionByTag: Readonly<Record<string, string>> = { fieldset: 'legend', table: 'caption' };

/**
 * Returns the name from markup such as `label`, `alt`, `legend` or `caption`. `null` if there is none, `''` if the
 * author left it empty.
 */
export function nativeNameOf(element: Element, textOf: TextOf): string | null {
  const tag = localNameOf(element);
  if (labelableTags.has(tag)) {
    const labels = labelsOf(element);
    if (labels.length > 0) return labels.map(textOf).join(' ');
  }
  return nameByTag(element, tag, textOf);
}

/** Like `nativeNameOf`, but ignores labels. For an element inside another element's name. */
export function nameByTag(element: Element, tag: string, textOf: TextOf): string | null {
  if (tag === 'input') return element instanceof HTMLInputElement ? inputName(element) : null;
  if (tag === 'img' || tag === 'area') return attributeOf(element, 'alt');
  if (tag === 'optgroup' || tag === 'option') return attributeOf(element, 'label') || null;
  if (element instanceof SVGElement) return titleOf(element);
  const captionTag = captionByTag[tag];
  const caption = captionTag === undefined ? null : childByTag(element, captionTag);
  if (caption) return textOf(caption);
  return tag === 'table' ? attributeOf(element, 'summary') || null : null;
}

/** Returns the name that browsers give an unnamed image button. */
export function lastResortName(element: Element): string {
  if (!(element instanceof HTMLInputElement)) return '';
  return element.type === 'image' ? 'Submit' : '';
}

function inputName(input: HTMLInputElement): string | null {
  switch (input.type) {
    case 'submit':
      return buttonText(input, 'Submit');
    case 'reset':
      return buttonText(input, 'Reset');
    case 'button':
      return input.value || null;
    case 'image':
      return attributeOf(input, 'alt') || input.value || null;
    case 'file':
      return input.multiple ? 'Choose Files' : 'Choose File';
    default:
      return null;
  }
}

// With `value=""` the button is empty; without the attribute, browsers show a default text.
function buttonText(input: HTMLInputElement, text: string): string | null {
  return hasAttribute(input, 'value') ? input.value || null : text;
}

function titleOf(graphic: Element): string | null {
  const title = childByTag(graphic, 'title');
  return title ? textContentOf(title) : null;
}

function childByTag(element: Element, tag: string): Element | null {
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
    if (node instanceof Element && localNameOf(node) === tag) return node;
  }
  return null;
}
