import type { Transport } from '../cdp/transport.ts';
import { type Recovery, RemoteSessionNotFoundError } from '../errors.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { LINK_CLOSE } from './link-protocol.ts';
import type { RemoteService } from './remote-service.ts';
import type { RemoteSession } from './remote-session.ts';

/** How long to query the platform before pending calls reject. Enough to reach a second server. */
const ASK_MS = 6000;
const ENDED_CODES: readonly number[] = [LINK_CLOSE.sessionEnded, LINK_CLOSE.browserLost];
const NEXT_SESSION = 'Call close() and init() to start a new one.';

/**
 * Returns what the user can do after the connection was lost. Queries the platform unless the close code says whether
 * the session continues.
 */
export async function recoveryOf(platform: RemoteService, session: RemoteSession, code?: number): Promise<Recovery> {
  const { id, keepAlive } = session;
  if (code !== undefined && ENDED_CODES.includes(code)) return ended(id, `Remote session ${id} has ended.`);
  if (code === LINK_CLOSE.handedOver) return resumable(id);
  try {
    await platform.find(id, AbortSignal.timeout(ASK_MS));
    return resumable(id);
  } catch (error) {
    const sentence = errorSentence(errorFacts(error));
    if (error instanceof RemoteSessionNotFoundError) return ended(id, sentence);
    return keepAlive ? resumable(id) : ended(id, `Cannot find out whether the session continues: ${sentence}`);
  }
}

/** Adds a {@link Recovery} to the close event of a transport that cannot resume. */
export function withRecovery(transport: Transport, onEnd: () => Promise<Recovery>): Transport {
  let isClosing = false;
  const outer: Transport = {
    send: (message) => transport.send(message),
    close: () => {
      isClosing = true;
      transport.close();
    },
    onMessage: () => undefined,
    onClose: () => undefined,
  };
  transport.onMessage = (message) => outer.onMessage(message);
  transport.onClose = (reason) => {
    if (isClosing) outer.onClose(reason);
    else void onEnd().then((recovery) => outer.onClose(reason, recovery));
  };
  return outer;
}

function resumable(id: string): Recovery {
  const advice = `The remote session continues. Create a driver with remoteSessionID '${id}' to resume it.`;
  return { canResume: true, remoteSessionID: id, advice };
}

function ended(id: string, sentence: string): Recovery {
  return { canResume: false, remoteSessionID: id, advice: `${sentence} ${NEXT_SESSION}` };
}
