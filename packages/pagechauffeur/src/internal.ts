/** API for the platform server only. Names may change in any version. */
export { Connection } from './cdp/connection.ts';
export type { Session } from './cdp/session.ts';
export { browserArguments } from './launch/default-arguments.ts';
export { findBrowser } from './launch/find-browser.ts';
export { type BrowserUser, type LaunchedBrowser, launchBrowser, NoSandboxError } from './launch/launch-browser.ts';
export { RENTED_PREFERENCES } from './launch/preferences.ts';
export { Progress } from './util/progress.ts';
export { QUESTION_KINDS, type QuestionKind } from './util/question-kind.ts';
export { Inbox, LINK_CLOSE, LINK_PROTOCOL, readNote, writeNote } from './remote/link-protocol.ts';
export { Outbox } from './remote/outbox.ts';
