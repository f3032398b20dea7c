import { documentElementOf } from './native.ts';

/** What a document may connect to while it is left: all that the browser lets judge wherever it comes from, and so no sockets. */
const NO_SOCKETS = 'connect-src http: https: data: blob: filesystem:';
const XHTML = 'http://www.w3.org/1999/xhtml';

let isOn = false;

/** From now on, or no longer, the document can open no sockets from the moment that it is left. */
export function guardLeaving(on: boolean): void {
  isOn = on;
  // Before the page's own listeners, because it was there first.
  if (on) addEventListener('pagehide', cutSockets, true);
}

function cutSockets(event: Event): void {
  if (isOn && event.isTrusted) cutSocketsOf(window);
}

/** A page may use the frames in it, which are told later that they are left. */
function cutSocketsOf(view: Window): void {
  addPolicy(view.document);
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
function addPolicy(document: Document): void {
  const head = Document.prototype.createElementNS.call(document, XHTML, 'head');
  const meta = Document.prototype.createElementNS.call(document, XHTML, 'meta');
  Element.prototype.setAttribute.call(meta, 'http-equiv', 'Content-Security-Policy');
  Element.prototype.setAttribute.call(meta, 'content', NO_SOCKETS);
  Node.prototype.appendChild.call(head, meta);
  Node.prototype.appendChild.call(documentElementOf(document) ?? document, head);
  Element.prototype.remove.call(head);
}
