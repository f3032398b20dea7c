const COUNTRIES = [
  'Austria',
  'Belgium',
  'Denmark',
  'Finland',
  'France',
  'Germany',
  'Ireland',
  'Italy',
  'Netherlands',
  'Norway',
  'Poland',
  'Portugal',
  'Spain',
  'Sweden',
  'Switzerland',
];

/** A button that shows the chosen country; its list is built when it opens. */
class CountryDropdown extends HTMLElement {
  static formAssociated = true;
  #internals = this.attachInternals();
  #button = document.createElement('button');

  connectedCallback() {
    this.#button.type = 'button';
    this.#button.id = 'country';
    this.#button.className = 'dropdown';
    this.#button.setAttribute('aria-haspopup', 'listbox');
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.setAttribute('aria-labelledby', `${this.getAttribute('labelledby')} country`);
    this.#button.textContent = 'Choose a country';
    this.#button.addEventListener('click', () => this.#toggle());
    this.addEventListener('keydown', (event) => event.key === 'Escape' && this.#close());
    this.append(this.#button);
  }

  #toggle() {
    if (this.querySelector('[role=listbox]') !== null) {
      this.#close();
      return;
    }
    const list = document.createElement('ul');
    list.setAttribute('role', 'listbox');
    list.setAttribute('aria-labelledby', this.getAttribute('labelledby'));
    list.append(...COUNTRIES.map((country) => this.#option(country)));
    this.#button.setAttribute('aria-expanded', 'true');
    this.append(list);
  }

  #option(country) {
    const item = document.createElement('li');
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', String(this.#button.textContent === country));
    item.textContent = country;
    item.addEventListener('click', () => {
      this.#button.textContent = country;
      this.#internals.setFormValue(country);
      this.#close();
    });
    return item;
  }

  #close() {
    this.querySelector('[role=listbox]')?.remove();
    this.#button.setAttribute('aria-expanded', 'false');
  }
}

customElements.define('country-dropdown', CountryDropdown);
