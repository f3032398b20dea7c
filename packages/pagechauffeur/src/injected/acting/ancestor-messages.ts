import type { OwnerQuestion } from '../contract.ts';
import { listensFirst } from '../first-listener.ts';
import { startTimer } from './timer.ts';

/** A parent that does not respond within this many milliseconds is busy or gone. */
const LONGEST_ANSWER = 500;

/** A message from a frame to its parent document. */
interface Letter {
  readonly nonce: string;
  readonly question: OwnerQuestion;
}

type Answer = (frameElement: Element, question: OwnerQuestion) => Promise<unknown>;

const frameByNonce = new Map<string, WeakRef<Element>>();
let answer: Answer = () => Promise.resolve(null);

/**
 * Listens for requests from frames that cannot access this document. They arrive as window messages, which the page
 * must not see. So frames send them only if this program's listener runs first, and the listener stops their
 * propagation.
 */
export function answerFrames(how: Answer): void {
  answer = how;
  addEventListener('message', onMessage, true);
}

/**
 * Accepts requests from the frame with this nonce. Returns false if the page could see the messages; the frame must not
 * send any then.
 */
export function expectMail(frameElement: Element, nonce: string): boolean {
  if (!listensFirst()) return false;
  frameByNonce.set(nonce, new WeakRef(frameElement));
  return true;
}

function onMessage(event: MessageEvent): void {
  if (!event.isTrusted || frameByNonce.size === 0) return;
  const [port] = event.ports;
  const letter = port && letterIn(event.data);
  const frame = letter && frameByNonce.get(letter.nonce);
  if (!port || !letter || !frame) return;
  event.stopImmediatePropagation();
  void reply(port, frame.deref(), letter.question);
}

async function reply(port: MessagePort, frameElement: Element | undefined, question: OwnerQuestion): Promise<void> {
  port.postMessage(frameElement ? await answer(frameElement, question) : null);
  port.close();
}

function letterIn(data: unknown): Letter | null {
  const isLetter = typeof data === 'object' && data !== null && 'nonce' in data && 'question' in data;
  return isLetter ? (data as Letter) : null;
}

/** Sends a request to the program of the parent document. Resolves to null without a response. */
export function askParent(nonce: string, question: OwnerQuestion): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const { port1, port2 } = new MessageChannel();
  const stopTimer = startTimer(() => end(null), LONGEST_ANSWER);
  port1.addEventListener('message', ({ data }: MessageEvent) => end(data));
  port1.start();
  parent.postMessage({ nonce, question } satisfies Letter, '*', [port2]);
  function end(answered: unknown): void {
    stopTimer();
    port1.close();
    resolve(answered);
  }
  return promise;
}
