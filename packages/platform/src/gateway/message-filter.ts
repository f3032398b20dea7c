import { type Command, ruleOn } from './command-rules.ts';
import type { DownloadController } from '../sessions/download-controller.ts';
import { OUTSIDE_WEB, type TargetGuard } from './target-guard.ts';

/** `forward`: send this to the browser; `answer`: respond with this; `broken`: close the connection for this reason. */
export type Filtered =
  | { readonly forward: string; readonly createsContext?: true }
  | { readonly answer: string }
  | { readonly broken: string };

interface FilterSettings {
  readonly downloads: string;
  readonly maxMessageBytes: number;
}

interface FilterState {
  readonly isTakenOver?: boolean;
  readonly targets?: Pick<TargetGuard, 'refuses'>;
  readonly downloads?: Pick<DownloadController, 'choose' | 'isFull'>;
}

/** JSON-RPC: Invalid Request. */
const INVALID_REQUEST = -32_600;
const NOT_ALLOWED = -32_000;

/**
 * Decides what happens to a client's message. Serializes allowed commands again, because a browser may read duplicate
 * JSON fields differently than this filter.
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
  // Serialization may make a message longer.
  if (Buffer.byteLength(forward) > maxMessageBytes)
    return refusal(command, INVALID_REQUEST, `A message can have at most ${maxMessageBytes} bytes.`);
  if (isOfDownloads) keeper?.choose(ruling.params as object);
  return { forward, ...(method === 'Target.createBrowserContext' && { createsContext: true }) };
}

/** Commands are refused instead of queued, because the operator may change the page that they were sent for. */
const TAKEN_OVER = 'An operator has taken over this browser. Wait until it is handed back.';

/** True for commands that would interfere with the operator, who also answers dialogs. Reading stays allowed. */
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
    // `filterMessage` reports the message as broken.
    return undefined;
  }
}

function refusal({ id, sessionId }: Command, code: number, message: string): Filtered {
  return { answer: JSON.stringify({ id, error: { code, message }, sessionId }) };
}
