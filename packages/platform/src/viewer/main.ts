import { showApi } from './api-page.ts';
import { callApi, NotSignedIn } from './call-api.ts';
import { byId, element, fill } from './dom.ts';
import { showList } from './session-list.ts';
import { showSession } from './session-page.ts';
import { showSignIn } from './sign-in.ts';

const main = byId('main');

async function show(): Promise<void> {
  const { pathname } = location;
  if (pathname === '/api') return showApi(main);
  const [, id, debug] = /^\/sessions\/([\da-f-]{36})(\/debug)?$/.exec(pathname) ?? [];
  if (id === undefined) return showList(main, askForKey);
  await openLink(id);
  return showSession(main, id, { withDevTools: debug !== undefined, onSignedOut: askForKey });
}

/** Exchanges the token in the URL for a cookie and removes it from the URL, so that a copied URL gives no access. */
async function openLink(id: string): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get('view');
  if (token === null) return;
  history.replaceState(null, '', location.pathname);
  await callApi('POST', `/v1/sessions/${id}/view`, { token });
}

function askForKey({ message }: NotSignedIn): void {
  showSignIn(main, message, () => void run());
}

async function run(): Promise<void> {
  try {
    await show();
  } catch (error) {
    if (error instanceof NotSignedIn) return askForKey(error);
    const text = error instanceof Error ? error.message : String(error);
    fill(main, element('h1', {}, 'Something went wrong'), element('p', { role: 'alert', class: 'alert' }, text));
  }
}

byId('sign-out').addEventListener('click', () => {
  void callApi('POST', '/v1/sign-out').then(() => location.assign('/sessions'));
});
addEventListener('hashchange', () => location.hash.startsWith('#view=') && void run());
void run();
