/** Whether the mouse moves over the document within this many milliseconds. */
export function pointerMoved(patience: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(end, patience);
  addEventListener('mousemove', end, true);
  function end(event?: Event): void {
    if (event && !event.isTrusted) return;
    removeEventListener('mousemove', end, true);
    clearTimeout(timer);
    resolve(event !== undefined);
  }
  return promise;
}
