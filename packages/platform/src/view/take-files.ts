import type { UploadedFile } from './view-wire.ts';

/** The globals used below. The server is compiled without DOM types. */
interface PageWorld {
  readonly File: new (parts: readonly unknown[], name: string, options: { readonly type: string }) => unknown;
  readonly DataTransfer: new () => { readonly items: { add(file: unknown): void }; readonly files: unknown };
  readonly Event: new (type: string, options: object) => unknown;
  readonly atob: (text: string) => string;
}

interface FileInput {
  files: unknown;
  dispatchEvent(event: unknown): void;
}

/**
 * Sets the files of an `<input type="file">` and dispatches `input` and `change`. Runs in an isolated world by its
 * source text, so it must not use imports.
 */
export function takeFiles(control: FileInput, files: readonly UploadedFile[]): void {
  const { File, DataTransfer, Event, atob } = globalThis as unknown as PageWorld;
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    transfer.items.add(new File([bytes], name, { type }));
  }
  control.files = transfer.files;
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}
