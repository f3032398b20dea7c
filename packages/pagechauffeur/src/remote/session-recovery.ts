import type { Transport } from '../cdp/transport.ts';
import { type Recovery, RemoteSessionNotFoundError } from '../errors.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { LINK_CLOSE } from './link-protocol.ts';
import type { RemoteService } from './remote-service.ts';
import type { RemoteSession } from './remote-session.ts';

/** Calls in flight wait this long for the answer before they reject. A second server can be asked in that time. */
const ASK_MS = 6000;
const ENDED_CODES: readonly number[] = [LINK_CLOSE.sessionEnded, LINK_CLOSE.browserLost];
const NEXT_SESSION = 'Call close() and init() to start another.';

/** What can be done after the connection to a session's browser was lost. The platform is asked where the socket's close code does not say. */
export async function recoveryOf(platform: RemoteService, session: RemoteSession, code?: number): Promise<Recovery> {
  const { id, keepAlive } = session;
  if (code !== undefined && ENDED_CODES.includes(code)) return ended(id, `The remote session ${id} has ended.`);
  if (code === LINK_CLOSE.handedOver) return goesOn(id);
  try {
    await platform.find(id, AbortSignal.timeout(ASK_MS));
    return goesOn(id);
  } catch (error) {
    const sentence = errorSentence(errorFacts(error));
    if (error instanceof RemoteSessionNotFoundError) return ended(id, sentence);
    return keepAlive ? goesOn(id) : ended(id, `Whether the session goes on is not known: ${sentence}`);
  }
}

/** A transport that says what can be done when it is lost, as our own links do. */
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

function goesOn(id: string): Recovery {
  const advice = `The remote session goes on: create a driver with remoteSessionID '${id}' to go on with it.`;
  return { canResume: true, remoteSessionID: id, advice };
}

function ended(id: string, sentence: string): Recovery {
  return { canResume: false, remoteSessionID: id, advice: `${sentence} ${NEXT_SESSION}` };
}
