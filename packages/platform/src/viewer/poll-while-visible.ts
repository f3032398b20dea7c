import { NotSignedIn } from './call-api.ts';

/**
 * Repeats `work` every `ms` milliseconds while the page is visible, until it returns false. Stops and calls
 * `onSignedOut` on a 401 response.
 */
export function pollWhileVisible(
  ms: number,
  work: () => Promise<boolean>,
  onSignedOut: (error: NotSignedIn) => void,
): void {
  const turn = async (): Promise<void> => {
    if (document.hidden) return document.addEventListener('visibilitychange', () => void turn(), { once: true });
    let mayContinue: boolean;
    try {
      mayContinue = await work();
    } catch (error) {
      if (error instanceof NotSignedIn) return onSignedOut(error);
      // Keeps the content: the server may be back next time.
      mayContinue = true;
    }
    if (mayContinue) setTimeout(() => void turn(), ms);
  };
  setTimeout(() => void turn(), ms);
}
