import type { Intent } from './reading.ts';

/** A sentence pattern with the named groups `target`, `value` and `object`. */
export interface Rule {
  readonly pattern: RegExp;
  readonly intents: readonly Intent[];
  readonly prior: number;
}

const WRITE = '(?:type|enter|input|write|put|insert|paste|key in|fill in|fill)';
const SET = '(?:set|change|update|switch|adjust|modify|edit|make|turn|rename|replace|move|put)';
const CHOOSE = '(?:select|choose|pick|set|use|take|answer|change to|switch to|go for|opt for)';
const DROP_WORDS = 'to|onto|into|over|on|above|below|before|after|between|under|behind|next to';
const IN = '(?:in|into|in to|inside|to|on|onto|as|for|at|under)';
/** Excludes text entry such as "type 'FAQ' into it" from the click patterns. */
const NOT_WRITTEN = '(?!(?:type|write|paste|insert|key in) (?:[\\uE000-\\uE3FF]|.+ (?:in|into|to)\\b))';
const CHECK =
  '(?:check|tick|mark|include|enable|activate|turn on|switch on|accept|agree(?: to| with)?|(?:confirm|acknowledge|affirm)(?: that)?|opt in(?: to)?|select)';
const UNCHECK =
  '(?:uncheck|untick|unmark|deselect|unselect|disable|deactivate|turn off|switch off|opt out(?: of)?|stop)';
const KEY =
  '(?:enter|return|escape|esc|tab|space(?:bar)?|backspace|delete|home|end|page ?(?:up|down)|arrow ?(?:up|down|left|right)|(?:up|down|left|right) arrow|f\\d{1,2}|(?:(?:ctrl|control|cmd|command|alt|shift|meta)\\s*\\+\\s*)+\\w+)';

function rule(pattern: string, intents: Intent | readonly Intent[], prior = 1): Rule {
  return {
    pattern: new RegExp(`^${pattern}$`, 'i'),
    intents: typeof intents === 'string' ? [intents] : intents,
    prior,
  };
}

/**
 * Sentence patterns, most specific first. Every match contributes readings. The last patterns match almost any
 * sentence.
 */
