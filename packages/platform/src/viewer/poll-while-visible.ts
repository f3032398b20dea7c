import { NotSignedIn } from './call-api.ts';

/**
 * Repeats work while the page is visible, until it returns false. Calls `onSignedOut` and stops
 * if nobody is signed in any more.
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
      // The server may be back next time. The content stays.
      goesOn = true;
    }
    if (goesOn) setTimeout(() => void turn(), ms);
  };
  setTimeout(() => void turn(), ms);
}
