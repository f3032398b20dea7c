/** A server in a process of its own, with browsers of a simulated machine: its options, that machine and the kind of its browsers are given as JSON. */
import type { PlatformOptions } from '../../src/options.ts';
import { startPlatform } from '../../src/platform.ts';
import { type BackendKind, simulatedBackend } from '../support/simulated-backend.ts';

const { options, origin, kind } = JSON.parse(process.argv[2] ?? '') as {
  options: PlatformOptions;
  origin: string;
  kind: BackendKind;
};
const platform = await startPlatform(options, simulatedBackend(origin, kind, options.capacity ?? 50));
process.stdout.write(`Port ${platform.port}\n`);
process.stdout.write(`Key ${platform.firstKey ?? ''}\n`);
process.once('SIGTERM', () => void platform.close());
