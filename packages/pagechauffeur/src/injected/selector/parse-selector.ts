import { type InvalidSelector, invalidSelector, invalidXPath } from './outcome.ts';
import { endOfQuote, scanTopLevel } from './scan.ts';

export type EngineName = QueryEngine | FilterEngine | 'nth' | 'or' | 'frame';
/** Engines that find descendants. */
export type QueryEngine = 'css' | 'xpath' | 'text' | 'role' | 'label' | AttributeEngine;
/** Engines that match an attribute value. */
export type AttributeEngine = 'placeholder' | 'alt' | 'title' | 'testid';
/** Engines that filter the elements found so far. */
export type FilterEngine = 'has' | 'has-not' | 'has-text' | 'has-not-text' | 'visible' | 'and' | 'light';

/** One part of a selector, between two `>>`. */
export interface SelectorPart {
  readonly engine: EngineName;
  readonly body: string;
  /** The part as written in the selector. */
  readonly source: string;
}

const PREFIX =
  /^(css|xpath|text|role|label|placeholder|alt|title|testid|nth|has-not-text|has-text|has-not|has|visible|light|and|or|frame)\s*=\s*/;
/** Engines followed by plain text. */
const WORDS = /^(text|label|placeholder|alt|title|testid|has-text|has-not-text)\s*=\s*/;
const EXPRESSION = /^\/(?:\\.|[^/\\])+\/[a-z]*/;
const XPATH = /^(xpath\s*=|\.{0,2}\/|\()/;
const FORMS =
  'A selector is CSS, an XPath (`xpath=…` or a leading `/` or `(`), `text=Save`, `text="Save"`, `role=button[name="Save"]`, `label=Email`, ' +
  'or several of these joined by ` >> `.';

/** Splits a selector at `>>`. */
export function parseSelector(selector: string): readonly SelectorPart[] | InvalidSelector {
  const parts: SelectorPart[] = [];
  for (let rest = selector.trim(), hasMore = true; hasMore;) {
    const end = endOfPart(rest);
    if (end === 'unbalanced')
      return invalidPart(rest)(`The selector "${selector}" has an unclosed quote, bracket or parenthesis. ${FORMS}`);
    const source = rest.slice(0, end).trim();
    if (source === '') return invalidSelector(`The selector "${selector}" has an empty part. ${FORMS}`);
    parts.push(partOf(source));
    hasMore = end < rest.length;
    rest = rest.slice(end + 2).trim();
  }
  return parts;
}

export function joinParts(parts: readonly SelectorPart[]): string {
  return parts.map((part) => part.source).join(' >> ');
}

function invalidPart(part: string): (message: string) => InvalidSelector {
  return XPATH.test(part) ? invalidXPath : invalidSelector;
}

function partOf(source: string): SelectorPart {
  const prefix = PREFIX.exec(source);
  if (prefix) return { engine: prefix[1] as EngineName, body: source.slice(prefix[0].length), source };
  return { engine: XPATH.test(source) ? 'xpath' : 'css', body: source, source };
}

function endOfPart(text: string): number | 'unbalanced' {
  const words = WORDS.exec(text);
  if (words) return endOfWords(text, words[0].length);
  let end = text.length;
  const visit = (index: number): 'stop' | undefined => {
    if (!text.startsWith('>>', index)) return undefined;
    end = index;
    return 'stop';
  };
  const balance = scanTopLevel(text, visit, !XPATH.test(text));
  return balance === 'unbalanced' ? 'unbalanced' : end;
}

// Unquoted text may contain apostrophes and brackets, so only `>>` ends it.
function endOfWords(text: string, start: number): number | 'unbalanced' {
  const isQuoted = /["']/.test(text.charAt(start));
  const expression = EXPRESSION.exec(text.slice(start))?.[0] ?? '';
  const from = isQuoted ? endOfQuote(text, start) : start + expression.length;
  if (from < 0) return 'unbalanced';
  const end = text.indexOf('>>', from);
  return end < 0 ? text.length : end;
}
