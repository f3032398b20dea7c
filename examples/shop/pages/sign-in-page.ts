import { html, type Html } from '../html.ts';
import type { ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

/** The sign-in form, with what was wrong the last time. */
export function signInPage(state: ShopState, problem: string): Html {
  const content = html`<section class="narrow">
        <h1>Sign in</h1>
        ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
        <form class="stack" method="post" action="/sign-in">
          <label for="email">E-mail address</label>
          <input id="email" name="email" type="email" autocomplete="username" required />
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
          <label class="check"><input type="checkbox" name="stay" /> Keep me signed in</label>
          <button class="primary" type="submit">Sign in</button>
        </form>
        <p><a href="#forgotten">Forgotten your password?</a></p>
      </section>`;
  return layout({ title: 'Sign in', state, content });
}
