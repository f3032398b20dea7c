import type { ElementDescription } from './contract.ts';
import { foldSpace } from './aria/spoken-text.ts';
import { isFrameElement } from './frames.ts';
import { duringReading } from './memo.ts';
import { nameOf } from './name.ts';
import { attributeOf, isContentEditable, localNameOf, renderedTextOf, textContentOf } from './native.ts';
import { refOf } from './refs.ts';
import { roleOf } from './role.ts';
import { xpathOf } from './xpath.ts';

/** Classes that a tag shows at most; more say nothing to a reader. */
const SHOWN_CLASSES = 3;

/** A part of the page without a name is known by this many characters of its text. */
const WORDS_LENGTH = 100;
/** One with more text than this is known by where it is. */
const LONG_TEXT = 1000;

/** So much of its text is enough to tell what lies over an element. */
const COVER_WORDS = 40;

/** What is known about an element. */
export function describeElement(element: Element): ElementDescription {
  return duringReading(() => {
    const role = roleOf(element);
    const name = nameOf(element);
    return {
      ref: refOf(element),
      role,
      name,
      xpath: xpathOf(element),
      tag: tagOf(element),
      isPassword: isPasswordField(element),
      ...(isFrameElement(element) && { isFrame: true }),
      ...(name === '' && { words: wordsOf(element) }),
    };
  });
}

/** What is known about an element without a look around it: role, name and path are left empty. */
export function labelElement(element: Element): ElementDescription {
  return {
    ref: refOf(element),
    role: '',
    name: '',
    xpath: '',
    tag: tagOf(element),
    isPassword: isPasswordField(element),
    ...(isFrameElement(element) && { isFrame: true }),
  };
}

const VALUED: ReadonlySet<string> = new Set(['select', 'textarea', 'input']);

// What has no name is known by its words; those of an editor are its value, those of a list to choose from its options.
function wordsOf(element: Element): string {
  if (VALUED.has(localNameOf(element)) || (element instanceof HTMLElement && isContentEditable(element))) return '';
  const isLong = (textContentOf(element) ?? '').length > LONG_TEXT;
  return isLong ? '' : foldSpace(renderedTextOf(element)).slice(0, WORDS_LENGTH);
}

/** The short form of an element for messages, such as `<button#buy.primary>`. */
export function tagOf(element: Element): string {
  const id = attributeOf(element, 'id');
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
  const classPart = classes.slice(0, SHOWN_CLASSES).map((name) => `.${name}`);
  return `<${localNameOf(element)}${id ? `#${id}` : ''}${classPart.join('')}>`;
}

/** What lies over an element, for messages: its tag, and some of its words when the tag has nothing to tell it by. */
export function coverPhrase(element: Element): string {
  const tag = tagOf(element);
  const words = /[#.]/.test(tag) ? '' : duringReading(() => nameOf(element) || wordsOf(element)).slice(0, COVER_WORDS);
  return words === '' ? tag : `${tag} ${JSON.stringify(words)}`;
}

/** Whether the element is a password field. */
function isPasswordField(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'password';
}
