/** Does something again and again while the page is looked at, until it says that it need not be done any more. */
export function whileShown(ms: number, work: () => Promise<boolean>): void {
  const turn = async (): Promise<void> => {
    if (document.hidden) return document.addEventListener('visibilitychange', () => void turn(), { once: true });
    let goesOn: boolean;
    try {
      goesOn = await work();
    } catch {
      // The server may be back at the next turn; what is shown stays.
      goesOn = true;
    }
    if (goesOn) setTimeout(() => void turn(), ms);
  };
  setTimeout(() => void turn(), ms);
}
