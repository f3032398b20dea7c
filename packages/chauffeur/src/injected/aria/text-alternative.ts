import { styleOf } from '../computed-style.ts';
import { flatChildren } from '../flat-tree.ts';
import { isEditingHost } from '../focusable.ts';
import { attributeOf, hasAttribute, localNameOf, textContentOf } from '../native.ts';
import { roleOf } from '../role.ts';
import { isNotRendered } from '../visibility.ts';
import { ariaLabelOf } from './author-name.ts';
import { generatedText, mayHaveGeneratedText } from './generated-text.ts';
import { nameByTag } from './native-name.ts';
import { ownedElements } from './owned.ts';
import { referencedElements } from './references.ts';
import { controlRoles, rolesApartFromNames, rolesNamedByContent } from './role-names.ts';
import { SpokenText } from './spoken-text.ts';
import { valueOf } from './value.ts';

/** One name in the making. */
interface Naming {
  /** The element that gets the name; what it is itself does not count when its label surrounds it. */
  readonly named: Element;
  /** Below a label or a referenced element everything counts, whatever its role. */
  readonly isReferenced: boolean;
  /** Below a hidden element that was referenced, what is hidden counts too. */
  readonly includesHidden: boolean;
}

/** The text inside an element that names itself by its content, or names another. */
export function contentText(element: Element, named: Element = element): string {
  const spoken = new SpokenText();
  appendContent(spoken, element, { named, isReferenced: false, includesHidden: false });
  return spoken.text;
}

/** The text of another element that names `named`: a label, or what `aria-labelledby` points to. */
export function referencedText(element: Element, named: Element): string {
  const label = ariaLabelOf(element);
  if (label !== '') return label;
  const spoken = new SpokenText();
  const naming: Naming = { named, isReferenced: true, includesHidden: isHiddenReference(element) };
  const role = roleOf(element);
  const own = element === named ? null : embeddedValue(element, role) || attributedText(element, naming);
  if (own !== null && own !== '') return own;
  appendContent(spoken, element, naming);
  return spoken.text.trim() === '' ? (attributeOf(element, 'title') ?? '') : spoken.text;
}

/** The text of a label; a hidden one says nothing. */
export function labelText(label: Element, named: Element): string {
  if (isHiddenReference(label)) return '';
  const own = ariaLabelOf(label);
  return own || contentText(label, named).trim() || (attributeOf(label, 'title') ?? '');
}

/** The text of the elements that an attribute refers to, joined by spaces. */
export function textByReference(element: Element, attribute: string): string {
  return referencedElements(element, attribute)
    .map((reference) => referencedText(reference, element))
    .join(' ');
}

function isHiddenReference(element: Element): boolean {
  return isNotRendered(element) || attributeOf(element, 'aria-hidden') === 'true';
}

/** Text nested deeper than this is taken as it stands in the document: the stack is not endless. */
const MAX_DEPTH = 100;

function appendContent(spoken: SpokenText, element: Element, naming: Naming): void {
  spoken.depth += 1;
  if (spoken.depth > MAX_DEPTH) spoken.add(textContentOf(element) ?? '');
  else appendParts(spoken, element, naming);
  spoken.depth -= 1;
}

function appendParts(spoken: SpokenText, element: Element, naming: Naming): void {
  const style = styleOf(element);
  const isSpoken = naming.includesHidden || style.visibility === 'visible';
  const isGenerated = isSpoken && mayHaveGeneratedText(element);
  if (isGenerated) appendGenerated(spoken, element, '::before');
  for (const child of flatChildren(element)) {
    if (isClosedAway(child, element)) continue;
    if (child instanceof Text) {
      if (isSpoken) spoken.add(asDrawn(child.data, style.textTransform));
    } else if (child instanceof Element) {
      appendElement(spoken, child, naming);
    }
  }
  for (const owned of ownedElements(element)) {
    spoken.separate();
    appendElement(spoken, owned, naming);
    spoken.separate();
  }
  if (isGenerated) appendGenerated(spoken, element, '::after');
}

function isClosedAway(child: Node, parent: Element): boolean {
  if (!(parent instanceof HTMLDetailsElement) || parent.open) return false;
  return !(child instanceof Element && localNameOf(child) === 'summary');
}

/** Adds what a style sheet puts before or after an element's content. */
export function appendGenerated(spoken: SpokenText, element: Element, position: '::before' | '::after'): void {
  const generated = generatedText(element, position);
  if (!generated) return;
  if (generated.isApart) spoken.separate();
  spoken.add(generated.text);
  if (generated.isApart) spoken.separate();
}

