import { html, type Html } from '../html.ts';
import { picture } from '../pictures.ts';
import { formatPrice, PRODUCTS, type Product } from '../products.ts';
import type { ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

/** One product: picture, price, quantity picker, gift wrap, questions, and what goes with it. */
export function productPage(state: ShopState, product: Product): Html {
  const content = html`<p class="crumbs"><a href="/">All goods</a> / <a href="/?category=${encodeURIComponent(product.category)}">${product.category}</a></p>
      <article class="product">
        <div class="gallery">
          ${picture(product.picture, product.color, product.name)}
          <div class="thumbs">${['front', 'side', 'in use'].map((view) => html`<div class="thumb" data-view="${view}">${picture(product.picture, product.color, '')}</div>`)}</div>
        </div>
        <div>
          <h1>${product.name}</h1>
          <p class="stars">★ ${product.rating.toFixed(1)} <span>from ${product.reviews} reviews</span></p>
          <p class="price">${formatPrice(product.price)}</p>
          <p>${product.text}</p>
          <div class="buy">
            <quantity-picker label="Quantity" max="12"></quantity-picker>
            <label class="check"><input type="checkbox" id="gift" /> Gift wrap (€3.50)</label>
            ${product.inStock ? html`<button class="primary" data-add="${product.slug}" data-name="${product.name}">Add to cart</button>` : html`<button class="primary" disabled>Sold out</button>`}
          </div>
          <details><summary>Delivery and returns</summary><p>Standard delivery takes three to five days, express one. Returns are free within 60 days.</p></details>
          <details><summary>Care</summary><p>Warm water and a soft cloth. The dishwasher is allowed for everything but wood and wool.</p></details>
        </div>
      </article>
      <h2>Goes well with</h2>
      <ul class="related">${related(product).map((other) => html`<li><a href="/products/${other.slug}">${picture(other.picture, other.color, '')}${other.name}</a></li>`)}</ul>`;
  return layout({ title: product.name, state, category: product.category, content });
}

function related(product: Product): readonly Product[] {
  return PRODUCTS.filter((other) => other.category === product.category && other !== product).slice(0, 4);
}
