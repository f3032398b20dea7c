import { rmSync } from 'node:fs';
import type { Server } from 'node:http';

/** In a child process: tells the parent where the server listens, and ends with the parent. */
export function reportUrl(server: Server, directory: string): void {
  process.once('disconnect', () => {
    rmSync(directory, { recursive: true, force: true });
    process.exit();
  });
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(`http://127.0.0.1:${address.port}/`);
}
