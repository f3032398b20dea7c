import { type Command, ruleOn } from './command-rules.ts';
import type { DownloadController } from '../sessions/download-controller.ts';
import type { TargetGuard } from './target-guard.ts';

/** What becomes of a client's message: it goes on in this form, or is answered at once. */
export type Filtered = { readonly forward: string } | { readonly answer: string } | { readonly broken: string };

interface FilterSettings {
  readonly downloads: string;
  readonly maxMessageBytes: number;
}

/** What the session is in just now. */
interface FilterState {
  readonly isTakenOver?: boolean;
  /** Knows which targets are closed to clients. */
  readonly targets?: TargetGuard;
  /** Is told what becomes of downloads. */
  readonly downloads?: Pick<DownloadController, 'choose' | 'isFull'>;
}

/** The protocol's own code for a request that is not valid. */
const INVALID_REQUEST = -32_600;
const NOT_ALLOWED = -32_000;

/**
 * Judges a client's message. What goes on is written anew from what was read, because a browser may read a message that
 * names a field twice in another way than whoever judged it.
 */
export function filterMessage(
  text: string,
  { downloads, maxMessageBytes }: FilterSettings,
  { isTakenOver = false, targets, downloads: keeper }: FilterState = {},
): Filtered {
  const command = parse(text);
  if (!command) return { broken: 'a message that is no command of the DevTools protocol' };
  const { id, method, sessionId } = command;
  const ruling = ruleOn(command, { downloads });
  if (targets?.refuses(command)) return refusal(command, NOT_ALLOWED, OUTSIDE_WEB);
  if (isTakenOver && actsOnPages(method)) return refusal(command, NOT_ALLOWED, TAKEN_OVER);
  if ('refused' in ruling) return refusal(command, NOT_ALLOWED, `${String(method)} ${ruling.refused}.`);
  if ('done' in ruling) return { answer: JSON.stringify({ id, result: {}, sessionId }) };
  const isOfDownloads = method === 'Browser.setDownloadBehavior';
  const params = isOfDownloads && keeper?.isFull ? { ...(ruling.params as object), behavior: 'deny' } : ruling.params;
  const forward = JSON.stringify({ id, method, params, sessionId });
  // As it is sent: written anew, a message may be longer than it was.
  if (Buffer.byteLength(forward) > maxMessageBytes)
    return refusal(command, INVALID_REQUEST, `A message may have ${maxMessageBytes} bytes at most.`);
  if (isOfDownloads) keeper?.choose(ruling.params as object);
  return { forward };
}

const OUTSIDE_WEB = 'This target is no page of the web, so nothing can be sent to it on a rented browser.';
/** Said to clients; what they began meanwhile would hit a page that a person has changed. */
const TAKEN_OVER = 'A person has taken over this browser. Wait until it is handed back.';

/** What a client would do in the middle of what a person does. It may look on; what pages ask for is the person's to answer. */
function actsOnPages(method: unknown): boolean {
  return typeof method === 'string' && (method.startsWith('Input.') || ACTING_COMMANDS.has(method));
}

const ACTING_COMMANDS: ReadonlySet<string> = new Set([
  'Page.navigate',
  'Page.navigateToHistoryEntry',
  'Page.reload',
  'Page.close',
  'Page.handleJavaScriptDialog',
  'Target.closeTarget',
  'Target.createTarget',
]);

function parse(text: string): Command | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // Whoever sends this is told so.
    return undefined;
  }
}

function refusal({ id, sessionId }: Command, code: number, message: string): Filtered {
  return { answer: JSON.stringify({ id, error: { code, message }, sessionId }) };
}
