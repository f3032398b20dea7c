import { html, type Html } from '../html.ts';
import { picture } from '../pictures.ts';
import { CATEGORIES, formatPrice, PRODUCTS, type Product } from '../products.ts';
import type { ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

const PAGE_SIZE = 12;

const ORDERS: Readonly<Record<string, { readonly label: string; compare(a: Product, b: Product): number }>> = {
  recommended: { label: 'Recommended', compare: () => 0 },
  'price-up': { label: 'Price: low to high', compare: (a, b) => a.price - b.price },
  'price-down': { label: 'Price: high to low', compare: (a, b) => b.price - a.price },
  rating: { label: 'Best rated', compare: (a, b) => b.rating - a.rating },
};

/** The product cards, filtered by `q` and `category`, in the order of `sort`, twelve a `page`. */
export function cataloguePage(state: ShopState, asked: URLSearchParams): Html {
  const query = asked.get('q') ?? '';
  const category = CATEGORIES.find((name) => name === asked.get('category'));
  const sort = asked.get('sort') ?? 'recommended';
  const found = PRODUCTS.filter((product) => category === undefined || product.category === category)
    .filter((product) => matches(product, query))
    .toSorted((a, b) => ORDERS[sort]?.compare(a, b) ?? 0);
  const page = Math.max(1, Number(asked.get('page') ?? 1));
  const title = query === '' ? (category ?? 'All goods') : `Results for “${query}”`;
  const content = html`${query === '' && category === undefined && page === 1 ? welcome : null}
      <div class="list-head"><h1>${title}</h1><p>${found.length} ${found.length === 1 ? 'product' : 'products'}</p>${sortForm(asked, sort)}</div>
      <ul class="cards">${found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((product) => card(product, state))}</ul>
      ${found.length === 0 ? html`<p class="empty">Nothing here by that name. Try “mug” or “lamp”.</p>` : null}
      ${pages(asked, page, Math.ceil(found.length / PAGE_SIZE))}`;
  return layout({ title, state, category, query, content });
}

/** The words of the search must all stand in the name, text or department. */
function matches(product: Product, query: string): boolean {
  const text = `${product.name} ${product.text} ${product.category}`.toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}

const welcome = html`<section class="welcome">
        <div>
          <h2>Things for slow mornings</h2>
          <p>Cups, boards, blankets and lamps from eleven workshops along the coast. Free delivery from €60.</p>
          <a class="button" href="/?category=${encodeURIComponent('Cups & mugs')}">See the cups</a>
        </div>
        ${picture('teapot', '#55756d', '')}${picture('mug', '#3f6f9f', '')}
      </section>`;

function card(product: Product, state: ShopState): Html {
  const isFavourite = state.favourites.includes(product.slug);
  return html`<li class="card">
        <a class="card-picture" href="/products/${product.slug}" tabindex="-1" aria-hidden="true">${picture(product.picture, product.color, '')}</a>
        <button class="heart" title="Save ${product.name}" aria-pressed="${String(isFavourite)}" data-favourite="${product.slug}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 20s-8-5-8-11a4.5 4.5 0 0 1 8-2.8A4.5 4.5 0 0 1 20 9c0 6-8 11-8 11z" /></svg></button>
        <h3><a href="/products/${product.slug}">${product.name}</a></h3>
        <p class="stars" aria-label="Rated ${product.rating} of 5">★ ${product.rating.toFixed(1)} <span>(${product.reviews})</span></p>
        <p class="price">${formatPrice(product.price)}</p>
        ${product.inStock ? html`<button data-add="${product.slug}" data-name="${product.name}">Add to cart</button>` : html`<button disabled>Sold out</button>`}
      </li>`;
}

function sortForm(asked: URLSearchParams, sort: string): Html {
  const kept = ['q', 'category'].filter((name) => asked.has(name));
  return html`<form class="sort" data-submit-on-change>
        ${kept.map((name) => html`<input type="hidden" name="${name}" value="${asked.get(name)}" />`)}
        <label>Sort by <select name="sort">${Object.entries(ORDERS).map(([value, { label }]) => option(value, label, sort))}</select></label>
      </form>`;
}

function option(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`;
}

function pages(asked: URLSearchParams, page: number, last: number): Html | null {
  if (last < 2) return null;
  const address = (to: number): string => {
    const next = new URLSearchParams(asked);
    next.set('page', String(to));
    return `/?${next.toString()}`;
  };
  return html`<nav class="pages" aria-label="Pages">
        ${page > 1 ? html`<a href="${address(page - 1)}" rel="prev">Previous</a>` : null}
        <span>Page ${page} of ${last}</span>
        ${page < last ? html`<a href="${address(page + 1)}" rel="next">Next page</a>` : null}
      </nav>`;
}
