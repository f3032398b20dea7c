/** A state that a snapshot line shows. Absence is not shown, except where a person sees an "off" control: `unchecked`. */
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
  /** An item in bold letters beside others that are not: an unread message, the current file. */
  | 'bold'
  /** A field or editor with the focus, in which text is selected. */
  | 'text-selected'
  /** A password field that is not empty. */
  | 'filled'
  | 'clickable'
  | 'draggable'
  | 'droppable'
  | 'covered'
  | 'editable'
  /** How far down the content of a part that scrolls is scrolled; not told of one that shows its beginning. */
  | `scrolled ${number}%`;

/** One line of a snapshot together with the lines below it. */
export interface SnapshotNode {
  /** ARIA role; `text` for plain text, whose words are `name`; `iframe` for a frame. */
  readonly role: string;
  /** Accessible name, white space folded. */
  readonly name: string;
  /** Short name of an element that can be acted on: `e12`, in a child frame `f2e3`. */
  readonly ref?: string;
  readonly states: readonly SnapshotState[];
  readonly value?: string;
  readonly placeholder?: string;
  readonly description?: string;
  readonly level?: number;
  /** Absolute address of a link or image. */
  readonly url?: string;
  /** Labels of a `select`'s options, in order. */
  readonly options?: readonly string[];
  readonly children: readonly SnapshotNode[];
}
