import type { ActAnswer } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ElementPlace, phraseOf, placesOf } from '../verb/element-place.ts';
import type { ActResult } from './act-result.ts';

/** As many elements as a person looks through. */
const MOST_NAMED = 8;

/** The answer to an instruction for which there is no step: nothing fits, or several elements do. */
export function noStep(instruction: string, { outcome, reason, candidates }: ActAnswer, snapshot: Snapshot): ActResult {
  const refs = [...new Set(candidates)].filter((ref) => snapshot.refs.has(ref));
  const places = placesOf(snapshot, refs);
  const said = JSON.stringify(instruction);
  if (outcome === 'ambiguous' && refs.length > 1)
    return refusal(instruction, ambiguity(said, refs, { snapshot, places }));
  const nearest = refs.slice(0, MOST_NAMED).map((ref) => phraseOf(snapshot, ref, places.get(ref)));
  const hint = nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : '';
  return refusal(instruction, `Nothing on the page fits ${said}: ${reason}${hint}`);
}

function refusal(instruction: string, message: string): ActResult {
  return { success: false, message, actionDescription: instruction };
}

interface Found {
  readonly snapshot: Snapshot;
  readonly places: ReadonlyMap<string, ElementPlace>;
}

function ambiguity(said: string, refs: readonly string[], { snapshot, places }: Found): string {
  const phrases = refs.map((ref) => phraseOf(snapshot, ref, places.get(ref)));
  const named = phrases.slice(0, MOST_NAMED).map((phrase, index) => {
    const isAlone = phrases.filter((other) => other === phrase).length === 1;
    const place = places.get(refs[index] ?? '');
    const position = isAlone || !place ? '' : `, number ${place.position} of ${place.count} on the page`;
    return `(${index + 1}) ${phrase}${position}`;
  });
  const more = phrases.length > named.length ? `; and ${phrases.length - named.length} more` : '';
  return `${refs.length} elements fit ${said} alike: ${named.join('; ')}${more}. Say which one, by its row, section or position.`;
}
