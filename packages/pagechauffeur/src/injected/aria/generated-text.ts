import { attributeOf, localNameOf } from '../native.ts';
import { treeScopeOf } from '../tree-scope.ts';
import { mayGenerateText } from './generated-rules.ts';

const plainString = /^"[^"\\]*"$/;
const token = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(open-quote)|(close-quote)/g;

/** What a style sheet puts before or after an element's content, and whether it stands apart as a block or an image. */
export function generatedText(
  element: Element,
  position: '::before' | '::after',
): { text: string; isApart: boolean } | null {
  const style = getComputedStyle(element, position);
  const { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none') return null;
  return { text: spokenContent(element, content), isApart: style.display !== 'inline' || content.includes('url(') };
}

/** Whether a style sheet may put text around an element's content; the browser's own only puts quotation marks around `q`. */
export function mayHaveGeneratedText(element: Element): boolean {
  if (localNameOf(element) === 'q' || mayGenerateText(document)) return true;
  const scope = treeScopeOf(element);
  return scope !== null && scope !== document && mayGenerateText(scope);
}

// `content: <what is drawn> / <what is spoken instead>`
function spokenContent(element: Element, content: string): string {
  if (plainString.test(content)) return content.slice(1, -1);
  const withoutStrings = content
    .replace(/"(?:[^"\\]|\\.)*"/g, (string) => '_'.repeat(string.length))
    .replace(/url\([^)]*\)/g, (url) => '_'.repeat(url.length));
  const slash = withoutStrings.indexOf('/');
  const spoken = slash < 0 ? content : content.slice(slash + 1);
  let text = '';
  for (const [, string, attribute, open, close] of spoken.matchAll(token)) {
    if (string !== undefined) text += string.replace(/\\(.)/g, '$1');
    else if (attribute !== undefined) text += attributeOf(element, attribute) ?? '';
    else if (open) text += '“';
    else if (close) text += '”';
  }
  return text;
}
