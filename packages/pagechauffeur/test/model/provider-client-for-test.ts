import type { ModelClient } from '../../src/model/model-client.ts';
import type { ModelOptions } from '../../src/model/model-configuration.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import type { ProviderFormat } from './provider-formats.ts';
import type { ProviderServer } from './provider-server.ts';

/** The client of a provider's model that a local server plays. */
export function clientFor(
  format: ProviderFormat,
  server: Pick<ProviderServer, 'url'>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<ModelClient> {
  return resolveModel(modelFor(format, server, options), {});
}

/** The same as the `model` option of a driver or call. */
export function modelFor(
  { modelName, basePath, options: own }: ProviderFormat,
  server: Pick<ProviderServer, 'url'>,
  options: Readonly<Record<string, unknown>> = {},
): ModelOptions {
  return { modelName, apiKey: 'secret-key', baseURL: server.url + basePath, ...own, ...options };
}
