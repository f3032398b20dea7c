import { stem } from '../text/stem.ts';
import { wordList } from '../text/word-list.ts';
import { isActionVerb, isAlsoNoun } from '../text/word-classes.ts';

/** Verbs that start a clause wherever they occur. */
const VERBS = wordList(`
click press tap hit double-click doubleclick right-click rightclick choose pick select tick untick uncheck deselect unselect type enter input write
fill insert paste go navigate browse visit scroll hover drag attach submit send wait accept dismiss decline reject verify ensure assert
confirm read tell report login logout signin signout add remove delete edit rename create buy pay cancel expand collapse hide apply
reload refresh proceed continue pause subscribe unsubscribe publish archive increase decrease replace enable disable activate deactivate
register get give erase open toggle move put turn follow unfollow checkout save upload download make
`);
/** Verbs that may also be nouns or adjectives, such as "comment" in "name, address and comment". */
const DOUBTFUL = wordList(`
order book post request review rate call contact star share comment record filter sort set change update search look find check mark copy
print play start stop view use return reply like place switch load push close clear empty complete show reserve join
leave skip finish focus export import zoom see note answer do don't never keep rename sign log reset undo redo
`);
/** Verbs that can be a whole clause at the end of a sentence, as in "type mugs and search". */
const ALONE = wordList(`
submit search save send continue confirm proceed checkout login logout signin signout reload refresh publish apply pay subscribe
register archive reply print close
`);
/** Words that form one verb, or a verb with the start of its object. */
const PAIRS =
  /^(?:log|sign) ?(?:in|out|up|off|on)\b|^check (?:out|in|that|whether|if)\b|^go (?:back|to)\b|^search (?:for|in|the)\b|^look (?:for|up|at)\b|^make sure\b|^find (?:out|the|a|an)\b|^press (?:enter|return|escape|esc|tab|space|delete|backspace|home|end|page|arrow|f\d|ctrl|control|cmd|alt|shift|[\uE000-\uE3FF])|^(?:switch|change|return) to\b|^do not\b|^use the\b|^sort (?:by|it|them)\b|^filter (?:by|for)\b|^turn (?:on|off)\b|^set [\w ]+ to\b|^(?:open|close|press|tap|hit|view|show|leave|mark|copy|print|start|stop|order|rate|share|place|update|change|check|set|use|clear|see) (?:the|a|an|my|your|our|its|his|her|their|this|that|these|those|it|them|all|every|each|any|both|only|one|[\uE000-\uE3FF])/i;
/** A word before an article or pronoun is a verb, even if it can also be a noun. */
const OBJECT =
  /^\S+\s+(?:(?:in|out|up|off|on|down|back|to|for|over|through|at|by|into|with|until|me|us)\s+)?(?:the|a|an|my|your|our|its|his|her|their|this|that|these|those|it|them|me|us|all|every|each|any|both|only|for|up|[\uE000-\uE3FF])(?![a-z])/i;
/** Verbs that need no object, as in "submit and wait for the answer". */
const WHOLE = wordList(`
submit save search continue confirm proceed login logout signin signout checkout reload refresh publish apply send subscribe wait register
`);

const verbs = new Set(VERBS);
const doubtful = new Set(DOUBTFUL);
const alone = new Set(ALONE);
const whole = new Set(WHOLE);

/**
 * True if this part of a sentence starts a clause, and is not just another item in a list of nouns. Quotations must be
 * masked.
 */
export function beginsClause(part: string): boolean {
  const [first = ''] = part.split(/[\s,.;:!?]+/, 1);
  const word = first.toLowerCase();
  const isName = first !== word;
  const rest = part
    .slice(first.length)
    .replace(/[.!?]+$/, '')
    .trim();
  if (PAIRS.test(part) && (!isName || OBJECT.test(part))) return true;
  if (rest === '') return !isName && (alone.has(word) || isPureVerb(word));
  if (verbs.has(word) && !isName) return true;
  return (verbs.has(word) || doubtful.has(word)) && OBJECT.test(part);
}

/** True for an action verb that is never a noun, as in "and deploy". */
function isPureVerb(word: string): boolean {
  const verb = stem(word);
  return isActionVerb(verb) && !isAlsoNoun(verb);
}

/** True for a lone verb that shares the object of the next clause, as "read" in "read and accept the terms". */
export function lacksObject(part: string): boolean {
  const word = part.toLowerCase().trim();
  return /^[\w-]+$/.test(word) && (verbs.has(word) || doubtful.has(word)) && !whole.has(word);
}

export function beginsWithVerb(part: string): boolean {
  const [word = ''] = part.toLowerCase().split(/[\s,.;:!?]+/, 1);
  return verbs.has(word) || doubtful.has(word) || whole.has(word) || PAIRS.test(part);
}
