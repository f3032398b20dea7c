import { stemsOf } from './words.ts';

/** Words that mean the same on controls. Each line is one group. */
const SAME = `
login signin logon
logout signout logoff
signup register registration
cart basket bag trolley
delete remove erase
add put plus append
new create compose start
write compose
edit modify change pencil
buy purchase order
search find lookup magnifying
email mail
phone telephone mobile tel
next following
previous back prior prev earlier
favourite favorite heart
setting preference configuration gear option
close dismiss exit quit x
confirm ok okay
accept agree consent allow approve
reject decline refuse deny
send submit post
picture photo image avatar pic
color colour
postcode zipcode postalcode zip postal
town city
quantity qty amount
username user
surname lastname familyname
firstname givenname forename
decrease fewer less minus decrement reduce
increase more plus increment raise
mute silence
sound volume audio
reserve book
all every everyone everything everybody each entire whole any
clear reset empty
show reveal display visible view see
remember keep stay
download export
upload attach
refresh reload
folder directory
expiry expiration expires exp
coupon voucher promo discount
delivery shipping
collapse fold
expand unfold
help support
bookmark favourite favorite
minimum min
maximum max
cheap cheapest low lowest
expensive high highest
dark night
content text
trash bin rubbish
song track title
movie film video
number no nr num
start begin
begin start departure from
tv television
cvc cvv cvn
readme read
info information detail
profile account
homepage home
dropdown select
image picture
copy duplicate
rent hire
`;

/** Words that often mean the same. Each line is one group. */
const RELATED = `
username email
like favourite favorite star heart
save favourite favorite
flag report
play start resume
remove minus fewer decrease
save bookmark keep
new write add
create add
message email
register account create
buy checkout cart
choose select
continue proceed next
glass search
purchase checkout
send finish
close delete cancel
hide close collapse
delete trash bin
more plus add
write compose create new
include show
continue login signup
star favourite
member user person
update edit
update save
back return
music audio player
enable on
disable off
`;

const SAME_QUALITY = 0.9;
const RELATED_QUALITY = 0.65;
const groupsByStem = new Map<string, Map<number, number>>();

function learn(groups: string, quality: number, firstId: number): number {
  const lines = groups.trim().split('\n');
  for (const [index, line] of lines.entries()) {
    for (const stem of stemsOf(line)) {
      const known = groupsByStem.get(stem) ?? new Map<number, number>();
      known.set(firstId + index, quality);
      groupsByStem.set(stem, known);
    }
  }
  return firstId + lines.length;
}

learn(RELATED, RELATED_QUALITY, learn(SAME, SAME_QUALITY, 0));

/** Returns how similar two stems are, from 0 to 1: by meaning or by a common beginning. */
export function similarity(left: string, right: string): number {
  if (left === right) return 1;
  return Math.max(sharedMeaning(left, right), sharedBeginning(left, right));
}

function sharedMeaning(left: string, right: string): number {
  const ours = groupsByStem.get(left);
  const theirs = groupsByStem.get(right);
  if (!ours || !theirs) return 0;
  let best = 0;
  for (const [group, quality] of ours) if (theirs.has(group) && quality > best) best = quality;
  return best;
}

const SHORTEST_BEGINNING = 5;
const LONGEST_REST = 5;
const BEGINNING_QUALITY = 0.8;

/** Matches stems with the same beginning and short endings, such as "invit" and "invitation". */
function sharedBeginning(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  if (shorter < SHORTEST_BEGINNING || left.charCodeAt(0) !== right.charCodeAt(0)) return 0;
  let length = 0;
  while (length < shorter && left.charCodeAt(length) === right.charCodeAt(length)) length += 1;
  return length >= SHORTEST_BEGINNING &&
    Math.max(left.length, right.length) - length <= LONGEST_REST &&
    shorter - length <= 2
    ? BEGINNING_QUALITY
    : 0;
}

const LONGEST_SUFFIX = 5;

/** True if two stems count as the same word: equal, synonyms or derived from each other. */
export function isSameWord(left: string, right: string): boolean {
  return (
    left === right || sharedMeaning(left, right) >= SAME_QUALITY || isDerived(left, right) || isDerived(right, left)
  );
}

/** True for "invitation" and "invit", but not for "australia" and "austria". */
function isDerived(longer: string, base: string): boolean {
  return base.length >= SHORTEST_BEGINNING && longer.length - base.length <= LONGEST_SUFFIX && longer.startsWith(base);
}
