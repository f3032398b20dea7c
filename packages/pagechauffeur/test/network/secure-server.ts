import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server over TLS whose certificate nobody has signed but itself. */
export interface SecureServer extends AsyncDisposable {
  readonly origin: string;
  /** The same server as another site. */
  readonly otherOrigin: string;
}

/** Starts the server with a certificate made just now. */
export async function serveSecurely(pages: Readonly<Record<string, string>>): Promise<SecureServer> {
  const server = createServer(selfSigned(), (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://host');
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(pathname in pages ? 200 : 404, { 'content-type': type, 'access-control-allow-origin': '*' });
    const { port } = server.address() as AddressInfo;
    response.end((pages[pathname] ?? '').replaceAll('OTHER', `https://localhost:${port}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${port}`,
    otherOrigin: `https://localhost:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}

function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'chauffeur-certificate-'));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=chauffeur.test';
  try {
    execFileSync('openssl', ['req', ...request.split(' '), '-keyout', keyFile, '-out', certificateFile], {
      stdio: 'ignore',
    });
    return { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
