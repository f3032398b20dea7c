export const MODIFIER_BIT: Readonly<Record<'Alt' | 'Control' | 'Meta' | 'Shift', number>> = {
  Alt: 1,
  Control: 2,
  Meta: 4,
  Shift: 8,
};

type CommandTable = Readonly<Record<string, string | readonly string[]>>;

/** For Windows and Linux. Headless Chromium does not derive these commands from key events. */
const COMMANDS: CommandTable = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  y: 'redo',
  'Shift+v': 'pasteAndMatchStyle',
  'Shift+z': 'redo',
};

/**
 * From Apple's "Mac keyboard shortcuts" and "Text System Defaults and Key Bindings". macOS converts keys to commands
 * before the browser receives them, so the browser derives none from CDP key events. With Shift, each command extends
 * the selection.
 */
const MAC_MOVES: Readonly<Record<string, string>> = {
  ArrowLeft: 'moveLeft',
  ArrowRight: 'moveRight',
  ArrowUp: 'moveUp',
  ArrowDown: 'moveDown',
  'Alt+ArrowLeft': 'moveWordLeft',
  'Alt+ArrowRight': 'moveWordRight',
  'Alt+ArrowUp': 'moveParagraphBackward',
  'Alt+ArrowDown': 'moveParagraphForward',
  'Meta+ArrowLeft': 'moveToLeftEndOfLine',
  'Meta+ArrowRight': 'moveToRightEndOfLine',
  'Meta+ArrowUp': 'moveToBeginningOfDocument',
  'Meta+ArrowDown': 'moveToEndOfDocument',
  'Control+a': 'moveToBeginningOfParagraph',
  'Control+b': 'moveBackward',
  'Control+e': 'moveToEndOfParagraph',
  'Control+f': 'moveForward',
  'Control+n': 'moveDown',
  'Control+p': 'moveUp',
};

const MAC_EDITS: CommandTable = {
  Backspace: 'deleteBackward',
  'Shift+Backspace': 'deleteBackward',
  'Alt+Backspace': 'deleteWordBackward',
  'Meta+Backspace': 'deleteToBeginningOfLine',
  Delete: 'deleteForward',
  'Alt+Delete': 'deleteWordForward',
  'Control+d': 'deleteForward',
  'Control+h': 'deleteBackward',
  'Control+k': 'deleteToEndOfParagraph',
  'Control+o': ['insertNewline', 'moveBackward'],
  'Control+t': 'transpose',
  'Control+y': 'yank',
  'Meta+a': 'selectAll',
  'Meta+c': 'copy',
  'Meta+v': 'paste',
  'Meta+x': 'cut',
  'Meta+z': 'undo',
  'Shift+Meta+z': 'redo',
  'Shift+Alt+Meta+v': 'pasteAndMatchStyle',
  'Shift+End': 'moveToEndOfDocumentAndModifySelection',
  'Shift+Home': 'moveToBeginningOfDocumentAndModifySelection',
};

/** Returns the editing commands that `Input.dispatchKeyEvent` must pass with this key. */
export function editingCommands(key: string, modifiers: number, { onMac }: { onMac: boolean }): readonly string[] {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return [onMac ? macCommands(name, modifiers) : commands(name, modifiers)].flat();
}

function commands(name: string, modifiers: number): string | readonly string[] {
  if ((modifiers & (MODIFIER_BIT.Control | MODIFIER_BIT.Meta)) === 0) return [];
  return (isHeld('Shift', modifiers) ? COMMANDS[`Shift+${name}`] : undefined) ?? COMMANDS[name] ?? [];
}

function macCommands(name: string, modifiers: number): string | readonly string[] {
  const held = (['Control', 'Alt', 'Meta'] as const).filter((modifier) => isHeld(modifier, modifiers));
  const combination = [...held, name].join('+');
  if (!isHeld('Shift', modifiers)) return MAC_EDITS[combination] ?? MAC_MOVES[combination] ?? [];
  const move = MAC_MOVES[combination];
  return MAC_EDITS[`Shift+${combination}`] ?? (move === undefined ? [] : `${move}AndModifySelection`);
}

function isHeld(modifier: keyof typeof MODIFIER_BIT, modifiers: number): boolean {
  return (modifiers & MODIFIER_BIT[modifier]) !== 0;
}
