import type { OwnerQuestion } from '../contract.ts';
import { listensFirst } from '../first-listener.ts';
import { startTimer } from './timer.ts';

/** A parent that has not answered after this many milliseconds is busy, or no longer there. */
const LONGEST_ANSWER = 500;

/** What a frame sends to the document around it. */
interface Letter {
  readonly nonce: string;
  readonly question: OwnerQuestion;
}

type Answer = (frameElement: Element, question: OwnerQuestion) => Promise<unknown>;

const frameByNonce = new Map<string, WeakRef<Element>>();
let answer: Answer = () => Promise.resolve(null);

/**
 * Listens for what the programs of frames ask that cannot reach this document. Their letters are messages between
 * windows, which go to the page as well; so they are only sent where this program hears them first, and stop here.
 */
export function answerFrames(how: Answer): void {
  answer = how;
  addEventListener('message', onMessage, true);
}

/** Answers what comes from a frame with its nonce from now on; whether it may be sent, because the page does not hear of it. */
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

/** Asks the program of the document around this one; null when it does not answer. */
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
