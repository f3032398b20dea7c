import { buildInjected } from './build-injected.ts';

/** Before any test: the in-page program as the sources now have it. */
export default async function setup(): Promise<void> {
  await buildInjected();
}
