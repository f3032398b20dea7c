/** A scheme and what follows it, or a placeholder. Not the number of a link, and not a word before a colon. */
const ADDRESS_LIKE = /^(?:[a-z][\w+.-]*:|%)\S/i;
/** The last character before a URL may not belong to it. */
const BEFORE = /(?:^|[^\w+.:/\\%-])$/;
/** What may follow a URL: the end, white space, or punctuation of the sentence. */
const AFTER = /^(?:['’]s)?[.,;:!?)\]}>'"’”»…]*(?:$|\s|[^\x21-\x7E\p{L}\p{N}])/u;

/** True if the instruction contains this URL whole. A part of a URL or of a word does not count. */
export function namesAddress(instruction: string, address: string): boolean {
  if (!ADDRESS_LIKE.test(address)) return false;
  for (let at = instruction.indexOf(address); at !== -1; at = instruction.indexOf(address, at + 1))
    if (BEFORE.test(instruction.slice(0, at)) && AFTER.test(instruction.slice(at + address.length))) return true;
  return false;
}
