/**
 * A server process that can be killed. Options are passed as JSON; with a simulated machine and a backend kind it uses
 * simulated
 * browsers, otherwise those of the options.
 */
import type { PlatformOptions } from '../../src/options.ts';
import { startPlatform } from '../../src/platform.ts';
import { type BackendKind, simulatedBackend } from './simulated-backend.ts';

const { options, simulated } = JSON.parse(process.argv[2] ?? '') as {
  options: PlatformOptions;
  simulated?: { origin: string; kind: BackendKind };
};
const backend = simulated && simulatedBackend(simulated.origin, simulated.kind, options.capacity ?? 50);
const platform = await startPlatform({ allowNoSandbox: true, ...options }, backend);
process.stdout.write(`Port ${platform.port}\n`);
process.stdout.write(`Key ${platform.firstKey ?? ''}\n`);
process.once('SIGTERM', () => void platform.close());
