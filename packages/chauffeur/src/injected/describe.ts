import type { ElementDescription } from './contract.ts';
import { duringReading } from './memo.ts';
import { nameOf } from './name.ts';
import { attributeOf, localNameOf } from './native.ts';
import { refOf } from './refs.ts';
import { roleOf } from './role.ts';
import { xpathOf } from './xpath.ts';

/** Classes that a tag shows at most; more say nothing to a reader. */
const SHOWN_CLASSES = 3;

/** What is known about an element. */
export function describeElement(element: Element): ElementDescription {
  return duringReading(() => ({
    ref: refOf(element),
    role: roleOf(element),
    name: nameOf(element),
    xpath: xpathOf(element),
    tag: tagOf(element),
    isPassword: isPasswordField(element),
  }));
}

/** The short form of an element for messages, such as `<button#buy.primary>`. */
export function tagOf(element: Element): string {
  const id = attributeOf(element, 'id');
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
  const classPart = classes.slice(0, SHOWN_CLASSES).map((name) => `.${name}`);
  return `<${localNameOf(element)}${id ? `#${id}` : ''}${classPart.join('')}>`;
}

/** Whether the element is a password field. */
function isPasswordField(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'password';
}