/** Tags that stand apart from the words around them whatever their style. */
const apartTags: ReadonlySet<string> = new Set(['br', 'canvas', 'iframe', 'img', 'output', 'svg', 'video', 'wbr']);
/** Tags whose text counts towards a surrounding name although their roles are apart. */
const countedTags: ReadonlySet<string> = new Set(['address', 'details', 'footer', 'svg']);
const silentTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'datalist',
  'object',
  'rt',
  'rp',
  'title',
]);

function appendElement(spoken: SpokenText, element: Element, naming: Naming): void {
  const tag = localNameOf(element);
  if (element === naming.named || silentTags.has(tag)) return;
  const { display, visibility } = styleOf(element);
  if (
    !naming.includesHidden &&
    (display === 'none' || display === '' || attributeOf(element, 'aria-hidden') === 'true')
  )
    return;
  const role = roleOf(element);
  const isApart = apartTags.has(tag) || isBoxOfItsOwn(display) || controlRoles.has(role) || isEditingHost(element);
  const mark = spoken.mark();
  if (isApart) spoken.separate();
  const text = naming.includesHidden || visibility === 'visible' ? embeddedText(element, role, naming) : null;
  if (text !== null) appendApart(spoken, text);
  else if (naming.isReferenced || countedTags.has(tag) || !rolesApartFromNames.has(role))
    appendContent(spoken, element, naming);
  if (rolesNamedByContent.has(role) && spoken.isEmptySince(mark))
    appendApart(spoken, attributeOf(element, 'title') ?? '');
  if (isApart) spoken.separate();
  if (!controlRoles.has(role) && vanishesWhenEmpty(element, tag, display)) spoken.closeGap(mark);
}

// An icon drawn by style or a picture without words leaves no gap between the words around it.
function vanishesWhenEmpty(element: Element, tag: string, display: string): boolean {
  if (tag === 'svg' || tag === 'iframe') return true;
  if (tag === 'img') return hasAttribute(element, 'alt');
  return display.startsWith('inline-') && !isReplaced(element);
}

function appendApart(spoken: SpokenText, text: string): void {
  if (text === '') return;
  spoken.separate();
  spoken.add(text);
  spoken.separate();
}

/** The text an element stands for within a name, other than what it contains; null when its content is to be read. */
function embeddedText(element: Element, role: string, naming: Naming): string | null {
  const value = embeddedValue(element, role);
  if (value) return value;
  if (!naming.isReferenced && hasAttribute(element, 'aria-labelledby')) {
    const text = textByReference(element, 'aria-labelledby');
    if (text.trim() !== '') return text;
  }
  return attributedText(element, naming);
}

function attributedText(element: Element, { named }: Naming): string | null {
  const label = ariaLabelOf(element);
  if (label !== '') return label;
  const native = nameByTag(element, localNameOf(element), (caption) => referencedText(caption, named));
  if (native !== null) return native;
  if (isReplaced(element)) return attributeOf(element, 'title') ?? attributeOf(element, 'placeholder') ?? '';
  return null;
}

const defaultByRole: Readonly<Record<string, string>> = { meter: '0', scrollbar: '50', slider: '50', spinbutton: '0' };

function embeddedValue(element: Element, role: string): string | null {
  if (element instanceof HTMLInputElement && element.type === 'password') return '•'.repeat(element.value.length);
  if (element instanceof HTMLInputElement && element.type === 'file') return null;
  if (element instanceof HTMLSelectElement)
    return Array.from(element.selectedOptions, (option) => option.label).join(' ');
  if (role === 'listbox') return null;
  return valueOf(element, role) ?? defaultByRole[role] ?? null;
}

function isReplaced(element: Element): boolean {
  const tag = localNameOf(element);
  return (
    tag === 'img' || tag === 'input' || tag === 'textarea' || tag === 'select' || tag === 'iframe' || tag === 'progress'
  );
}

function isBoxOfItsOwn(display: string): boolean {
  return display !== 'inline' && !display.startsWith('ruby');
}

// Style sheets change the letters that a person reads, and the browser names things by those.
function asDrawn(text: string, textTransform: string): string {
  if (textTransform === 'none') return text;
  if (textTransform === 'uppercase') return text.toUpperCase();
  if (textTransform === 'lowercase') return text.toLowerCase();
  if (textTransform === 'capitalize')
    return text.replace(
      /(^|[^\p{L}\p{N}'’])(\p{L})/gu,
      (_, before: string, letter: string) => before + letter.toUpperCase(),
    );
  return text;
}
