import { asset } from './assets.ts';
import type { Answer, Route, Visit } from './http.ts';
import { invoice } from './invoice.ts';
import { orderHistory } from './order-history.ts';
import { cartPage } from './pages/cart-page.ts';
import { cataloguePage } from './pages/catalogue-page.ts';
import { checkoutPage } from './pages/checkout-page.ts';
import { ordersPage } from './pages/orders-page.ts';
import { productPage } from './pages/product-page.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { productBySlug } from './products.ts';
import type { ShopState } from './shop-state.ts';

const HISTORY = orderHistory(1_000);

/** Every address of the shop. */
export function shopRoutes(state: ShopState, frameUrl: string): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['GET /', ({ url }) => cataloguePage(state, url.searchParams)],
    ['GET /products/', ({ url }) => productAnswer(state, url.pathname.split('/')[2] ?? '')],
    ['GET /cart', () => cartPage(state)],
    ['GET /checkout', () => checkoutPage(state, frameUrl)],
    ['GET /sign-in', () => signInPage(state, '')],
    ['POST /sign-in', (visit) => signIn(state, visit)],
    ['POST /sign-out', () => signOut(state)],
    ['GET /orders', () => (state.signedInAs === null ? { redirect: '/sign-in' } : ordersPage(state, HISTORY))],
    ['GET /invoices/', ({ url }) => invoiceAnswer(state, url.pathname.split('/')[2] ?? '')],
    ['GET /public/', ({ url }) => asset(url.pathname.split('/')[2] ?? '')],
    ...apiRoutes(state),
  ]);
}

function apiRoutes(state: ShopState): readonly [string, Route][] {
  return [
    ['GET /api/state', () => ({ json: state })],
    ['POST /api/cart', ({ fields }) => addToCart(state, fields)],
    ['POST /api/cart/remove', ({ fields }) => changed(() => state.remove(text(fields['slug'])))],
    ['POST /api/favourites', ({ fields }) => changed(() => state.favourites.push(text(fields['slug'])))],
    ['POST /api/returns', ({ fields }) => changed(() => state.returns.push(text(fields['number'])))],
    ['POST /api/subscribers', ({ fields }) => changed(() => state.subscribers.push(text(fields['email'])))],
    ['POST /api/cookies', ({ fields }) => changed(() => (state.cookies = text(fields['choice'])))],
    ['POST /api/orders', ({ fields }) => placeOrder(state, fields)],
  ];
}

function productAnswer(state: ShopState, slug: string): Answer | null {
  const product = productBySlug(slug);
  return product === undefined ? null : productPage(state, product);
}

function invoiceAnswer(state: ShopState, number: string): Answer | null {
  if (state.signedInAs === null) return { redirect: '/sign-in' };
  const order = HISTORY.find((one) => one.number === number);
  return order === undefined ? null : invoice(order);
}

function signIn(state: ShopState, { fields }: Visit): Answer {
  if (text(fields['password']).length < 8) return signInPage(state, 'That password is too short to be right.');
  state.signedInAs = text(fields['email']);
  return { redirect: state.count() > 0 ? '/cart' : '/' };
}

function signOut(state: ShopState): Answer {
  state.signedInAs = null;
  return { redirect: '/' };
}

function addToCart(state: ShopState, fields: Visit['fields']): Answer {
  const slug = text(fields['slug']);
  if (productBySlug(slug)?.inStock !== true) return { json: { error: 'This is sold out.' }, status: 409 };
  state.add({ slug, quantity: Number(fields['quantity'] ?? 1), giftWrap: fields['giftWrap'] === true });
  return { json: { count: state.count() } };
}

function placeOrder(state: ShopState, fields: Visit['fields']): Answer {
  if (state.card === null) return { json: { error: 'Confirm your card first.' }, status: 402 };
  if (text(fields['country']) === '') return { json: { error: 'Choose a delivery country.' }, status: 422 };
  const order = state.placeOrder({
    name: text(fields['name']),
    street: text(fields['street']),
    country: text(fields['country']),
    speed: text(fields['speed']),
  });
  return { json: order, status: 201 };
}

function changed(change: () => unknown): Answer {
  change();
  return { json: { ok: true } };
}

function text(field: unknown): string {
  return typeof field === 'string' ? field : '';
}
