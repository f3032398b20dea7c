import { buildInjected } from './build-injected.ts';
import { buildViewer } from './build-viewer.ts';

/** Builds the injected script and the dashboard, and starts a platform if drivers are remote. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await Promise.all([buildInjected(), buildViewer()]);
  const env = process.env['CHAUFFEUR_TEST_ENV'];
  if (env === undefined) return undefined;
  const { startTestPlatform } = await import('./test-platform.ts');
  return startTestPlatform(env);
}
