import { send } from './shop.js';

const STYLE = `
  section { position: fixed; inset: auto 1rem 1rem; margin: auto; max-width: 52rem; display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center;
    padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 16px; background: var(--surface); color: var(--text);
    box-shadow: 0 12px 40px rgb(0 0 0 / .22); z-index: 20; }
  p { margin: 0; flex: 1 1 16rem; font-size: .95rem; }
  button { padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: none; color: inherit; font: 600 .95rem system-ui; cursor: pointer; }
  .all { border-color: transparent; background: var(--accent); color: var(--on-accent); }
`;

/** The bar that asks about cookies, in a closed shadow root. */
class CookieConsent extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' });
    root.innerHTML = `<style>${STYLE}</style>
      <section role="region" aria-label="Cookies">
        <p>We use cookies to keep your cart and, if you like, to see which pages are read.</p>
        <button data-choice="necessary">Only necessary cookies</button>
        <button class="all" data-choice="all">Accept all cookies</button>
      </section>`;
    root.addEventListener('click', async (event) => {
      const { choice } = event.target.dataset;
      if (choice === undefined) return;
      await send('/api/cookies', { choice });
      this.remove();
    });
  }
}

customElements.define('cookie-consent', CookieConsent);
