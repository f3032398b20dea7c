import type { SocketBounds } from '../contract.ts';
import { listensFirst } from '../own-listeners.ts';
import { documentElementOf } from '../native.ts';

/** The policy during unload. It blocks only WebSockets, because the driver intercepts all other requests. */
const NO_SOCKETS = 'connect-src http: https: data: blob: filesystem:';
const XHTML = 'http://www.w3.org/1999/xhtml';

let bounds: SocketBounds | null = null;
/** Sources in a policy that this document already enforces. */
let boundTo: string | undefined;

// This script usually runs first, so its listener precedes those of the page.
addEventListener('pagehide', cutSockets, true);
const rewrites = new MutationObserver(bindDoubtful);

/** Blocks new sockets once the document starts to unload; `null` lifts the restriction. */
export function guardPageHide(given: SocketBounds | null): void {
  bounds = given;
  rewrites.disconnect();
  if (given === null) return;
  // A new root element usually means that `document.open()` removed all listeners.
  rewrites.observe(document, { childList: true });
  bindDoubtful();
}

/**
 * Applies the policy immediately if a page listener may run before the `pagehide` listener above. A policy cannot be
 * removed.
 */
function bindDoubtful(): void {
  const sources = bounds?.sources;
  if (sources === undefined || sources === boundTo || listensFirst()) return;
  boundTo = sources;
  addPolicy(document, `${NO_SOCKETS} ${sources}`);
}

function cutSockets(event: Event): void {
  if (bounds !== null && event.isTrusted) cutSocketsOf(window);
}

/** Includes child frames: the page can open sockets in them, and their `pagehide` event fires later. */
function cutSocketsOf(view: Window): void {
  addPolicy(view.document, NO_SOCKETS);
  for (let index = 0; index < view.length; index += 1) {
    const child = childOf(view, index);
    if (child) cutSocketsOf(child);
  }
}

/** Returns `null` for a cross-origin frame. */
function childOf(view: Window, index: number): Window | null {
  const child = view[index] ?? null;
  try {
    return child?.document ? child : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

// A policy stays in force after its element is removed. An XHTML `head` element works in any type of document.
function addPolicy(document: Document, policy: string): void {
  const head = Document.prototype.createElementNS.call(document, XHTML, 'head');
  const meta = Document.prototype.createElementNS.call(document, XHTML, 'meta');
  Element.prototype.setAttribute.call(meta, 'http-equiv', 'Content-Security-Policy');
  Element.prototype.setAttribute.call(meta, 'content', policy);
  Node.prototype.appendChild.call(head, meta);
  Node.prototype.appendChild.call(documentElementOf(document) ?? document, head);
  Element.prototype.remove.call(head);
}
