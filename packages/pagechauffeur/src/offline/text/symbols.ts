/** What symbols on icon buttons mean. */
const WORDS_BY_SYMBOL: Readonly<Record<string, string>> = {
  '×': 'close',
  '✕': 'close',
  '✖': 'close',
  '✗': 'close',
  '╳': 'close',
  '›': 'next',
  '→': 'next',
  '▶': 'play',
  '»': 'last',
  '⏭': 'next',
  '⏩': 'forward',
  '‹': 'previous',
  '←': 'previous',
  '«': 'first',
  '⏮': 'previous',
  '⏪': 'rewind',
  '⏸': 'pause',
  '⏹': 'stop',
  '⏺': 'record',
  '☰': 'menu',
  '≡': 'menu',
  '⋮': 'more',
  '⋯': 'more',
  '…': '',
  '⚙': 'settings',
  '🔍': 'search',
  '🔎': 'search',
  '🗑': 'delete',
  '✎': 'edit',
  '✏': 'edit',
  '🖉': 'edit',
  '★': 'star',
  '☆': 'star',
  '♥': 'like',
  '♡': 'like',
  '❤': 'like',
  '👍': 'like',
  '👎': 'dislike',
  '🛒': 'cart',
  '🔔': 'notifications',
  '🏠': 'home',
  '👤': 'account',
  '📎': 'attach',
  '⭳': 'download',
  '⟳': 'refresh',
  '↻': 'refresh',
  '↺': 'undo',
  '↶': 'undo',
  '↷': 'redo',
  '⇄': 'swap',
  '⛶': 'fullscreen',
  '✓': 'done',
  '✔': 'done',
  '−': 'minus',
  '＋': 'plus',
  '🔊': 'sound',
  '🔇': 'mute',
  '👁': 'show',
};
const SYMBOL = new RegExp(`[${Object.keys(WORDS_BY_SYMBOL).join('')}]`, 'gu');

/**
 * Replaces symbols with words, so that "×" matches "close". Replaces characters such as `x` and `?` only if they are
 * the whole text.
 */
export function spellSymbols(text: string): string {
  const lone = LONE_SYMBOLS.get(text.trim());
  if (lone !== undefined) return lone;
  return text
    .replace(LETTER_SYMBOL, (symbol) => ` ${symbol === '#' ? 'sharp' : 'plus'} `)
    .replace(SYMBOL, (symbol) => ` ${WORDS_BY_SYMBOL[symbol] ?? ''} `);
}

/** The symbol in a name such as `C#` or `C++`. */
const LETTER_SYMBOL = /(?<=(?:^|[^\p{L}\p{N}])\p{L}\+*)[#+]/gu;

const LONE_SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '+': 'plus',
    '-': 'minus',
    '–': 'minus',
    x: 'close',
    X: 'close',
    '>': 'next',
    '<': 'previous',
    '?': 'help',
    '...': 'more',
  }),
);
