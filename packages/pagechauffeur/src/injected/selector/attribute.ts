import { visitElements } from '../composed-walk.ts';
import { attributeOf } from '../native.ts';
import { engineMessage, invalidSelector, type QueryOutcome } from './outcome.ts';
import type { AttributeEngine } from './parse-selector.ts';
import { isExpression, parseTextTest, type TextTest } from './text-test.ts';
import { unquote } from './scan.ts';

const ATTRIBUTES: Readonly<Record<AttributeEngine, string>> = {
  placeholder: 'placeholder',
  alt: 'alt',
  title: 'title',
  testid: 'data-testid',
};

/** Finds elements by the text of an attribute. */
export function queryAttribute(engine: AttributeEngine, root: ParentNode, body: string): QueryOutcome {
  const isWanted = tryToParse(engine, body.trim());
  if (typeof isWanted === 'string') return invalidSelector(isWanted);
  const elements: Element[] = [];
  visitElements(root, (element) => {
    const value = attributeOf(element, ATTRIBUTES[engine]);
    if (value !== null && isWanted(value)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function tryToParse(engine: AttributeEngine, body: string): TextTest | string {
  try {
    return engine === 'testid' && !isExpression(body) ? wholeTest(unquote(body) ?? body) : parseTextTest(body);
  } catch (error) {
    return `${engineMessage(error)}. The form is ${engine}=words, ${engine}="words" or ${engine}=/words/i.`;
  }
}

// Test ids are identifiers, not text, so white space is significant.
function wholeTest(wanted: string): TextTest {
  return (value) => value === wanted;
}
