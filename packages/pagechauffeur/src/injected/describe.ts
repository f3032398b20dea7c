import type { ElementDescription } from './contract.ts';
import { foldSpace } from './aria/spoken-text.ts';
import { isFrameElement } from './frames.ts';
import { duringReading } from './memo.ts';
import { nameOf } from './name.ts';
import { attributeOf, isContentEditable, localNameOf, renderedTextOf, textContentOf } from './native.ts';
import { refOf } from './refs.ts';
import { roleOf } from './role.ts';
import { xpathOf } from './xpath.ts';

/** Maximum number of classes in a tag. */
const SHOWN_CLASSES = 3;

/** Maximum characters of text that replace the name of an unnamed element. */
const WORDS_LENGTH = 100;
/** Text longer than this does not replace a name. */
const LONG_TEXT = 1000;

/** Maximum characters of text that describe a covering element. */
const COVER_WORDS = 40;

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

/** Describes an element without reading the elements near it: role, name and XPath stay empty. */
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

// Excludes editors and selects: their text is a value or a list of options, not a name.
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

/** Describes a covering element for error messages: its tag, plus some of its text if the tag has no id or class. */
export function coverPhrase(element: Element): string {
  const tag = tagOf(element);
  const words = /[#.]/.test(tag) ? '' : duringReading(() => nameOf(element) || wordsOf(element)).slice(0, COVER_WORDS);
  return words === '' ? tag : `${tag} ${JSON.stringify(words)}`;
}

function isPasswordField(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === 'password';
}
