/**
 * Matches the description of a value instead of a literal one: "my name", "a valid address", "tomorrow". Excludes names
 * such as "The Arcs".
 */
const DESCRIBED =
  /^(?:(?:an?|the|some|any|my|your|his|her|our|their|its|this|that|these|those|each|every|no|not|random|valid|fake|dummy|whatever|the same|twice|half|double)\s+\S|(?:today|tomorrow|yesterday)['’]s\s.*|either\s.*|(?:today|tomorrow|yesterday|now|something|anything|nothing|everything|whatever|it|them|this|that|none|(?:next|last) \w+)$)/;
/** Matches a value that was split off at the wrong preposition, because it mentions another field or value. */
const WRONG_SPLIT =
  /\s(?:as|in|into|to|for|from|under)\s.*\band\b|\b(?:field|box|input|textbox|checkbox|dropdown|button)s?\b/i;
/** Matches a value followed by a remark ("me@x.example - put it in the form") or an exclusion ("Bonn, not Berlin"). */
const TRAILING_REMARK = /\s[-–—]\s|,\s*(?:and\s+|but\s+)?not\s|\s(?:rather than|instead of|but not)\s/i;
/** A preposition that may introduce a field. Only relevant if the instruction names no field elsewhere. */
const NAMES_FIELD = /\s(?:in|into|inside|onto|on|as|for|under|below|above|beside|at|to|with|by)\s/i;
/** Matches where to search, which is not part of the query, as in "shoes on this site". */
const LOCATION_PHRASE = /\s(?:in|on|at|inside|within|using|via|with)\s+(?:the|this|that|its|your|my)\s/i;
const SIGN = /[\uE000-\uE3FF]/;

/** True if the words can be typed literally. Quotations must be masked. */
export function isPlainValue(
  words: string,
  { hasField, isSearch = false }: { readonly hasField: boolean; readonly isSearch?: boolean },
): boolean {
  if (SIGN.test(words)) return !/\s/.test(words);
  if (isSearch && LOCATION_PHRASE.test(words)) return false;
  return (
    !DESCRIBED.test(words) &&
    !TRAILING_REMARK.test(words) &&
    !WRONG_SPLIT.test(words) &&
    (hasField || !NAMES_FIELD.test(words))
  );
}
