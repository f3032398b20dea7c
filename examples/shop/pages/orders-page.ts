import { html, type Html } from '../html.ts';
import type { PastOrder } from '../order-history.ts';
import { formatPrice } from '../products.ts';
import type { ShopState } from '../shop-state.ts';
import { layout } from './layout.ts';

/** All orders in one long table, each row with its buttons. */
export function ordersPage(state: ShopState, history: readonly PastOrder[]): Html {
  const content = html`<div class="list-head"><h1>Your orders</h1><p>${history.length} orders</p></div>
      <table class="orders">
        <thead><tr><th>Order</th><th>Date</th><th>Article</th><th class="number">Quantity</th><th class="number">Total</th><th>Status</th><th>Actions</th></tr></thead>
        <tbody>${history.map((order) => row(order, state.returns.includes(order.number)))}</tbody>
      </table>`;
  return layout({ title: 'Your orders', state, content });
}

function row(order: PastOrder, isReturning: boolean): Html {
  const status = isReturning ? 'Return requested' : order.status;
  return html`<tr>
          <td>${order.number}</td><td>${order.date}</td><td><a href="/products/${order.slug}">${order.article}</a></td>
          <td class="number">${order.quantity}</td><td class="number">${formatPrice(order.total)}</td><td data-status>${status}</td>
          <td><button class="plain" data-add="${order.slug}" data-name="${order.article}">Buy again</button> <button class="plain" data-return="${order.number}"${order.status === 'Delivered' && !isReturning ? null : html` disabled`}>Return</button> <a href="/invoices/${order.number}" aria-label="Invoice of ${order.number}">Invoice</a></td>
        </tr>`;
}
