import { NotSignedIn } from './call-api.ts';

/**
 * Does something again and again while the page is looked at, until it says that it need not be done any more. Ends when
 * nobody is signed in any more, and tells so.
 */
export function pollWhileVisible(
  ms: number,
  work: () => Promise<boolean>,
  onSignedOut: (error: NotSignedIn) => void,
): void {
  const turn = async (): Promise<void> => {
    if (document.hidden) return document.addEventListener('visibilitychange', () => void turn(), { once: true });
    let goesOn: boolean;
    try {
      goesOn = await work();
    } catch (error) {
      if (error instanceof NotSignedIn) return onSignedOut(error);
      // The server may be back at the next turn; what is shown stays.
      goesOn = true;
    }
    if (goesOn) setTimeout(() => void turn(), ms);
  };
  setTimeout(() => void turn(), ms);
}
