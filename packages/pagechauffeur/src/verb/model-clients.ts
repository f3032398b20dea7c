import type { ModelClient } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import { resolveModel } from '../model/resolve-model.ts';

/** The clients of a driver's models, each found with its first question: what one learns of its provider it goes on knowing. */
export class ModelClients {
  readonly #ownConfiguration: ModelConfiguration | undefined;
  readonly #clientByName = new Map<string | undefined, Promise<ModelClient>>();
  readonly #clientByObject = new WeakMap<object, Promise<ModelClient>>();

  readonly #logged = new Set<string>();

  constructor(ownConfiguration: ModelConfiguration | undefined) {
    this.#ownConfiguration = ownConfiguration;
  }

  /** The client of a call's model, or of the driver's own. */
  get(configuration: ModelConfiguration | undefined = this.#ownConfiguration): Promise<ModelClient> {
    return typeof configuration === 'object'
      ? found(this.#clientByObject, configuration, configuration)
      : found(this.#clientByName, configuration, configuration);
  }

  /** Whether a warning was told before; from then on it is. */
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

/** A failed look-up is not kept: the key may be set by the next call. */
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
