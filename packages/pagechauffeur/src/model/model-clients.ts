import type { ModelClient } from './model-client.ts';
import type { ModelConfiguration } from './model-configuration.ts';
import { resolveModel } from './resolve-model.ts';

/** The model clients of a driver, created on first use. A client keeps what it learned about its provider. */
export class ModelClients {
  readonly #ownConfiguration: ModelConfiguration | undefined;
  readonly #clientByName = new Map<string | undefined, Promise<ModelClient>>();
  readonly #clientByObject = new WeakMap<object, Promise<ModelClient>>();

  readonly #logged = new Set<string>();

  constructor(ownConfiguration: ModelConfiguration | undefined) {
    this.#ownConfiguration = ownConfiguration;
  }

  /** The client for the model of a call, or for the driver's own model. */
  get(configuration: ModelConfiguration | undefined = this.#ownConfiguration): Promise<ModelClient> {
    return typeof configuration === 'object'
      ? found(this.#clientByObject, configuration, configuration)
      : found(this.#clientByName, configuration, configuration);
  }

  /** True if this warning was logged before. Marks it as logged. */
  hasLogged(warning: string): boolean {
    const hasLogged = this.#logged.has(warning);
    this.#logged.add(warning);
    return hasLogged;
  }
}

interface Clients<Key> {
  get(key: Key): Promise<ModelClient> | undefined;
  set(key: Key, client: Promise<ModelClient>): unknown;
  delete(key: Key): boolean;
}

/** Does not keep a failed lookup: the next call may have set the API key. */
function found<Key>(
  clients: Clients<Key>,
  key: Key,
  configuration: ModelConfiguration | undefined,
): Promise<ModelClient> {
  const known = clients.get(key);
  if (known) return known;
  const client = resolveModel(configuration).catch((error: unknown) => {
    clients.delete(key);
    throw error;
  });
  clients.set(key, client);
  return client;
}
