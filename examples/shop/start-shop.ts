import { listen, portOf, stop } from './http.ts';
import { paymentRoutes } from './payment-routes.ts';
import { shopRoutes } from './shop-routes.ts';
import { ShopState } from './shop-state.ts';

/** The shop, running. */
export interface Shop {
  /** Its first page, on `127.0.0.1`; what visitors did stands at `api/state` below it. */
  readonly url: string;
  /** The payment provider in the frame of the checkout, on `localhost`: another site. */
  readonly frameUrl: string;
  /** Stops both servers. */
  close(): Promise<void>;
}

/** Starts the shop with an empty cart and a history of 1,000 orders. Nothing is loaded from anywhere else. */
export async function startShop(): Promise<Shop> {
  const state = new ShopState();
  const paymentServer = await listen(paymentRoutes(state));
  const frameUrl = `http://localhost:${portOf(paymentServer)}/`;
  const shopServer = await listen(shopRoutes(state, frameUrl));
  const close = async (): Promise<void> => {
    await Promise.all([stop(shopServer), stop(paymentServer)]);
  };
  let closing: Promise<void> | undefined;
  return { url: `http://127.0.0.1:${portOf(shopServer)}/`, frameUrl, close: () => (closing ??= close()) };
}
