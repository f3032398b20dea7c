import { folded } from './words.ts';

/** What an instruction asks to be done, as far as its own words say it. */
export type Deed =
  | 'click'
  | 'type'
  | 'key'
  | 'check'
  | 'uncheck'
  | 'scroll'
  | 'hover'
  | 'focus'
  | 'drag'
  | 'upload'
  | 'doubleClick'
  | 'rightClick'
  | 'middleClick'
  | 'read'
  | 'any';

/** Phrases that say one thing only, each with what it asks for. The first that fits counts. */
const PHRASES: readonly (readonly [opening: RegExp, deeds: readonly Deed[]])[] = [
  [/^(?:double[- ]?click|dblclick)\b/, ['doubleClick']],
  [/^(?:right[- ]?click)\b/, ['rightClick']],
  [/^(?:middle[- ]?click)\b/, ['middleClick']],
  [/^(?:click|tap)\b/, ['click']],
  [/^(?:press|hit|push)\b/, ['click', 'key']],
  [/^write (?:an?|another|to)\b/, ['type', 'any']],
  [/^(?:tell|ask) (?!me\b|us\b)/, ['type', 'any']],
  [/^check (?:out|in)\b/, ['any']],
  [/^check (?:if|whether|how|what|when)\b/, ['read']],
  [/^(?:type|key in|input|enter|write|fill(?: in| out| up)?)\b/, ['type']],
  [/^(?:uncheck|untick|unmark)\b/, ['uncheck']],
  [/^(?:check|tick)\b/, ['check']],
  [/^(?:scroll|page (?:up|down)|next ?chunk|prev(?:ious)? ?chunk)\b/, ['scroll']],
  [/^(?:hover|mouse over|move (?:the |your )?(?:mouse|pointer|cursor) (?:over|on|onto|to))\b/, ['hover']],
  [/^(?:focus|put the (?:cursor|focus))\b/, ['focus']],
  [/^drag\b/, ['drag']],
  [/^(?:upload|attach)\b/, ['upload']],
  [/^(?:describe|summari[sz]e|explain)\b/, ['read', 'type']],
  [/^(?:read|tell|what|what's|whats|which|who|when|where|why|how|is|are|was|were|does|did)\b/, ['read']],
];

/** The same in other languages, without accents; a clause that begins with none of these may ask for anything. */
const FOREIGN_PHRASES: readonly (readonly [opening: RegExp, deeds: readonly Deed[]])[] = [
  [/^(?:doppelklicke?|double-?cliquez?|haz doble clic)\b/, ['doubleClick']],
  [/^(?:rechtsklicke?)\b/, ['rightClick']],
  [
    /^(?:klicke?|cliquez?|clique|haz clic|clica|clicca|fai clic|tippe? auf)\b|^(?:нажмите?|кликните?)(?!\p{L})/u,
    ['click'],
  ],
  [/^(?:drucke?|appuie|appuyez|pulsa|presiona|premi)\b/, ['click', 'key']],
  [/^(?:scrolle?|blattere?|fais defiler|faites defiler|desplaza\w*|scorri)\b/, ['scroll']],
  [/^(?:ziehe?|glisse[rz]?|arrastra|trascina)\b/, ['drag']],
];
/** Clauses in languages that put their verb last. */
const LATE_CLICK = /クリック|タップ|点击|點擊|单击/;
const LATE_ENTRY = /入力|書|记入|記入|填|输入|輸入|検索|搜索|選|选/;

/** Words with which a clause goes on to ask for something that is not as plain as those above. */
const OTHER_VERBS =
  /^(?:add|adjust|apply|assign|book|buy|cancel|change|choose|clear|close|collapse|complete|confirm|continue|copy|create|decline|delete|deselect|dismiss|download|drop|edit|empty|enable|disable|erase|expand|export|find|filter|go|import|insert|leave|log|look|make|mark|move|navigate|open|order|paste|pay|pick|place|play|post|publish|put|query|refresh|register|reject|remove|rename|reorder|replace|reply|reset|save|search|select|send|set|share|show|hide|hold|sign|sort|start|stop|submit|subscribe|switch|toggle|turn|update|use|view|visit|wait)\b/;

const COURTESY =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|next|first|finally|and|so|just|also)\b[,\s]*|(?:can|could|would|will) you\s+|(?:i|we)(?:'d| would)? (?:want|need|like)(?: you)? to\s+|let(?:'s| us) |go ahead and |try to |you (?:should|must) )+/;
const CLAUSE_END = /[,;.!?\n]\s*|\s+(?:and|then|or|before|after|by|to|und|dann|danach|et|puis|y|luego|poi)\s+/;
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)|`[^`]*`|‘[^’]*’/g;

/**
 * What an instruction asks for: by the verb that each of its clauses begins with, quoted text left out. A first clause that
 * begins with no word known here may ask for anything that its own words bear out, and so may what follows one in another language.
 */
export function deedsIn(instruction: string): ReadonlySet<Deed> {
  const plain = folded(instruction.replace(QUOTED, '"')).trim().replace(COURTESY, '');
  const clauses = plain.split(CLAUSE_END).map((clause) => clause.trim().replace(COURTESY, ''));
  const [first = ''] = clauses;
  const isForeign = deedsOfClause(first).length === 0;
  const deeds = clauses.flatMap((clause) => {
    const known = deedsOfClause(clause);
    return known.length === 0 && isForeign && clause !== '' ? foreignDeeds(clause) : known;
  });
  return new Set<Deed>(deeds.length === 0 ? ['any'] : deeds);
}

function deedsOfClause(clause: string): readonly Deed[] {
  for (const [opening, deeds] of PHRASES) if (opening.test(clause)) return deeds;
  return OTHER_VERBS.test(clause) ? ['any'] : [];
}

function foreignDeeds(clause: string): readonly Deed[] {
  for (const [opening, deeds] of FOREIGN_PHRASES) if (opening.test(clause)) return deeds;
  return LATE_CLICK.test(clause) && !LATE_ENTRY.test(clause) ? ['click'] : ['any'];
}

/** The form in which the library asks for the element of an action anew: the method, its arguments, what it is done to. */
const HEALING_FORM = /^(?<method>[A-Za-z]+)(?<values>(?:\s+"(?:[^"\\]|\\.)*")*)\s+on:\s/;

/** The method and arguments of an action that is to be healed; what it describes may come from a page and asks for nothing. */
export function healedAction(instruction: string): { method: string; arguments: readonly string[] } | null {
  const { method = '', values = '' } = HEALING_FORM.exec(instruction)?.groups ?? {};
  if (method === '') return null;
  const args = [...values.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([value]) => String(JSON.parse(value)));
  return { method, arguments: args };
}
