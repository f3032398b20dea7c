import type { Asset } from './http.ts';
import type { PastOrder } from './order-history.ts';
import { formatPrice } from './products.ts';

/** The invoice of an order, as a text file. */
export function invoice({ number, date, article, quantity, total }: PastOrder): Asset {
  const lines = [`Tidewater Goods, invoice ${number}`, date, `${quantity} × ${article}`, `Total ${formatPrice(total)}`];
  return {
    body: Buffer.from(`${lines.join('\n')}\n`),
    contentType: 'text/plain; charset=utf-8',
    saveAs: `invoice-${number}.txt`,
  };
}
