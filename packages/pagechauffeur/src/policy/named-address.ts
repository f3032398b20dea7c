/** A scheme and the text after it, or a placeholder. Excludes link numbers, and words before a colon. */
const ADDRESS_LIKE = /^(?:[a-z][\w+.-]*:|%)\S/i;
/** End of the text before a URL. Other characters could make the URL part of a longer one. */
const BEFORE = /(?:^|[^\w+.:/\\%-])$/;
/** Start of the text after a URL: white space, or punctuation of the sentence. */
const AFTER = /^(?:['’]s)?[.,;:!?)\]}>'"’”»…]*(?:$|\s|[^\x21-\x7E\p{L}\p{N}])/u;

/** True if the instruction contains exactly this URL. A part of a longer URL or word does not count. */
export function namesAddress(instruction: string, address: string): boolean {
  if (!ADDRESS_LIKE.test(address)) return false;
  for (let at = instruction.indexOf(address); at !== -1; at = instruction.indexOf(address, at + 1))
    if (BEFORE.test(instruction.slice(0, at)) && AFTER.test(instruction.slice(at + address.length))) return true;
  return false;
}
