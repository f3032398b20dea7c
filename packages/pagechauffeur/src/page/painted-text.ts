import type { Result } from '../cdp/protocol.ts';
import type { Box } from '../injected/contract.ts';

type DomSnapshot = Result<'DOMSnapshot.captureSnapshot'>;
type DocumentSnapshot = DomSnapshot['documents'][number];

/** Part of a text with its box. */
export interface TextBox {
  readonly start: number;
  readonly end: number;
  readonly box: Box;
}

/** A text that the browser paints: a text node, generated content, or what a control shows. */
export interface PaintedText {
  readonly text: string;
  /** A text, a text in a button or link, the content of a field, or the label of an image or button. Only texts and fields are parts of values. */
  readonly kind: 'text' | 'pressed' | 'field' | 'label';
  /** The closest block, button or link around it. Its texts form lines together. */
  readonly block: number;
  /** The browser's id of its node. */
  readonly node: number;
  /** The browser's id of the element that it belongs to. */
  readonly element: number;
  /** Boxes in the document, in pixels of the topmost frame of its process. */
  readonly boxes: readonly TextBox[];
}

/** The styles that {@link paintedTexts} needs, in this order. */
export const PAINTED_STYLES = ['display', 'visibility', 'opacity'];

/** Text that is more transparent cannot be read. */
const LOWEST_OPACITY = 0.05;

/** `Node.ELEMENT_NODE` */
const ELEMENT = 1;

/** Inputs whose value is not shown as text. */
const TEXTLESS = new Set(['password', 'hidden', 'checkbox', 'radio', 'range', 'color']);

/** Inputs that are buttons. */
const BUTTONS = new Set(['button', 'submit', 'reset']);
const PRESSED = new Set(['button', 'a']);

/** Returns the texts that a document paints, in document order. */
export function paintedTexts(document: DocumentSnapshot, strings: readonly string[]): PaintedText[] {
  return new PaintedDocument(document, strings).texts();
}

/** A document in the form that the browser reports: parallel lists, and strings by number. */
class PaintedDocument {
  readonly #document: DocumentSnapshot;
  readonly #strings: readonly string[];
  /** Index of a node's box, by node. */
  readonly #layoutByNode = new Map<number, number>();
  /** Buttons and links, and the nodes in them. */
  readonly #pressed = new Set<number>();
  /** The nodes that are too transparent to read. */
  readonly #faded = new Set<number>();
  /** The closest ancestor that is a block, button or link, by node. */
  readonly #blocks: number[] = [];
  readonly #values: ReadonlyMap<number, string>;
  readonly #selected: ReadonlySet<number>;