export const RULES: readonly Rule[] = [
  rule(
    `(?:press|hit|push|use)(?: the)? (?<value>${KEY})(?: key| button)?(?: (?:in|on|inside|within|at) (?<target>.+))?`,
    'press',
  ),
  rule(`double[- ]?click(?: on)? (?<target>.+)`, 'doubleClick'),
  rule(`(?:right[- ]?click(?: on)?|open the context menu (?:of|for|on)) (?<target>.+)`, 'rightClick'),
  rule(`(?:hover|mouse|move the mouse)(?: over| on| onto)? (?<target>.+)`, 'hover'),
  rule(`(?:focus|put the (?:cursor|focus) (?:in|into|on))(?: on)? (?<target>.+)`, 'focus'),
  rule(`tap(?: on)? (?<target>.+)`, 'tap'),
  rule(
    String.raw`(?:drag|move|slide|pull|push) (?<target>.+? (?:slider|knob|handle|thumb)) (?:up |down )?to (?<value>-?\d[\d.,]*\s?%?)`,
    'write',
  ),
  rule(`(?:drag|move) (?<target>.+?) (?:and drop (?:it )?)?(?:${DROP_WORDS}) (?<object>.+)`, 'drag', 0.98),
  rule(
    `scroll(?: the page)?(?: all the way)? (?:to )?(?:the )?(?<value>down|up|top|bottom|end)(?: of the page| a bit| more)?`,
    'scrollPage',
  ),
  rule(`scroll (?:down |up )?(?:to|until you see|until) (?<target>.+?)(?: is visible)?`, 'scrollTo'),
  rule(`scroll (?<target>.+?) into view`, 'scrollTo'),
  rule(
    `(?:upload|attach|choose|select) (?:the )?(?:file |image |document )?(?<value>[^\\s]+\\.\\w{1,5}|[\\uE000-\\uE3FF])(?: file)? ${IN} (?<target>.+)`,
    'upload',
  ),
  rule(
    `(?:upload|attach) (?:the )?(?:file |image |document )?(?<value>[^\\s]+\\.\\w{1,5}|[\\uE000-\\uE3FF])`,
    'upload',
    0.95,
  ),
  rule(
    `(?:clear|empty|erase|blank out|delete the (?:text|content|contents|value) (?:of|in|from)) (?<target>.+)`,
    'clear',
    0.97,
  ),
  rule(`${UNCHECK} (?<target>.+)`, 'uncheck'),
  rule(`(?:remove|take) the (?:check|tick|checkmark|tick mark) (?:from|off|at|next to) (?<target>.+)`, 'uncheck'),
  rule(`${CHECK} (?<target>.+)`, 'check'),
  rule(
    `(?:search|look|google|query|ask)(?: again)? for (?<value>.+?) (?:in|on|with|using) (?<target>.+)`,
    'search',
    0.96,
  ),
  rule(`(?<target>(?:search|look|query)(?:(?: in| through)? .+?)?)(?: again)? for (?<value>.+)`, 'search', 0.98),
  rule(`(?<target>(?:search|find|look up|lookup)) (?!for\\s)(?<value>.+)`, 'write', 0.8),
  rule(`${WRITE} (?<value>.+?) ${IN} (?<target>.+)`, 'write'),
  // Requires a noun for a field: "add … to the list" does not type anything.
  rule(`add (?<value>.+?) (?:in|into|to) (?<target>.+ (?:field|box|input|textbox|textarea|area|editor))`, 'write'),
  rule(`${WRITE} (?<value>.+) ${IN} (?<target>.+)`, 'write', 0.99),
  rule(
    `(?:fill|fill in|fill out|complete|populate|replace|overwrite) (?<target>.+?) (?:with|by) (?<value>.+)`,
    'write',
  ),
  rule(`(?:fill|fill in|enter|type|set) (?<target>.+?) as (?<value>.+)`, 'write', 0.9),
  rule(`(?<target>${SET} .+?) (?:to be|to|=|as|into) (?<value>.+)`, ['write', 'choose']),
  rule(`(?<target>${SET} .+) (?:to|=|as) (?<value>.+)`, ['write', 'choose'], 0.99),
  rule(`(?<target>.+?)\\s*[:=]\\s+(?<value>.+)`, ['write', 'choose'], 0.97),
  rule(
    `(?:fill in|fill|fill out|type|enter|input|write|search|find|use|set|apply) (?!(?:for|of)\\s)(?!.*\\s(?:in|into|onto|to|as|for|from)\\s)(?<target>[^\\uE000-\\uE3FF]+)(?<!\\b(?:to|into|in|onto|on|from|for|of|the|my|your|an?)) (?<value>[\\uE000-\\uE3FF]|\\S+)`,
    'write',
    0.9,
  ),
  rule(
    `(?:type|enter|input|write|fill in|fill|paste) (?!(?:a|an|the|my|your|our|some|for|of)\\b)(?<value>.+)`,
    'write',
    0.85,
  ),
  rule(`${CHOOSE} (?<value>.+?) (?:from|out of|in|on|as|for|under|at|of|to|with) (?<target>.+)`, 'choose'),
  rule(`${CHOOSE} (?<value>.+) (?:from|out of|in|on|as|for|under|at|of|to|with) (?<target>.+)`, 'choose', 0.99),
  rule(`(?<target>.+?) (?:should be|must be|shall be|is) (?<value>.+)`, ['write', 'choose'], 0.9),
  rule(`(?<target>.+) at (?<value>\\d\\S*)`, 'write', 0.9),
  rule(`${NOT_WRITTEN}(?<target>.+)`, 'option', 0.95),
  rule(`${NOT_WRITTEN}(?<target>.+)`, 'use', 0.97),
];
