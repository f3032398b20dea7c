import type { ElementDescription } from '../contract.ts';
import { collapseSpace, foldSpace } from '../aria/text-builder.ts';
import { isFrameElement } from '../tree/frames.ts';
import { withReadCache } from '../memo.ts';
import { nameOf } from '../aria/name.ts';
import { attributeOf, isContentEditable, localNameOf, queryAll, renderedTextOf, textContentOf } from '../native.ts';
import { refOf } from '../refs.ts';
import { roleOf } from '../aria/role.ts';
import { xpathOf } from '../tree/xpath.ts';
import { isMaskedField } from '../aria/masked-text.ts';

const SHOWN_CLASSES = 3;

/** Characters of text shown instead of a missing name. */
const WORDS_LENGTH = 100;
/** Longer text belongs to a container and does not replace a name. */
const LONG_TEXT = 1000;

const COVER_WORDS = 40;

export function describeElement(element: Element): ElementDescription {
  return withReadCache(() => {
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
      ...(name === '' && { words: leadingText(element) }),
    };
  });
}

/** Leaves role, name and XPath empty, because they depend on other elements. */
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

// The text of an editor is its value, and the text of a `select` is its options. Neither is a name.
function leadingText(element: Element): string {
  if (VALUED.has(localNameOf(element)) || (element instanceof HTMLElement && isContentEditable(element))) return '';
  const isLong = (textContentOf(element) ?? '').length > LONG_TEXT;
  return isLong ? '' : foldSpace(renderedTextOf(element)).slice(0, WORDS_LENGTH);
}

/** Returns a short form for messages, such as `<button#buy.primary>`. */
export function tagOf(element: Element): string {
  const id = attributeOf(element, 'id');
  const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).filter((name) => name !== '');
  const classPart = classes.slice(0, SHOWN_CLASSES).map((name) => `.${name}`);
  return `<${localNameOf(element)}${id ? `#${id}` : ''}${classPart.join('')}>`;
}

/** For error messages: the tag, plus some text if the tag has neither id nor class. */
export function coverPhrase(element: Element): string {
  const tag = tagOf(element);
  const label = /[#.]/.test(tag)
    ? ''
    : withReadCache(() => nameOf(element) || leadingText(element)).slice(0, COVER_WORDS);
  return label === '' ? tag : `${tag} ${JSON.stringify(label)}`;
}

/** Maximum characters of text in a report. */
const TEXT_LENGTH = 200;
/** Maximum characters of text used as a name. */
const NAME_LENGTH = 60;

/**
 * For example `dialog "Delete file?"`. An element without a name is named by its first heading, or else by its text.
 */
export function titleOf(element: Element, role: string = roleOf(element)): string {
  const name =
    nameOf(element) || shownText(queryAll(element, 'h1, h2, h3, h4, legend')[0] ?? element).slice(0, NAME_LENGTH);
  return name === '' ? role : `${role} "${name}"`;
}

/** Collapses white space and truncates to 200 characters. */
export function shownText(element: Element): string {
  return collapseSpace(renderedTextOf(element)).trim().slice(0, TEXT_LENGTH);
}

function isPasswordField(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return isField && isMaskedField(element);
}
