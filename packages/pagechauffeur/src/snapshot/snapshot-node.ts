/** A state in a snapshot line. Controls that are off have the state `unchecked`, closed ones `collapsed`. */
export type SnapshotState =
  | 'disabled'
  | 'checked'
  | 'unchecked'
  | 'mixed'
  | 'selected'
  | 'pressed'
  | 'expanded'
  | 'collapsed'
  | 'required'
  | 'readonly'
  | 'invalid'
  | 'focused'
  | 'multiline'
  | 'multiselectable'
  | 'busy'
  | 'current'
  | 'unread'
  /** An item in bold next to items that are not, such as an unread message or the current file. */
  | 'bold'
  /** The focused field or editor has selected text. */
  | 'text-selected'
  /** A password field that is not empty. */
  | 'filled'
  | 'clickable'
  | 'draggable'
  | 'droppable'
  | 'covered'
  | 'editable'
  /** The table is sorted by this column. */
  | 'sorted ascending'
  | 'sorted descending'
  /** Scroll position of a scroll container. Omitted at the top. */
  | `scrolled ${number}%`;

/** A line of a snapshot, and its child lines. */
export interface SnapshotNode {
  /** ARIA role. `text` for plain text, whose text is `name`. `iframe` for a frame. */
  readonly role: string;
  /** Accessible name, with white space collapsed. Text keeps the line breaks and indentation that users see. */
  readonly name: string;
  /** Ref of an actionable element, such as `e12`; in a child frame, for example `f2e3`. */
  readonly ref?: string;
  readonly states: readonly SnapshotState[];
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  readonly level?: number;
  /** Absolute URL of a link or image. */
  readonly url?: string;
  /** Labels of the options of a `select`, in order. */
  readonly options?: readonly string[];
  readonly children: readonly SnapshotNode[];
}
