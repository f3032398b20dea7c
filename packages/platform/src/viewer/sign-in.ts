import { callApi } from './call-api.ts';
import { byId, element, fill } from './dom.ts';

/** Shows a form for an API key. Calls `onDone` when the server has accepted the key, which is not stored. */
export function showSignIn(main: HTMLElement, reason: string, onDone: () => void): void {
  document.title = 'Sign in · chauffeur platform';
  byId('sign-out').hidden = true;
  const input = element('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    placeholder: 'ck_…',
    'aria-describedby': 'sign-in-reason',
  });
  const alert = element('p', { role: 'alert', class: 'alert', hidden: true });
  const form = element(
    'form',
    { class: 'sign-in' },
    element('h1', {}, 'Sign in'),
    element('p', { id: 'sign-in-reason', class: 'quiet' }, reason),
    element('label', { for: 'key' }, 'API key'),
    input,
    alert,
    element('button', { class: 'primary' }, 'Sign in'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    callApi('POST', '/v1/sign-in', { key: input.value.trim() }).then(onDone, (error: unknown) => {
      alert.hidden = false;
      alert.textContent = error instanceof Error ? error.message : String(error);
      input.select();
    });
  });
  fill(main, form);
  input.focus();
}
