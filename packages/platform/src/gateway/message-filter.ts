import { type Command, ruleOn } from './command-rules.ts';
import type { DownloadController } from '../sessions/download-controller.ts';
import { OUTSIDE_WEB, type TargetGuard } from './target-guard.ts';

/** Decision about a client's message: forward it in this form, or answer it at once. */
export type Filtered =
  | { readonly forward: string; readonly createsContext?: true }
  | { readonly answer: string }
  | { readonly broken: string };

interface FilterSettings {
  readonly downloads: string;
  readonly maxMessageBytes: number;
}

/** Current state of the session. */
interface FilterState {
  readonly isTakenOver?: boolean;
  /** Knows which targets are closed to clients. */
  readonly targets?: Pick<TargetGuard, 'refuses'>;
  /** Tracks download settings. */
  readonly downloads?: Pick<DownloadController, 'choose' | 'isFull'>;
}

/** JSON-RPC error code of an invalid request. */
const INVALID_REQUEST = -32_600;
const NOT_ALLOWED = -32_000;

/**
 * Filters a client's message. Forwarded messages are serialized again, because a browser may read a message
 * with duplicate fields differently than the filter does.
 */
export function filterMessage(
  text: string,
  { downloads, maxMessageBytes }: FilterSettings,
  { isTakenOver = false, targets, downloads: keeper }: FilterState = {},
): Filtered {
  const command = parse(text);
  if (!command) return { broken: 'a message that is not a CDP command' };
  const { id, method, sessionId } = command;
  const ruling = ruleOn(command, { downloads });
  if (targets?.refuses(command)) return refusal(command, NOT_ALLOWED, OUTSIDE_WEB);
  if (isTakenOver && actsOnPages(method)) return refusal(command, NOT_ALLOWED, TAKEN_OVER);
  if ('refused' in ruling) return refusal(command, NOT_ALLOWED, `${String(method)} ${ruling.refused}.`);
  if ('done' in ruling) return { answer: JSON.stringify({ id, result: {}, sessionId }) };
  const isOfDownloads = method === 'Browser.setDownloadBehavior';
  const params = isOfDownloads && keeper?.isFull ? { ...(ruling.params as object), behavior: 'deny' } : ruling.params;
  const forward = JSON.stringify({ id, method, params, sessionId });
  // Serialized again, a message may be longer.
  if (Buffer.byteLength(forward) > maxMessageBytes)
    return refusal(command, INVALID_REQUEST, `A message can have at most ${maxMessageBytes} bytes.`);
  if (isOfDownloads) keeper?.choose(ruling.params as object);
  return { forward, ...(method === 'Target.createBrowserContext' && { createsContext: true }) };
}

/** Pending actions would hit a page that the operator has changed. */
const TAKEN_OVER = 'An operator has taken over this browser. Wait until it is handed back.';

/** Commands that would interfere with the operator. Reading is allowed. The operator answers dialogs and prompts. */
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
    // The sender gets an error.
    return undefined;
  }
}

function refusal({ id, sessionId }: Command, code: number, message: string): Filtered {
  return { answer: JSON.stringify({ id, error: { code, message }, sessionId }) };
}
