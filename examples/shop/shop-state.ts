import { productBySlug } from './products.ts';

/** One line of the cart or of an order. */
export interface CartLine {
  readonly slug: string;
  readonly quantity: number;
  readonly giftWrap: boolean;
}

/** Where and how an order goes. */
export interface Delivery {
  readonly name: string;
  readonly street: string;
  readonly country: string;
  readonly speed: string;
}

/** An order that was placed here. */
export interface PlacedOrder {
  readonly number: string;
  readonly lines: readonly CartLine[];
  readonly delivery: Delivery;
  /** The last digits of the card. */
  readonly card: string;
  /** In cents. */
  readonly total: number;
}

const FIRST_ORDER_NUMBER = 21_000;
const GIFT_WRAP_PRICE = 350;

/** What each way of delivery costs, in cents. */
export const SHIPPING: Readonly<Record<string, number>> = { standard: 490, express: 1290, pickup: 0 };

/** Everything that one visitor has done in the shop; `GET /api/state` shows it. */
export class ShopState {
  readonly cart: CartLine[] = [];
  readonly orders: PlacedOrder[] = [];
  readonly returns: string[] = [];
  readonly favourites: string[] = [];
  readonly subscribers: string[] = [];
  signedInAs: string | null = null;
  cookies: string | null = null;
  card: string | null = null;

  /** Adds to the cart; the same thing twice becomes one line. */
  add(line: CartLine): void {
    const index = this.cart.findIndex((other) => other.slug === line.slug && other.giftWrap === line.giftWrap);
    const there = this.cart[index];
    if (there === undefined) this.cart.push(line);
    else this.cart[index] = { ...there, quantity: there.quantity + line.quantity };
  }

  /** Takes every line of a product out of the cart. */
  remove(slug: string): void {
    const kept = this.cart.filter((line) => line.slug !== slug);
    this.cart.splice(0, this.cart.length, ...kept);
  }

  /** How many things the cart holds. */
  count(): number {
    return this.cart.reduce((sum, line) => sum + line.quantity, 0);
  }

  /** What the cart costs, in cents. */
  total(): number {
    return this.cart.reduce((sum, line) => sum + linePrice(line), 0);
  }

  /** Turns the cart into an order. */
  placeOrder(delivery: Delivery): PlacedOrder {
    const order: PlacedOrder = {
      number: `TW-${FIRST_ORDER_NUMBER + this.orders.length}`,
      lines: [...this.cart],
      delivery,
      card: this.card ?? '',
      total: this.total() + (SHIPPING[delivery.speed] ?? 0),
    };
    this.orders.push(order);
    this.cart.length = 0;
    return order;
  }
}

/** What a line costs, in cents. */
export function linePrice(line: CartLine): number {
  const price = productBySlug(line.slug)?.price ?? 0;
  return price * line.quantity + (line.giftWrap ? GIFT_WRAP_PRICE : 0);
}
