import { DriverTimeoutError } from '../errors.ts';
import { flag, oneOf, optional, text } from './fields.ts';
import { failed, type Tool, tool } from './tool.ts';

/** Asks whoever gave the task. */
export const handoff: Tool = tool({
  name: 'handoff',
  description:
    'Asks the person who gave the task: for a decision that is theirs, a code that was sent to them, a captcha, a sign-in. Not for what the page can tell.',
  kind: 'read',
  fields: {
    kind: oneOf(['question', 'sign-in', 'captcha', 'code', 'payment'], 'what it is about'),
    question: text('what you need, in a sentence'),
  },
  run: async ({ ask }, { kind, question }) => {
    if (!ask) return failed('Nobody is there to answer. Go on without, or be done and say what is missing.');
    return { text: await ask({ kind, question }) };
  },
});

/** Ends the task. */
export const done: Tool = tool({
  name: 'done',
  description:
    'Ends the task. success is true only when the page shows that all of it is done; message answers the task, or says what is missing.',
  kind: 'end',
  fields: { success: flag('whether all of the task is done'), message: text('the answer, or what is missing') },
  run: (_context, { success, message }) => Promise.resolve({ text: message, data: { success } }),
});

/** The longest wait for a download, in milliseconds. */
const DOWNLOAD_TIMEOUT = 30_000;

/** Waits for a download that was begun and tells where it is. */
export const download: Tool = tool({
  name: 'download',
  description:
    'Waits for the file that an action just began to download and tells its name and where it is; with as, saves it there.',
  kind: 'read',
  fields: { as: optional(text('a path to save it as')) },
  run: async (context, { as }) => {
    const { progress } = context;
    try {
      const file = await context.lastDownload(Math.min(DOWNLOAD_TIMEOUT, progress.remaining));
      const path = await progress.race(as === undefined ? file.path() : file.saveAs(as).then(() => as));
      return { text: `${file.suggestedFilename()} was saved as ${path}.`, data: { path } };
    } catch (error) {
      progress.throwIfEnded();
      if (!(error instanceof DriverTimeoutError)) throw error;
      return failed('No download was begun.');
    }
  },
});

/** Says how the next dialog of the browser is to be answered. */
export const dialog: Tool = tool({
  name: 'dialog',
  description:
    'Says how dialogs of the browser (alert, confirm, prompt) that the next action opens are answered; without it they are declined.',
  kind: 'act',
  fields: { accept: flag('yes or no'), text: optional(text('what to write into a prompt')) },
  run: (context, { accept, text: words }) => {
    context.answerDialogs({ accept, text: words === undefined ? undefined : context.variables.expand(words) });
    return Promise.resolve({ text: `The next dialog is ${accept ? 'accepted' : 'declined'}.` });
  },
});
