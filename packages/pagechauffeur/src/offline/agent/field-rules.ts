import type { Asked } from './clause.ts';
import { type ClauseRule, HIDDEN, type Parts, rule } from './clause-rule.ts';
import { credentialsIn, formValuesIn } from './read-values.ts';

/** Patterns for filling fields and submitting them. */
export const FIELD_RULES: readonly ClauseRule[] = [
  rule(
    `(?:log|sign) ?in(?:to| to)?(?: (?!with\\b|as\\b|using\\b|by\\b)[^,]+?)?,? (?<values>(?:with|as|using|by) .+)`,
    logIn,
  ),
  rule(`authenticate (?<values>(?:with|as|using) .+)`, logIn),
  rule(
    `(?:fill|complete|populate|enter)(?: in| out| up)? (?<place>(?:(?:the|this|that|a|my|your) )?[\\w -]*?(?:address|details|data|information|section|part|group|fields))(?:,? (?:with|using|as follows)[:,]?|:) (?<values>.+)`,
    form,
  ),
  rule(
    `(?:fill|complete|populate)(?: in| out| up)?(?: (?:the|this|that|a|my))?(?: [\\w-]+){0,4} forms?(?:,? (?:with|using|as follows|like this)[:,]?|[:,]| -)? (?<values>.+)`,
    form,
  ),
  rule(`(?:fill|complete|populate|enter|type|set|put|change|update)(?: in| out)?:? (?<values>.+)`, form),
  rule(`(?:subscribe|sign up|register|enrol) (?<value>${HIDDEN}|\\S+@\\S+) (?:to|for|with) (?<place>.+)`, subscribe),
  rule(
    `(?:apply|redeem|use) (?<place>(?:(?:the|my|our|a|an|this) )?(?:[\\w-]+ )?(?:code|voucher|coupon)) (?<value>${HIDDEN}|(?=\\S*\\d)\\S+)`,
    subscribe,
  ),
  rule(
    `(?:search|look|query|google)(?: (?<place>(?:in|on|through) .+?|the .+?))? for (?<value>.+?)(?: (?<where>(?:in|on|with|using) (?:the|this) .+))?`,
    search,
  ),
  rule(`(?:search|query|look up|google) (?<value>${HIDDEN})`, search),
  rule(`(?:find|locate|look for) (?:the |an? |my )?(?<value>[^,]+)`, ({ plain }) => ({
    kind: 'find',
    value: plain('value'),
    place: null,
  })),
  rule(`(?:submit|send)(?: (?:it|this|that|(?:the |this |that )?form|them))?`, () => ({ kind: 'submit' })),
];

function logIn({ written }: Parts): Asked | null {
  const values = credentialsIn(written('values'));
  return values && { kind: 'logIn', values };
}

function form({ written, has }: Parts): Asked | null {
  const values = formValuesIn(written('values'));
  const place = has('place') ? written('place') : null;
  return values.length > 1 ? { kind: 'form', values, place } : null;
}

/** "subscribe ada@x.test to the newsletter": one field and the button next to it. */
function subscribe({ plain, written }: Parts): Asked {
  return { kind: 'subscribe', field: written('place'), value: plain('value') };
}

function search({ plain, written, has }: Parts): Asked {
  const place = has('place') ? written('place') : has('where') ? written('where') : null;
  return {
    kind: 'search',
    value: plain('value'),
    place: place && place.replace(/^(?:in|on|through|with|using)\s+/i, ''),
  };
}
