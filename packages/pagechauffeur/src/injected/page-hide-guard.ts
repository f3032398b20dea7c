import type { SocketBounds } from './contract.ts';
import { listensFirst } from './first-listener.ts';
import { documentElementOf } from './native.ts';

/** What a document may connect to while it is left: all that the browser lets judge wherever it comes from, and so no sockets. */
const NO_SOCKETS = 'connect-src http: https: data: blob: filesystem:';
const XHTML = 'http://www.w3.org/1999/xhtml';

let bounds: SocketBounds | null = null;
/** What the document's sockets have been bound to while it stays. */
let boundTo: string | undefined;

// Before the page's own listeners, because it was there first.
addEventListener('pagehide', cutSockets, true);
const rewrites = new MutationObserver(bindDoubtful);

/** From now on the document can open no sockets from the moment that it is left; null takes that back. */
export function guardPageHide(given: SocketBounds | null): void {
  bounds = given;
  rewrites.disconnect();
  if (given === null) return;
  // The page may write itself anew by `document.open()`, which takes all listeners away.
  rewrites.observe(document, { childList: true });
  bindDoubtful();
}

/** A page that may hear before this program that it is left is bound from now on, and stays so. */
function bindDoubtful(): void {
  const sources = bounds?.sources;
  if (sources === undefined || sources === boundTo || listensFirst()) return;
  boundTo = sources;
  addPolicy(document, `${NO_SOCKETS} ${sources}`);
}

function cutSockets(event: Event): void {
  if (bounds !== null && event.isTrusted) cutSocketsOf(window);
}

/** A page may use the frames in it, which are told later that they are left. */
function cutSocketsOf(view: Window): void {
  addPolicy(view.document, NO_SOCKETS);
  for (let index = 0; index < view.length; index += 1) {
    const child = childOf(view, index);
    if (child) cutSocketsOf(child);
  }
}

/** A frame of the same origin; null for one that is out of reach. */
function childOf(view: Window, index: number): Window | null {
  const child = view[index] ?? null;
  try {
    return child?.document ? child : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

// A policy holds once it was added, and a document of any kind takes it in an element that is a head.
function addPolicy(document: Document, policy: string): void {
  const head = Document.prototype.createElementNS.call(document, XHTML, 'head');
  const meta = Document.prototype.createElementNS.call(document, XHTML, 'meta');
  Element.prototype.setAttribute.call(meta, 'http-equiv', 'Content-Security-Policy');
  Element.prototype.setAttribute.call(meta, 'content', policy);
  Node.prototype.appendChild.call(head, meta);
  Node.prototype.appendChild.call(documentElementOf(document) ?? document, head);
  Element.prototype.remove.call(head);
}
