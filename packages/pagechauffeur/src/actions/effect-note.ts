import type { OtherFrameReport } from '../injected/contract.ts';

/** A line about the result of an action, without a period, for example `the text "Total" is selected`. */
export interface EffectNote {
  readonly text: string;
  /** True if `text` quotes page content. Prompts then mark it as untrusted. */
  readonly quotesPage: boolean;
  /** Set for a note about a popup, a JavaScript dialog or a download. */
  readonly opened?: OpenedKind;
}

export type OpenedKind = 'page' | 'dialog' | 'download';

export function ownNote(text: string): EffectNote {
  return { text, quotesPage: false };
}

export function pageNote(text: string): EffectNote {
  return { text, quotesPage: true };
}

/** Notes about an element that opened, such as `dialog "Delete file?"`, and about text that live regions announced. */
export function notesOfReport({ opened, announced }: Pick<OtherFrameReport, 'opened' | 'announced'>): EffectNote[] {
  const notes = announced.map((text) => pageNote(`the page says ${JSON.stringify(text)}`));
  return opened === undefined ? notes : [pageNote(`${opened} opened`), ...notes];
}

export function distinctNotes(notes: readonly EffectNote[]): EffectNote[] {
  return [...new Map(notes.map((note) => [note.text, note])).values()];
}

export function textsOf(notes: readonly EffectNote[]): string[] {
  return notes.map(({ text }) => text);
}
