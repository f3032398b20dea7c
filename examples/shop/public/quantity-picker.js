const STYLE = `
  div { display: inline-flex; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--surface); }
  button { width: 2.6rem; border: 0; background: none; color: inherit; font: 600 1.1rem system-ui; cursor: pointer; }
  button:hover:not(:disabled) { background: var(--soft); }
  button:disabled { opacity: .35; cursor: default; }
  output { min-width: 2.4rem; padding: .55rem 0; text-align: center; font-variant-numeric: tabular-nums; }
`;

/** Minus, a number, plus, in an open shadow root. */
class QuantityPicker extends HTMLElement {
  value = 1;

  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = `<style>${STYLE}</style>
      <div role="group" aria-label="${this.getAttribute('label')}">
        <button aria-label="Decrease quantity">−</button><output>1</output><button aria-label="Increase quantity">+</button>
      </div>`;
    const [less, more] = root.querySelectorAll('button');
    const show = (value) => {
      this.value = value;
      root.querySelector('output').textContent = value;
      less.disabled = value <= 1;
      more.disabled = value >= Number(this.getAttribute('max'));
    };
    less.addEventListener('click', () => show(this.value - 1));
    more.addEventListener('click', () => show(this.value + 1));
    show(1);
  }
}

customElements.define('quantity-picker', QuantityPicker);
