import type { NetworkMonitor, NetworkRequest } from '../cdp/network-monitor.ts';
import { DriverNavigationError } from '../errors.ts';

/** What a server answered to a navigation. */
export class Response {
  readonly #request: NetworkRequest;
  readonly #network: NetworkMonitor;

  /** @internal */
  constructor(request: NetworkRequest, network: NetworkMonitor) {
    this.#request = request;
    this.#network = network;
  }

  /** The address that answered, after redirects. */
  url(): string {
    return this.#request.response?.url ?? this.#request.url;
  }

  /** The HTTP status, 0 where there was none (as for `data:` addresses). */
  status(): number {
    return this.#request.response?.status ?? 0;
  }

  /** The server's words for the status. */
  statusText(): string {
    return this.#request.response?.statusText ?? '';
  }

  /** Whether the status is 200 to 299. */
  ok(): boolean {
    return this.status() >= 200 && this.status() <= 299;
  }

  /** Headers by lower-case name. */
  headers(): Record<string, string> {
    const headers = Object.entries(this.#request.response?.headers ?? {});
    return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  }

  /** The body's bytes, once it has arrived whole. */
  async body(): Promise<Buffer> {
    await this.#network.whenEnded(this.#request);
    const { failure, session, id } = this.#request;
    if (failure !== undefined)
      throw new DriverNavigationError(`The body of ${this.url()} did not arrive: ${failure}.`, { url: this.url() });
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId: id });
    return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
  }

  /** The body as text. */
  async text(): Promise<string> {
    return (await this.body()).toString('utf8');
  }

  /** The body parsed as JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
