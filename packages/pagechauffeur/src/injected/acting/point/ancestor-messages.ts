import type { OwnerQuestion } from '../../contract.ts';
import { listensFirst } from '../../own-listeners.ts';
import { startTimer } from '../timer.ts';

/** Timeout in ms for a response. A parent that takes longer is busy or gone. */
const LONGEST_ANSWER = 500;

interface ParentRequest {
  readonly nonce: string;
  readonly question: OwnerQuestion;
}

type Answer = (frameElement: Element, question: OwnerQuestion) => Promise<unknown>;

const frameByNonce = new Map<string, WeakRef<Element>>();
let answer: Answer = () => Promise.resolve(null);

/**
 * Registers the handler for requests from child frames that cannot access this document. Requests are window messages,
 * which the page must not see. So a child sends them only if this listener runs before all listeners of the page.
 */
export function answerFrames(how: Answer): void {
  answer = how;
  addEventListener('message', onMessage, true);
}

/** Returns false if a listener of the page runs first and would see the messages. The frame must not send any then. */
export function expectMail(frameElement: Element, nonce: string): boolean {
  if (!listensFirst()) return false;
  frameByNonce.set(nonce, new WeakRef(frameElement));
  return true;
}

function onMessage(event: MessageEvent): void {
  if (!event.isTrusted || frameByNonce.size === 0) return;
  const [port] = event.ports;
  const request = port && requestIn(event.data);
  const frame = request && frameByNonce.get(request.nonce);
  if (!port || !request || !frame) return;
  event.stopImmediatePropagation();
  void reply(port, frame.deref(), request.question);
}

async function reply(port: MessagePort, frameElement: Element | undefined, question: OwnerQuestion): Promise<void> {
  port.postMessage(frameElement ? await answer(frameElement, question) : null);
  port.close();
}

function requestIn(data: unknown): ParentRequest | null {
  const isRequest = typeof data === 'object' && data !== null && 'nonce' in data && 'question' in data;
  return isRequest ? (data as ParentRequest) : null;
}

/** Resolves to null if the parent does not respond in time. */
export function askParent(nonce: string, question: OwnerQuestion): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { port1, port2 } = new MessageChannel();
  const stopTimer = startTimer(() => end(null), LONGEST_ANSWER);
  port1.addEventListener('message', ({ data }: MessageEvent) => end(data));
  port1.start();
  parent.postMessage({ nonce, question } satisfies ParentRequest, '*', [port2]);
  function end(answered: unknown): void {
    stopTimer();
    port1.close();
    resolve(answered);
  }
  return promise;
}
