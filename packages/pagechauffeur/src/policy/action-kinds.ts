import type { Clause, InstructionText } from './clauses.ts';

/** What an instruction asks for. `read`: only information; `any`: no specific method. */
export type ActionKind =
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

/** Phrases at the start of a clause, and the kinds of action that they allow. The first match is used. */
const PHRASES: readonly (readonly [opening: RegExp, kinds: readonly ActionKind[]])[] = [
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

/**
 * Like {@link PHRASES}, for other languages, without accents. A clause that matches no phrase allows any kind of
 * action.
 */
const FOREIGN_PHRASES: readonly (readonly [opening: RegExp, kinds: readonly ActionKind[]])[] = [
  [/^(?:doppelklicke?|double-?cliquez?|haz doble clic)\b/, ['doubleClick']],
  [/^(?:rechtsklicke?)\b/, ['rightClick']],
  [
    /^(?:klicke?n?(?: sie)?|klik|cliquez?|clique[rz]?|ha(?:z|ga) clic|clica|clicca(?:re)?|fa(?:i|re|te) clic|tippe?n?(?: sie)? auf)\b|^(?:нажмите?|кликните?|щелкните?)(?!\p{L})/u,
    ['click'],
  ],
  [
    /^(?:drucke?n?(?: sie)?|appuie[rz]?|appuyez|pulsa[r]?|pulse|presiona[r]?|presione|premi|premere)\b/,
    ['click', 'key'],
  ],
  [/^(?:scrolle?|blattere?|fais defiler|faites defiler|desplaza\w*|scorri)\b/, ['scroll']],
  [/^(?:ziehe?|glisse[rz]?|arrastra|trascina)\b/, ['drag']],
];
/** Words for a click in scripts without spaces, where the verb can come last. */
const LATE_CLICK = /クリック|タップ|点击|點擊|单击/;
const LATE_ENTRY = /入力|書|记入|記入|填|输入|輸入|検索|搜索|選|选/;

/** Verbs that allow any kind of action. */
const OTHER_VERBS =
  /^(?:add|adjust|append|apply|assign|book|buy|cancel|change|choose|clear|close|collapse|complete|confirm|continue|copy|create|decline|delete|deselect|dismiss|download|drop|edit|empty|enable|disable|erase|expand|export|find|filter|go|import|insert|leave|log|look|make|mark|move|navigate|open|order|paste|pay|pick|place|play|post|publish|put|query|refresh|register|reject|remove|rename|reorder|replace|reply|reset|save|search|select|send|set|share|show|hide|hold|sign|sort|start|stop|submit|subscribe|switch|toggle|turn|update|use|view|visit|wait)\b/;

/**
 * Reads the verb of each clause outside quotes. If the first verb is unknown, the instruction counts as foreign:
 * clauses with unknown verbs then allow any kind of action, unless a foreign phrase matches.
 */
export function actionKindsIn(instruction: InstructionText): ReadonlySet<ActionKind> {
  const kinds = readActionKinds(instruction).flatMap((clause) => clause.kinds);
  return new Set<ActionKind>(kinds.length === 0 ? ['any'] : kinds);
}

export interface ClauseKinds {
  /** Empty if the clause has no known verb. */
  readonly kinds: readonly ActionKind[];
  /**
   * The clause, without its verb if that is in a list of phrases. Quotations and placeholders are sealed, see {@link
   * Clause}.
   */
  readonly object: string;
}

export function readActionKinds(instruction: InstructionText): readonly ClauseKinds[] {
  const clauses = instruction.unquoted.clauses('verb');
  const isForeign = clauses[0] === undefined || kindsByVerb(clauses[0]) === undefined;
  return clauses.map((clause) => {
    const known = kindsByVerb(clause) ?? (isForeign ? foreignClauseKinds(clause) : undefined);
    return known ?? { kinds: [], object: clause.text };
  });
}

function kindsByVerb({ text }: Clause): ClauseKinds | undefined {
  for (const [opening, kinds] of PHRASES) {
    const verb = opening.exec(text)?.[0];
    if (verb !== undefined) return { kinds, object: text.slice(verb.length) };
  }
  return OTHER_VERBS.test(text) ? { kinds: ['any'], object: text } : undefined;
}

function foreignClauseKinds({ text }: Clause): ClauseKinds {
  for (const [opening, kinds] of FOREIGN_PHRASES) {
    const verb = opening.exec(text)?.[0];
    if (verb !== undefined) return { kinds, object: text.slice(verb.length) };
  }
  const isClick = LATE_CLICK.test(text) && !LATE_ENTRY.test(text);
  return isClick ? { kinds: ['click'], object: text.replace(LATE_CLICK, ' ') } : { kinds: ['any'], object: text };
}
