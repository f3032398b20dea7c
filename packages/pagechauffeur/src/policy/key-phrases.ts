import { folded, wordsIn } from './words.ts';

/** True if the instruction names every key of a combination such as `Control+Enter`. */
export function areKeysIn(keys: string, instruction: string): boolean {
  return partsOf(keys).every((part) => isKeyIn(part, instruction));
}

/** True if the instruction asks for the effect of a shortcut, such as undo for `Control+Z`. */
export function isShortcutIn(keys: string, instruction: string): boolean {
  const parts = partsOf(keys);
  const key = parts.at(-1) ?? '';
  const holds = parts.slice(0, -1).every((part) => COMMAND_KEYS.has(part));
  const isCommand = parts.length > 1 || ALONE.has(key);
  return holds && isCommand && Object.hasOwn(SHORTCUTS, key) && SHORTCUTS[key]?.test(folded(instruction)) === true;
}

function partsOf(keys: string): readonly string[] {
  return keys.split(/\+(?=.)/).map((part) => part.toLowerCase());
}

/**
 * Matches separate words: "the model" does not name "Del". Symbols, and words in scripts without spaces, match
 * anywhere.
 */
function isKeyIn(key: string, instruction: string): boolean {
  const instructionWords = wordsIn(instruction);
  const text = folded(instruction);
  return [key, ...(OTHER_NAMES[key] ?? [])].some((name) => {
    const words = wordsIn(name);
    if (words.length === 0 || UNSPACED.test(name)) return name.trim() !== '' && text.includes(name);
    if (words.length > 1) return ` ${instructionWords.join(' ')} `.includes(` ${words.join(' ')} `);
    return instructionWords.includes(name) || KEY_NOUNS.some((noun) => instructionWords.includes(name + noun));
  });
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Suffixes of key names in compounds: "Entertaste". */
const KEY_NOUNS: readonly string[] = ['key', 'taste', 'toets'];

const COMMAND_KEYS: ReadonlySet<string> = new Set(['control', 'controlormeta', 'meta', 'shift']);
/** Shortcuts without a modifier. */
const ALONE: ReadonlySet<string> = new Set(['delete', 'backspace', 'f5']);

const SHORTCUTS: Readonly<Record<string, RegExp>> = {
  a: /\b(?:select|mark|highlight) (?:all|everything|the (?:whole|entire))|\balles? (?:aus|markier|auswahl)|\btout selectionner|\bselectionner? tout|\bseleccionar? todo|全選択|全选/,
  b: /\bbold\b|\bfett\b|\bgras\b/,
  c: /\bcop(?:y|ies)\b|\bkopier|\bcopie[rz]?\b|コピー|复制/,
  f: /\b(?:find|search) (?:in|on) (?:the|this) page\b/,
  i: /\bitalic|\bkursiv|\bitalique/,
  p: /\bprint|\bdruck|\bimprim/,
  r: /\b(?:refresh|reload)|\bneu laden|\bactualis|\brecarg/,
  s: /\bsave\b|\bspeicher|\benregistre|\bsauvegarde|\bguarda|保存/,
  u: /\bunderline|\bunterstreich|\bsouligne/,
  v: /\bpaste|\beinfug|\bfuge\b|\bcolle[rz]?\b|\bpega[r]?\b|貼り付け|粘贴/,
  x: /\bcut\b|\bausschneid|\bcoupe[rz]?\b|\bcorta[r]?\b/,
  y: /\bredo\b|\bwiederhol|\bretabli|\brehacer/,
  z: /\b(?:undo|redo)\b|\bruckgangig|\bannule[rz]?\b|\bdeshac/,
  delete: /\b(?:delete|remove|clear|erase)\b|\blosch|\bentfern|\bsupprim|\befface|\bborra|\belimina|削除|删除/,
  backspace: /\b(?:delete|remove|clear|erase)\b|\blosch|\bentfern|\bsupprim|\befface|\bborra|\belimina|削除|删除/,
  f5: /\b(?:refresh|reload)|\bneu laden|\bactualis|\brecarg/,
};

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  enter: ['return', 'submit', 'eingabetaste', 'eingabe', 'entree', 'intro', 'invio', 'エンター', '回车'],
  escape: ['esc', 'echap'],
  control: ['ctrl', 'strg'],
  controlormeta: ['ctrl', 'control', 'strg', 'cmd', 'command'],
  meta: ['cmd', 'command', 'windows', 'super', 'befehl'],
  alt: ['option'],
  shift: ['umschalt', 'maj', 'mayus'],
  delete: ['del', 'entf', 'suppr', 'supr'],
  backspace: ['back space', 'rucktaste'],
  tab: ['tabulator'],
  pagedown: ['page down', 'bild ab'],
  pageup: ['page up', 'bild auf'],
  arrowdown: ['down', 'runter', 'unten', 'bas', 'abajo'],
  arrowup: ['up', 'hoch', 'oben', 'haut', 'arriba'],
  arrowleft: ['left', 'links', 'gauche', 'izquierda'],
  arrowright: ['right', 'rechts', 'droite', 'derecha'],
  ' ': ['space', 'leertaste', 'espace', 'espacio'],
  '?': ['question mark', 'fragezeichen'],
  '!': ['exclamation mark'],
  '/': ['slash'],
  '.': ['period', 'full stop'],
  ',': ['comma'],
};
