import { PRODUCTS } from './products.ts';

/** One order of the past. */
export interface PastOrder {
  readonly number: string;
  readonly date: string;
  readonly article: string;
  readonly slug: string;
  readonly quantity: number;
  /** In cents. */
  readonly total: number;
  readonly status: 'Delivered' | 'On its way' | 'Returned' | 'Cancelled';
}

const STATUSES = [
  'Delivered',
  'Delivered',
  'Delivered',
  'On its way',
  'Delivered',
  'Returned',
  'Delivered',
  'Cancelled',
] as const;
const LAST_NUMBER = 20_999;
const LAST_DAY = Date.UTC(2026, 9, 30);
const DAY = 86_400_000;

/** The orders of a very loyal customer, newest first, the same ones each time. */
export function orderHistory(count: number): readonly PastOrder[] {
  return Array.from({ length: count }, (_, index) => pastOrder(index));
}

function pastOrder(index: number): PastOrder {
  const product = PRODUCTS[(index * 7 + 3) % PRODUCTS.length];
  if (product === undefined) throw new RangeError('The shop has no products.');
  const quantity = 1 + (index % 3);
  return {
    number: `TW-${LAST_NUMBER - index}`,
    date: new Date(LAST_DAY - index * 2 * DAY).toISOString().slice(0, 10),
    article: product.name,
    slug: product.slug,
    quantity,
    total: product.price * quantity,
    status: STATUSES[(index * 5) % STATUSES.length] ?? 'Delivered',
  };
}
