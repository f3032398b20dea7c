import type { GivenFile } from './view-wire.ts';

/** The browser's globals that this function needs. */
interface PageWorld {
  readonly File: new (parts: readonly unknown[], name: string, options: { readonly type: string }) => unknown;
  readonly DataTransfer: new () => { readonly items: { add(file: unknown): void }; readonly files: unknown };
  readonly Event: new (type: string, options: object) => unknown;
  readonly atob: (text: string) => string;
}

/** A file input. */
interface FileInput {
  files: unknown;
  dispatchEvent(event: unknown): void;
}

/**
 * Sets the files of a control as if they were chosen. Runs in an isolated world, so it must not use anything outside.
 */
export function takeFiles(control: FileInput, files: readonly GivenFile[]): void {
  const { File, DataTransfer, Event, atob } = globalThis as unknown as PageWorld;
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    transfer.items.add(new File([bytes], name, { type }));
  }
  control.files = transfer.files;
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
