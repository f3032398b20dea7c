import type { Result } from '../cdp/protocol.ts';
import type { Box } from '../injected/contract.ts';

type DomSnapshot = Result<'DOMSnapshot.captureSnapshot'>;
type DocumentSnapshot = DomSnapshot['documents'][number];

/** A range of characters, and the box in which the browser paints it. */
export interface TextBox {
  readonly start: number;
  readonly end: number;
  readonly box: Box;
}

/** Text that the browser paints: a text node, CSS-generated content, or the text of a control. */
export interface PaintedText {
  readonly text: string;
  /**
   * `text`: on the page; `pressed`: in a button or link; `field`: the content of a field; `label`: the label of an
   * image or button. A variable value may span several `text` or `field` entries.
   */
  readonly kind: 'text' | 'pressed' | 'field' | 'label';
  /** Index of the closest block, button or link around the text. Text with the same block is searched as one line. */
  readonly block: number;
  /** `backendNodeId` of the node. */
  readonly node: number;
  /** `backendNodeId` of the closest element. */
  readonly element: number;
  /** Boxes in document coordinates, in pixels of the frame's local root. */
  readonly boxes: readonly TextBox[];
}

/** Computed styles to request for {@link paintedTexts}, which reads them by index. */
export const PAINTED_STYLES = ['display', 'visibility', 'opacity'];

/** Text below this opacity counts as unreadable. */
const LOWEST_OPACITY = 0.05;

/** `Node.ELEMENT_NODE` */
const ELEMENT = 1;

/** Input types that show no readable text. */
const TYPES_WITHOUT_TEXT = new Set(['password', 'hidden', 'checkbox', 'radio', 'range', 'color']);

/** Input types that are buttons. */
const BUTTONS = new Set(['button', 'submit', 'reset']);
const PRESSED = new Set(['button', 'a']);

/** Returns the text that a document paints, in document order. */
export function paintedTexts(document: DocumentSnapshot, strings: readonly string[]): PaintedText[] {
  return new PaintedDocument(document, strings).texts();
}

/** One document of a DOM snapshot, which CDP reports as parallel arrays with strings as indexes into a shared table. */
class PaintedDocument {
  readonly #document: DocumentSnapshot;
  readonly #strings: readonly string[];
  readonly #layoutByNode = new Map<number, number>();
  /** Buttons and links, and the nodes in them. */
  readonly #pressed = new Set<number>();
  /** Nodes that are too transparent to read. */
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

  /** One pass is enough, because parents precede their children in the list. */
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
      return [{ text: this.#string(text[layout]), kind, boxes, ...this.#locate(node) }];
    });
  }

  #control(node: number, text: string, box: Box | undefined): PaintedText[] {
    if (text === '' || !box) return [];
    const { type = '' } = this.#attributesOf(node);
    const isLabel = this.#nameOf(node) === 'img' || BUTTONS.has(type.toLowerCase());
    const boxes = [{ start: 0, end: text.length, box }];
    return [{ text, kind: isLabel ? 'label' : 'field', boxes, ...this.#locate(node) }];
  }

  #nameOf(node: number): string {
    return this.#string(this.#document.nodes.nodeName?.[node]).toLowerCase();
  }

  #locate(node: number): Pick<PaintedText, 'node' | 'element' | 'block'> {
    const idOf = (index: number): number => this.#document.nodes.backendNodeId?.[index] ?? 0;
    return { node: idOf(node), element: idOf(this.#elementOf(node)), block: this.#blocks[node] ?? -1 };
  }

  /** Returns the closest element. Skips text nodes and pseudo-elements such as `::before`. */
  #elementOf(node: number): number {
    const { nodeType, parentIndex } = this.#document.nodes;
    let element = node;
    while (element > 0 && (nodeType?.[element] !== ELEMENT || this.#nameOf(element).startsWith('::')))
      element = parentIndex?.[element] ?? -1;
    return element;
  }

  /** Returns the text that a control or image shows, or `undefined` for other nodes. */
  #controlText(node: number): string | undefined {
    switch (this.#nameOf(node)) {
      case 'input': {
        const { type = '', value = '', placeholder = '' } = this.#attributesOf(node);
        if (TYPES_WITHOUT_TEXT.has(type.toLowerCase())) return '';
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

  /** Returns the labels of all options of a list box, or of the selected option of a drop-down list. */
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

  /** Ancestors have lower indexes, so the loop ends at `ancestor` or before it. */
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

  /** Returns the line boxes that have a size, by layout index. */
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
