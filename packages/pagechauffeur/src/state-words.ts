/** Regular expression source that matches one state in a snapshot line. `SnapshotState` describes the states. */
export const STATE_WORDS =
  'disabled|checked|unchecked|mixed|selected|pressed|expanded|collapsed|required|readonly|invalid|focused|multiline|multiselectable|busy|current|unread|bold|text-selected|filled|clickable|draggable|droppable|covered|editable|sorted ascending|sorted descending|scrolled \\d+%';
