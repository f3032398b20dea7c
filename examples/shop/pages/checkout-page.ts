import { html, type Html } from '../html.ts';
import { formatPrice, productBySlug } from '../products.ts';
import { linePrice, type ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

/** Address, delivery, card (a frame of the payment provider) and the summary. */
export function checkoutPage(state: ShopState, frameUrl: string): Html {
  const content = html`<h1>Checkout</h1>
      <div class="checkout">
        <form id="checkout">
          <fieldset>
            <legend>Where to</legend>
            <label for="name">Full name</label>
            <input id="name" name="name" autocomplete="name" required />
            <label for="street">Street and number</label>
            <input id="street" name="street" autocomplete="street-address" required />
            <span class="label" id="country-label">Delivery country</span>
            <country-dropdown name="country" labelledby="country-label"></country-dropdown>
          </fieldset>
          <fieldset>
            <legend>How</legend>
            <label for="speed">Delivery speed</label>
            <select id="speed" name="speed">
              <option value="standard">Standard, three to five days (€4.90)</option>
              <option value="express">Express, tomorrow (€12.90)</option>
              <option value="pickup">Pick up at Rope Walk (free)</option>
            </select>
          </fieldset>
          <fieldset>
            <legend>Card</legend>
            <iframe src="${frameUrl}" title="Card payment"></iframe>
          </fieldset>
          <p class="problem" role="alert" hidden></p>
          <button class="primary" type="submit">Place order</button>
        </form>
        ${summary(state)}
      </div>
      <dialog id="thanks" aria-labelledby="thanks-title">
        <h2 id="thanks-title">Thank you</h2>
        <p>Order number: <strong data-number></strong></p>
        <p>Total: <strong data-total></strong></p>
        <button autofocus data-close>Continue shopping</button>
      </dialog>
      <script type="module" src="/public/country-dropdown.js"></script>
      <script type="module" src="/public/checkout.js"></script>`;
  return layout({ title: 'Checkout', state, content });
}

function summary(state: ShopState): Html {
  return html`<aside class="summary">
          <h2>Your order</h2>
          <ul>${state.cart.map((line) => html`<li><span>${line.quantity} × ${productBySlug(line.slug)?.name ?? line.slug}</span> <span>${formatPrice(linePrice(line))}</span></li>`)}</ul>
          <p class="sum"><span>Subtotal</span> <span>${formatPrice(state.total())}</span></p>
        </aside>`;
}
