/** What an element's tag alone says about it. */
export interface TagFacts {
  readonly tag: string;
  /** Not read at all. */
  readonly isUnread: boolean;
  /** SVG content that is not rendered in place. Not read if the document has no `use` elements. */
  readonly isUnusedSvg: boolean;
  /** Has no content to read. `select` and `svg` may have some. */
  readonly isLeaf: boolean;
  /** Shows something else than text. */
  readonly isReplaced: boolean;
  /** An inline element whose text counts in a name like the text around it. Has no line or behavior of its own. */
  readonly isPlain: boolean;
  /** A part of a formula. */
  readonly isMath: boolean;
  /** The element's state can change without an event. */
  readonly isWatched: boolean;
  /** The tag is a valid name for a custom element. */
  readonly isCustom: boolean;
  /** The element may be the host of a shadow root. */
  readonly mayBeHost: boolean;
  /** The element's style depends on state, or on more than attributes. */
  readonly isStyledByState: boolean;
  /** The browser's default style sheet clips the element. */
  readonly isClippedByDefault: boolean;
}

const UNREAD = setOf('datalist head link meta noscript param rp script source style template title track');
const UNUSED_SVG = setOf('defs symbol clipPath mask marker pattern');
const LEAVES = setOf('audio embed frame hr iframe img input meter progress textarea video');
const REPLACED = setOf('audio canvas embed frame iframe img input meter object progress select svg textarea video');
const PLAIN = setOf('b big cite code em font i kbd s samp small span strong sub sup tt u var');
const MATH = setOf(
  'annotation annotation-xml math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mroot mrow ms mspace msqrt ' +
    'mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics',
);
const WATCHED = setOf('dialog input option select textarea');
const STYLED_BY_STATE = setOf(
  'audio body canvas dialog embed fieldset form frame frameset html iframe input legend marquee math meter object optgroup option ' +
    'progress select selectedcontent slot summary svg textarea video',
);
const CLIPPED = setOf('hr img');
/** Built-in elements that can host a shadow root. Without `body`: otherwise every document would have a possible host. */
const HOST_TAGS = 'div span p section article h2 h3 nav aside blockquote footer h1 h4 h5 h6 header main';
const HOSTS = setOf(HOST_TAGS);

/** A snapshot asks for the same few tags again and again, and one look-up is faster than one for each fact. */
export function tagFactsOf(tag: string): TagFacts {
  const known = factsByTag.get(tag);
  if (known) return known;
  const facts: TagFacts = {
    tag,
    isUnread: UNREAD.has(tag),
    isUnusedSvg: UNUSED_SVG.has(tag),
    isLeaf: LEAVES.has(tag),
    isReplaced: REPLACED.has(tag),
    isPlain: PLAIN.has(tag),
    isMath: MATH.has(tag),
    isWatched: WATCHED.has(tag),
    isCustom: tag.includes('-'),
    mayBeHost: mayHostShadowRoot(tag),
    isStyledByState: STYLED_BY_STATE.has(tag),
    isClippedByDefault: CLIPPED.has(tag),
  };
  // A page can make up any number of tags.
  if (factsByTag.size === MOST_TAGS) factsByTag.clear();
  factsByTag.set(tag, facts);
  return facts;
}

const factsByTag = new Map<string, TagFacts>();
const MOST_TAGS = 1000;

export function mayHostShadowRoot(tag: string): boolean {
  return HOSTS.has(tag) || tag.includes('-');
}

function setOf(tags: string): ReadonlySet<string> {
  return new Set(tags.split(' '));
}
