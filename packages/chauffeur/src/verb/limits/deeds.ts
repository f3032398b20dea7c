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
  [/^write (?:an?|another)\b/, ['type', 'any']],
  [/^(?:type|key in|input|enter|write|fill(?: in| out| up)?)\b/, ['type']],
  [/^(?:uncheck|untick|unmark)\b/, ['uncheck']],
  [/^(?:check|tick)\b/, ['check']],
  [/^(?:scroll|page (?:up|down)|next ?chunk|prev(?:ious)? ?chunk)\b/, ['scroll']],
  [/^(?:hover|mouse over|move (?:the |your )?(?:mouse|pointer|cursor) (?:over|on|onto|to))\b/, ['hover']],
  [/^(?:focus|put the (?:cursor|focus))\b/, ['focus']],
  [/^drag\b/, ['drag']],
  [/^(?:upload|attach)\b/, ['upload']],
  [
    /^(?:read|tell|what|what's|whats|which|who|when|where|why|how|is|are|was|were|does|did|describe|summari[sz]e)\b/,
    ['read'],
  ],
];

/** Words with which a clause goes on to ask for something that is not as plain as those above. */
const OTHER_VERBS =
  /^(?:add|adjust|apply|assign|book|buy|cancel|change|choose|clear|close|collapse|complete|confirm|continue|copy|create|decline|delete|deselect|dismiss|download|drop|edit|empty|enable|disable|erase|expand|export|find|filter|go|import|insert|leave|log|look|make|mark|move|navigate|open|order|paste|pay|pick|place|play|post|publish|put|query|refresh|register|reject|remove|rename|reorder|replace|reply|reset|save|search|select|send|set|share|show|hide|hold|sign|sort|start|stop|submit|subscribe|switch|toggle|turn|update|use|view|visit|wait)\b/;

const COURTESY =
  /^(?:(?:please|kindly|now|ok(?:ay)?|then|next|first|finally|and|so|just|also)\b[,\s]*|(?:can|could|would|will) you\s+|(?:i|we)(?:'d| would)? (?:want|need|like)(?: you)? to\s+|let(?:'s| us) |go ahead and |try to |you (?:should|must) )+/;
const CLAUSE_END = /[,;.!?\n]\s*|\s+(?:and|then|or|before|after|by|to)\s+/;
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|(?<!\w)'[^']*'(?!\w)|`[^`]*`|‘[^’]*’/g;

/**
 * What an instruction asks for: by the verb that each of its clauses begins with, quoted text left out. A first clause that
 * begins with no word known here may ask for anything that its own words bear out.
 */
export function deedsIn(instruction: string): ReadonlySet<Deed> {
  const plain = instruction.replace(QUOTED, '"').toLowerCase().trim().replace(COURTESY, '');
  const clauses = plain.split(CLAUSE_END);
  const deeds = clauses.map((clause) => deedsOfClause(clause.trim().replace(COURTESY, '')));
  const [first = []] = deeds;
  return new Set<Deed>(first.length === 0 ? ['any', ...deeds.flat()] : deeds.flat());
}

function deedsOfClause(clause: string): readonly Deed[] {
  for (const [opening, deeds] of PHRASES) if (opening.test(clause)) return deeds;
  return OTHER_VERBS.test(clause) ? ['any'] : [];
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
