import { buildInjected } from './build-injected.ts';
import { buildViewer } from './build-viewer.ts';

/** Before any test: the in-page program and the platform's pages as the sources now have them, and a platform where drivers are to be remote. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await Promise.all([buildInjected(), buildViewer()]);
  const env = process.env['CHAUFFEUR_TEST_ENV'];
  if (env === undefined) return undefined;
  const { startTestPlatform } = await import('./test-platform.ts');
  return startTestPlatform(env);
}
