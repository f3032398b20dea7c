import type { OtherFrameReport } from '../injected/contract.ts';

/** Something that was seen after an action, as a sentence without a full stop. */
export interface EffectNote {
  readonly text: string;
  /** Whether the sentence repeats words of the page, such as a name. A model reads those as data. */
  readonly quotesPage: boolean;
}

/** A note in the library's own words. */
export function ownNote(text: string): EffectNote {
  return { text, quotesPage: false };
}

/** A note with words of the page in it. */
export function pageNote(text: string): EffectNote {
  return { text, quotesPage: true };
}

/** What opened in a document, and what its live regions say. */
export function notesOfReport({ opened, announced }: Pick<OtherFrameReport, 'opened' | 'announced'>): EffectNote[] {
  const notes = announced.map((text) => pageNote(`the page says ${JSON.stringify(text)}`));
  return opened === undefined ? notes : [pageNote(`${opened} opened`), ...notes];
}

/** The notes without those that say the same as an earlier one. */
export function distinctNotes(notes: readonly EffectNote[]): EffectNote[] {
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

/** The sentences of notes, as people read them. */
export function textsOf(notes: readonly EffectNote[]): string[] {
  return notes.map(({ text }) => text);
}
