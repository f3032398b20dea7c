import type { OtherFrameReport } from '../injected/contract.ts';

/** An observation after an action, as a sentence without a period. */
export interface EffectNote {
  readonly text: string;
  /** True if the sentence quotes page text, for example an element name. Prompts mark quotes as data. */
  readonly quotesPage: boolean;
}

/** A note without page text. */
export function ownNote(text: string): EffectNote {
  return { text, quotesPage: false };
}

/** A note that quotes page text. */
export function pageNote(text: string): EffectNote {
  return { text, quotesPage: true };
}

/** Notes about elements that opened in a document, and about new text in its live regions. */
export function notesOfReport({ opened, announced }: Pick<OtherFrameReport, 'opened' | 'announced'>): EffectNote[] {
  const notes = announced.map((text) => pageNote(`the page says ${JSON.stringify(text)}`));
  return opened === undefined ? notes : [pageNote(`${opened} opened`), ...notes];
}

/** Removes notes with the same text as an earlier one. */
export function distinctNotes(notes: readonly EffectNote[]): EffectNote[] {
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

export function textsOf(notes: readonly EffectNote[]): string[] {
  return notes.map(({ text }) => text);
}
