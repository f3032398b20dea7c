/** A URL or a placeholder. Link numbers and words before a colon do not match. */
const ADDRESS_LIKE = /^(?:[a-z][\w+.-]*:|%)\S/i;
/** Text before a URL. After other characters, it would be part of a longer URL. */
const BEFORE = /(?:^|[^\w+.:/\\%-])$/;
/** Text after a URL: white space, or punctuation of the sentence. */
const AFTER = /^(?:['’]s)?[.,;:!?)\]}>'"’”»…]*(?:$|\s|[^\x21-\x7E\p{L}\p{N}])/u;

/** True if the instruction contains exactly this URL. Parts of a longer URL or word do not count. */
export function namesAddress(instruction: string, address: string): boolean {
  if (!ADDRESS_LIKE.test(address)) return false;
  for (let at = instruction.indexOf(address); at !== -1; at = instruction.indexOf(address, at + 1))
    if (BEFORE.test(instruction.slice(0, at)) && AFTER.test(instruction.slice(at + address.length))) return true;
  return false;
}