  constructor(document: DocumentSnapshot, strings: readonly string[]) {
    this.#document = document;
    this.#strings = strings;
    for (const [index, node] of document.layout.nodeIndex.entries())
      if (!this.#layoutByNode.has(node)) this.#layoutByNode.set(node, index);
    const { inputValue, textValue, optionSelected } = document.nodes;
    this.#values = new Map(
      [inputValue, textValue].flatMap((list) =>
        (list?.index ?? []).map((node, at): [number, string] => [node, this.#string(list?.value[at])]),
      ),
    );
    this.#selected = new Set(optionSelected?.index);
    this.#inheritStyles();
  }

  /** Nodes follow their parents in the list. */
  #inheritStyles(): void {
    for (const [node, parent] of (this.#document.nodes.parentIndex ?? []).entries()) {
      const layout = this.#layoutByNode.get(node);
      const outer = this.#layoutByNode.get(parent);
      const isBlock =
        outer !== undefined && (this.#styleOf(outer, 0) !== 'inline' || PRESSED.has(this.#nameOf(parent)));
      this.#blocks.push(isBlock ? parent : (this.#blocks[parent] ?? -1));
      const isFaded = layout !== undefined && Number(this.#styleOf(layout, 2) || 1) < LOWEST_OPACITY;
      if (isFaded || this.#faded.has(parent)) this.#faded.add(node);
      if (PRESSED.has(this.#nameOf(node)) || this.#pressed.has(parent)) this.#pressed.add(node);
    }
  }

  texts(): PaintedText[] {
    const { nodeIndex, text, bounds } = this.#document.layout;
    const boxesByLayout = this.#textBoxes();
    return [...nodeIndex.entries()].flatMap(([layout, node]) => {
      if (this.#styleOf(layout, 1) !== 'visible' || this.#faded.has(node)) return [];
      const shown = this.#controlText(node);
      if (shown !== undefined) return this.#control(node, shown, boxOf(bounds[layout]));
      const boxes = boxesByLayout.get(layout);
      if (!boxes) return [];
      const kind = this.#pressed.has(node) ? 'pressed' : 'text';
      return [{ text: this.#string(text[layout]), kind, boxes, ...this.#place(node) }];
    });
  }

  #control(node: number, text: string, box: Box | undefined): PaintedText[] {
    if (text === '' || !box) return [];
    const { type = '' } = this.#attributesOf(node);
    const isLabel = this.#nameOf(node) === 'img' || BUTTONS.has(type.toLowerCase());
    const boxes = [{ start: 0, end: text.length, box }];
    return [{ text, kind: isLabel ? 'label' : 'field', boxes, ...this.#place(node) }];
  }

  #nameOf(node: number): string {
    return this.#string(this.#document.nodes.nodeName?.[node]).toLowerCase();
  }

  #place(node: number): Pick<PaintedText, 'node' | 'element' | 'block'> {
    const idOf = (index: number): number => this.#document.nodes.backendNodeId?.[index] ?? 0;
    return { node: idOf(node), element: idOf(this.#elementOf(node)), block: this.#blocks[node] ?? -1 };
  }

  /** The node itself, or the closest ancestor that is an element of the page. */
  #elementOf(node: number): number {
    const { nodeType, parentIndex } = this.#document.nodes;
    let element = node;
    while (element > 0 && (nodeType?.[element] !== ELEMENT || this.#nameOf(element).startsWith('::')))
      element = parentIndex?.[element] ?? -1;
    return element;
  }

  /** Text of a control, or `undefined` for other nodes. */
  #controlText(node: number): string | undefined {
    switch (this.#nameOf(node)) {
      case 'input': {
        const { type = '', value = '', placeholder = '' } = this.#attributesOf(node);
        if (TEXTLESS.has(type.toLowerCase())) return '';
        return this.#values.get(node) || value || placeholder;
      }
      case 'textarea':
        return this.#values.get(node) || (this.#attributesOf(node)['placeholder'] ?? '');
      case 'select':
        return this.#optionsOf(node);
      case 'img':
        return this.#attributesOf(node)['alt'] ?? '';
      default:
        return undefined;
    }
  }

  /** Labels of the options of a list, or of the selected option of a closed one. */
  #optionsOf(select: number): string {
    const { parentIndex = [] } = this.#document.nodes;
    const { size = '', multiple } = this.#attributesOf(select);
    const isClosed = multiple === undefined && !(Number(size) > 1);
    const labels: string[] = [];
    for (let node = select + 1; node < parentIndex.length && this.#isInside(node, select); node += 1) {
      const name = this.#nameOf(node);
      if (name === 'optgroup' && !isClosed) labels.push(this.#attributesOf(node)['label'] ?? '');
      if (name !== 'option' || (isClosed && !this.#selected.has(node))) continue;
      labels.push(this.#attributesOf(node)['label'] ?? this.#textIn(node));
    }
    return labels.join(' ');
  }

  #textIn(element: number): string {
    const { parentIndex = [], nodeValue } = this.#document.nodes;
    let text = '';
    for (let node = element + 1; node < parentIndex.length && this.#isInside(node, element); node += 1)
      text += this.#string(nodeValue?.[node]);
    return text;
  }

  /** Nodes follow their ancestors, so the loop ends at `ancestor` or before it. */
  #isInside(node: number, ancestor: number): boolean {
    const { parentIndex = [] } = this.#document.nodes;
    let parent = node;
    while (parent > ancestor) parent = parentIndex[parent] ?? -1;
    return parent === ancestor;
  }

  #attributesOf(node: number): Readonly<Partial<Record<string, string>>> {
    const list = this.#document.nodes.attributes?.[node] ?? [];
    const pairs: [string, string][] = [];
    for (let at = 0; at + 1 < list.length; at += 2) pairs.push([this.#string(list[at]), this.#string(list[at + 1])]);
    return Object.fromEntries(pairs);
  }

  /** Boxes of the lines of each text that have a size, by layout index. */
  #textBoxes(): ReadonlyMap<number, readonly TextBox[]> {
    const { layoutIndex, bounds, start, length } = this.#document.textBoxes;
    const found = new Map<number, TextBox[]>();
    for (const [at, layout] of layoutIndex.entries()) {
      const box = boxOf(bounds[at]);
      if (!box) continue;
      const first = start[at] ?? 0;
      const boxes = found.get(layout) ?? [];
      boxes.push({ start: first, end: first + (length[at] ?? 0), box });
      found.set(layout, boxes);
    }
    return found;
  }

  #styleOf(layout: number, index: number): string {
    return this.#string(this.#document.layout.styles[layout]?.[index]);
  }

  #string(index: number | undefined): string {
    return this.#strings[index ?? -1] ?? '';
  }
}

function boxOf([x = 0, y = 0, width = 0, height = 0]: readonly number[] = []): Box | undefined {
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}
