import { collapseSpace } from '../aria/text-builder.ts';
import { shadowRootOf } from '../tree/composed-tree.ts';
import { firstChildOf, localNameOf, nextSiblingOf } from '../native.ts';
import { engineMessage, invalidSelector, type QueryOutcome } from './outcome.ts';
import { unquote } from './scan.ts';

/** Tests text after its white space is collapsed. */
export type TextTest = (text: string) => boolean;

const EXPRESSION = /^\/((?:\\.|[^/\\])+)\/([a-z]*)$/;

export function isExpression(source: string): boolean {
  return EXPRESSION.test(source);
}

/**
 * `"Save"` matches the whole text; `"save" i` and unquoted text match a substring in any case; `/save/i` is a regular
 * expression.
 */
export function parseTextTest(source: string): TextTest {
  const expression = EXPRESSION.exec(source);
  if (expression) return expressionTest(expression[1] ?? '', expression[2] ?? '');
  const part = unquote(source.replace(/\s*i$/, ''));
  if (part !== null && /["']\s*i$/.test(source)) return partTest(part);
  const exact = unquote(source);
  return exact === null ? partTest(source) : (text) => fold(text) === fold(exact);
}

function partTest(words: string): TextTest {
  const wanted = fold(words).toLowerCase();
  return (text) => fold(text).toLowerCase().includes(wanted);
}

// With `g` or `y`, `test()` would depend on the previous call.
function expressionTest(source: string, flags: string): TextTest {
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
  return (text) => expression.test(fold(text));
}

function fold(text: string): string {
  return collapseSpace(text).trim();
}

/** Tags that do not separate words. All others do, except those of custom elements. */
const INLINE_TAGS: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data del em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr slot'.split(
    ' ',
  ),
);
const SILENT_TAGS: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'head']);

/** Finds the innermost elements with matching text. `parseTextTest` describes the syntax. */
export function queryText(root: ParentNode, body: string): QueryOutcome {
  const source = body.trim();
  if (isExpression(source)) return queryExpression(root, source);
  const part = /["']\s*i$/.test(source) ? unquote(source.replace(/\s*i$/, '')) : null;
  const exact = unquote(source);
  const wanted = collapseSpace(part ?? exact ?? source).trim();
  if (wanted === '')
    return { kind: 'invalid', message: 'text= needs the text to search for, such as text=Save or text="Save".' };
  const text = new PageText(root, exact === null);
  const elements = exact === null ? text.elementsWith(wanted.toLowerCase()) : text.elementsWithText(wanted);
  return { kind: 'elements', elements };
}

/** Returns the text on one line, including shadow roots. */
export function textOf(element: Element): string {
  return new PageText(element, false).all;
}

function queryExpression(root: ParentNode, source: string): QueryOutcome {
  try {
    return { kind: 'elements', elements: new PageText(root, false).elementsThatPass(parseTextTest(source)) };
  } catch (error) {
    return invalidSelector(`${engineMessage(error)}. Expected text=/e-?mail/i.`);
  }
}

interface Span {
  readonly element: Element;
  readonly parent: Span | null;
  readonly isInline: boolean;
  readonly start: number;
  end: number;
}

/**
 * The text of a subtree as one string, with the offsets of each element. Needs one pass over the elements, and no
 * layout.
 */
class PageText {
  readonly #isFolded: boolean;
  /** Spans in document order, so parents precede children. */
  readonly #spans: Span[] = [];
  readonly #pieces: string[] = [];
  #length = 0;
  #endsWithSpace = true;
  readonly #text: string;

  constructor(root: ParentNode, foldsCase: boolean) {
    this.#isFolded = foldsCase;
    this.#addAll(root);
    this.#text = this.#pieces.join('');
  }

  get all(): string {
    return this.#text.trim();
  }

  elementsThatPass(passes: (text: string) => boolean): Element[] {
    const passing = this.#spans.filter(({ start, end }) => passes(this.#text.slice(start, end)));
    return this.#withoutOuter(new Set(passing));
  }

  /** Returns the innermost elements that contain the text. */
  elementsWith(words: string): Element[] {
    const innermost = new Set<Span>();
    let next = 0;
    let open: Span | null = null;
    for (let at = this.#text.indexOf(words); at >= 0; at = this.#text.indexOf(words, at + 1)) {
      for (let span = this.#spans[next]; span && span.start <= at; span = this.#spans[next]) {
        open = span;
        next += 1;
      }
      while (open && open.end <= at) open = open.parent;
      const found = ancestorAtLevel(open, at, at + words.length);
      if (found) innermost.add(found);
    }
    return this.#withoutOuter(innermost);
  }

  /** Returns the innermost elements with exactly this text. */
  elementsWithText(words: string): Element[] {
    const visible = this.#spans.filter(
      ({ start, end }) =>
        end - start >= words.length && end - start <= words.length + 2 && this.#text.slice(start, end).trim() === words,
    );
    return this.#withoutOuter(new Set(visible));
  }

  #withoutOuter(spans: ReadonlySet<Span>): Element[] {
    const outer = new Set<Span>();
    for (const span of spans) {
      for (let above = span.parent; above && !outer.has(above); above = above.parent) outer.add(above);
    }
    return this.#spans.filter((span) => spans.has(span) && !outer.has(span)).map((span) => span.element);
  }

  #addAll(root: ParentNode): void {
    const levels = [levelOf(root, null)];
    for (let level = levels[0]; level; level = levels.at(-1)) {
      const node = takeNode(level);
      if (node instanceof Text) this.#add(node.data);
      else if (node instanceof Element) {
        const span = this.#begin(node, level.span);
        if (span) levels.push(levelOf(node, span));
      } else if (node === null) {
        if (level.span) this.#end(level.span);
        levels.pop();
      }
    }
  }

  #begin(element: Element, parent: Span | null): Span | null {
    const tag = localNameOf(element);
    if (SILENT_TAGS.has(tag)) return null;
    const isInline = INLINE_TAGS.has(tag) || tag.includes('-');
    if (!isInline) this.#add(' ');
    const span: Span = { element, parent, isInline, start: this.#length, end: 0 };
    this.#spans.push(span);
    if (element instanceof HTMLInputElement)
      this.#add(['submit', 'button', 'reset'].includes(element.type) ? element.value : '');
    return span;
  }

  #end(span: Span): void {
    span.end = this.#length;
    if (!span.isInline) this.#add(' ');
  }

  #add(text: string): void {
    let piece = collapseSpace(text);
    if (this.#endsWithSpace && piece.startsWith(' ')) piece = piece.slice(1);
    if (piece === '') return;
    if (this.#isFolded) piece = piece.toLowerCase();
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#endsWithSpace = piece.endsWith(' ');
  }
}

/** An element whose text is being read. Kept on an explicit stack, because recursion overflows on deep pages. */
interface Level {
  readonly span: Span | null;
  /** The next node to read: first the nodes of the shadow root, then the child nodes. */
  node: Node | null;
  own: Node | null;
}

function levelOf(parent: ParentNode, span: Span | null): Level {
  const shadowRoot = parent instanceof Element ? shadowRootOf(parent) : null;
  return { span, node: shadowRoot && firstChildOf(shadowRoot), own: firstChildOf(parent) };
}

function takeNode(level: Level): Node | null {
  if (level.node === null) {
    level.node = level.own;
    level.own = null;
  }
  const { node } = level;
  if (node) level.node = nextSiblingOf(node);
  return node;
}

function ancestorAtLevel(from: Span | null, start: number, end: number): Span | null {
  for (let span = from; span; span = span.parent) if (span.start <= start && span.end >= end) return span;
  return null;
}
