import { asset } from './assets.ts';
import { html } from './html.ts';
import type { Answer, Route, Visit } from './http.ts';
import type { ShopState } from './shop-state.ts';

/** The addresses of the payment provider. */
export function paymentRoutes(state: ShopState): ReadonlyMap<string, Route> {
  return new Map<string, Route>([
    ['GET /', () => paymentPage],
    ['GET /public/', ({ url }) => asset(url.pathname.split('/')[2] ?? '')],
    ['POST /api/card', ({ fields }) => confirmCard(state, fields)],
  ]);
}

function confirmCard(state: ShopState, fields: Visit['fields']): Answer {
  const digits = String(fields['number'] ?? '').replaceAll(/\D/g, '');
  if (digits.length < 12) return { json: { error: 'This card number is too short.' }, status: 422 };
  state.card = digits.slice(-4);
  return { json: { card: state.card } };
}

const paymentPage = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Quaypay card form</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/public/shop.css" />
  </head>
  <body class="payment">
    <form id="card" autocomplete="off">
      <div class="field wide">
        <label for="number">Card number</label>
        <input id="number" name="number" inputmode="numeric" placeholder="1234 5678 9012 3456" required />
      </div>
      <div class="field">
        <label for="expiry">Expiry date</label>
        <input id="expiry" name="expiry" placeholder="MM/YY" required />
      </div>
      <div class="field">
        <label for="code">Security code</label>
        <input id="code" name="code" inputmode="numeric" placeholder="CVC" required />
      </div>
      <button class="primary" type="submit">Confirm card</button>
    </form>
    <p id="outcome" role="status">Secured by Quaypay. Your card never reaches the shop.</p>
    <script type="module" src="/public/payment.js"></script>
  </body>
</html>`;
