/** The states in snapshot lines, as a regular expression: see `SnapshotState` in `snapshot/snapshot-node.ts`. */
export const STATE_WORDS =
  'disabled|checked|unchecked|mixed|selected|pressed|expanded|collapsed|required|readonly|invalid|focused|multiline|multiselectable|busy|current|unread|bold|text-selected|filled|clickable|draggable|droppable|covered|editable|scrolled \\d+%';
