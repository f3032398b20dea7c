import { announceChange, takeFocus } from '../acting/input/text-entry.ts';
import { Wait } from '../acting/wait.ts';
import type { CallId, FilesWait, SentFile, ValueSet } from '../contract.ts';
import { tagOf } from '../element/describe.ts';
import { elementOfRef } from '../refs.ts';

const partsById = new Map<number, Uint8Array<ArrayBuffer>[]>();

/** Stores one base64 chunk. `setFiles` joins the chunks. */
export function receiveBytes(bytesId: number, base64: string): void {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  const parts = partsById.get(bytesId) ?? [];
  parts.push(bytes);
  partsById.set(bytesId, parts);
}

/** Fires the same events as a user's selection. */
export function setFiles(ref: number, sent: readonly SentFile[]): ValueSet {
  const files = sent.map(fileOf);
  const input = elementOfRef(ref);
  if (!input) return { kind: 'stale' };
  if (!(input instanceof HTMLInputElement) || input.type !== 'file')
    return { kind: 'refused', message: `${tagOf(input)} is not a file input.` };
  if (files.length > 1 && !input.multiple)
    return { kind: 'refused', message: `${tagOf(input)} accepts one file. Received ${files.length}.` };
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  takeFocus(input);
  input.files = transfer.files;
  announceChange(input);
  return { kind: 'set', values: files.map((file) => file.name) };
}

/** Waits until the input has other files. The browser lists the files of a folder asynchronously. */
export async function awaitFiles({ ref, timeout }: FilesWait, call?: CallId): Promise<void> {
  const input = elementOfRef(ref);
  if (!(input instanceof HTMLInputElement)) return;
  const { files } = input;
  const wait = new Wait(timeout, call);
  try {
    while (input.files === files && !wait.isOver) await wait.change();
  } finally {
    wait.close();
  }
}

function fileOf({ name, mimeType, bytesId }: SentFile): File {
  const parts = partsById.get(bytesId) ?? [];
  partsById.delete(bytesId);
  return new File(parts, name, { type: mimeType });
}
