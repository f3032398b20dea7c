import { statSync } from 'node:fs';
import { join } from 'node:path';
import { missingVariables } from './act-on-element.ts';
import { flag, optional, text } from './fields.ts';
import { failed } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

export const done: Tool = tool({
  name: 'done',
  description:
    'Ends the task. success is true only if the page shows that the whole task is done; message is the answer, or says what is missing.',
  kind: 'end',
  fields: { success: flag(), message: text() },
  run: (_context, { success, message }) => Promise.resolve({ text: message, data: { success } }),
});

/** True if `path` is a folder to save into. */
function isFolder(path: string): boolean {
  return /[/\\]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Prevents a name from the page from leaving the folder or creating a hidden file. */
function safeFileName(suggested: string): string {
  return suggested.replace(/^\.+|[/\\]/g, '_');
}

function savePath(as: string, suggested: string, isInFolder: boolean = isFolder(as)): string {
  return isInFolder ? join(as, safeFileName(suggested)) : as;
}

/** Maximum time in ms for the next download to start. */
const DOWNLOAD_START_TIMEOUT_MS = 10_000;

export const download: Tool = tool({
  name: 'download',
  description: 'download: waits for a download that an action started.',
  kind: 'read',
  fields: { as: optional(text('a path that the task names')) },
  run: async (context, { as }) => {
    const { progress, downloads, variables } = context;
    const refusal = missingVariables(context, as === undefined ? [] : [as], 'file');
    if (refusal) return refusal;
    const issue = as === undefined ? null : context.fileIssue(as);
    if (issue !== null)
      return failed(`Not saved: ${issue}. Call download without as, or with a path that the task names.`);
    const file = await downloads.next(progress, Math.min(DOWNLOAD_START_TIMEOUT_MS, progress.remaining));
    if (!file) return failed('No download has started. Run the action that starts it first.');
    const limits = { signal: progress.signal, timeout: progress.remaining };
    const failure = await file.failure(limits);
    if (failure !== null)
      return { text: 'The download failed.', quoted: `${file.suggestedFilename()}: ${failure}`, isError: true };
    const path = await file.path(limits);
    downloads.notePath(path);
    const name = file.suggestedFilename();
    const goal = as === undefined ? undefined : savePath(variables.expand(as, 'file'), name);
    // The page suggests the name, so placeholders in it are not expanded.
    const target = as === undefined ? path : savePath(as, name, isFolder(variables.expand(as, 'file')));
    if (goal !== undefined && !(await file.saveAsNew(goal, limits)))
      return failed(`The file is at ${path}. Not saved as ${target}: that file already exists.`);
    const data = { name, path: target };
    const quoted = JSON.stringify(data.name);
    const summary = `The file ${quoted} is at ${data.path}.`;
    return { text: `The file is at ${data.path}. Its name:`, quoted, summary, data };
  },
});

export const dialog: Tool = tool({
  name: 'dialog',
  description: 'acceptDialog, declineDialog: answer the dialogs of the next action; default: decline.',
  kind: 'act',
  fields: { accept: flag(), text: optional(text()) },
  run: (context, { accept, text: words }) => {
    const refusal = missingVariables(context, words === undefined ? [] : [words], 'dialog');
    if (refusal) return Promise.resolve(refusal);
    const written = words === undefined ? undefined : context.variables.expand(words, 'dialog');
    context.dialogs.announce(context.page, { accept, text: written });
    return Promise.resolve({ text: `The dialogs of the next action will be ${accept ? 'accepted' : 'declined'}.` });
  },
});
