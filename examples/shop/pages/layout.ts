import { html, type Html } from '../html.ts';
import { CATEGORIES, type Category } from '../products.ts';
import type { ShopState } from '../shop-state.ts';

/** What the frame around each page needs to know. */
export interface Layout {
  readonly title: string;
  readonly state: ShopState;
  readonly category?: Category | undefined;
  readonly query?: string;
  readonly content: Html;
}

/** A whole page of the shop: header, menu, content, footer. */
export function layout({ title, state, category, query = '', content }: Layout): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Tidewater</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/public/shop.css" />
    <script type="module" src="/public/shop.js"></script>
    <script type="module" src="/public/quantity-picker.js"></script>
    <script type="module" src="/public/cookie-consent.js"></script>
  </head>
  <body>
    ${header(state, query)}
    <nav class="departments" aria-label="Departments">${CATEGORIES.map((name) => departmentLink(name, category))}</nav>
    <main>${content}</main>
    ${footer}
    <div class="toasts" role="status" aria-live="polite"></div>
    ${state.cookies === null ? html`<cookie-consent></cookie-consent>` : null}
  </body>
</html>`;
}

function header(state: ShopState, query: string): Html {
  return html`<header class="top">
      <a class="brand" href="/"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M2 20q7-8 14 0t14 0v8H2z" /><circle cx="22" cy="9" r="5" /></svg>Tidewater</a>
      <form class="search" role="search" action="/">
        <input type="search" name="q" value="${query}" placeholder="Search products" aria-label="Search products" />
        <button type="submit">Search</button>
      </form>
      <nav class="account" aria-label="Account">${account(state)} <a class="cart" href="/cart">Cart <span class="count">${state.count()}</span></a></nav>
    </header>`;
}

function account(state: ShopState): Html {
  if (state.signedInAs === null) return html`<a href="/sign-in">Sign in</a>`;
  return html`<a href="/orders">Your orders</a>
        <form action="/sign-out" method="post"><button class="plain" type="submit">Sign out</button></form>`;
}

function departmentLink(name: Category, current: Category | undefined): Html {
  const mark = name === current ? html` aria-current="page"` : null;
  return html`<a href="/?category=${encodeURIComponent(name)}"${mark}>${name}</a>`;
}

const footer = html`<footer>
      <form class="newsletter" data-newsletter>
        <strong>Letters from the workshop</strong>
        <span>Four times a year, never more.</span>
        <input type="email" name="email" placeholder="Your e-mail for the newsletter" required />
        <button type="submit">Subscribe</button>
      </form>
      <p>Tidewater Goods, 12 Rope Walk. Free returns within 60 days.</p>
    </footer>`;
