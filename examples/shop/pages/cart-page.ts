import { html, type Html } from '../html.ts';
import { formatPrice, productBySlug } from '../products.ts';
import { linePrice, type CartLine, type ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

/** What is in the cart and what it costs. */
export function cartPage(state: ShopState): Html {
  const content = html`<h1>Your cart</h1>${state.cart.length === 0 ? empty : filled(state)}`;
  return layout({ title: 'Your cart', state, content });
}

const empty = html`<p class="empty">Your cart is empty. <a href="/">Look around</a></p>`;

function filled(state: ShopState): Html {
  return html`<table class="lines">
        <thead><tr><th>Article</th><th class="number">Quantity</th><th class="number">Price</th><th></th></tr></thead>
        <tbody>${state.cart.map(row)}</tbody>
        <tfoot><tr><th>Subtotal</th><td></td><td class="number">${formatPrice(state.total())}</td><td></td></tr></tfoot>
      </table>
      <p class="actions"><a href="/">Keep looking</a> <a class="button primary" href="/checkout">Go to checkout</a></p>`;
}

function row(line: CartLine): Html {
  const name = productBySlug(line.slug)?.name ?? line.slug;
  return html`<tr>
          <td><a href="/products/${line.slug}">${name}</a>${line.giftWrap ? html` <span class="tag">gift wrap</span>` : null}</td>
          <td class="number">${line.quantity}</td>
          <td class="number">${formatPrice(linePrice(line))}</td>
          <td><button class="plain" data-remove="${line.slug}" aria-label="Remove ${name}">Remove</button></td>
        </tr>`;
}
