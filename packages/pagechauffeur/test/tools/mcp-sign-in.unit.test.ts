import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { McpConnectionError, type McpUrlIntegration } from '../../src/index.ts';
import { connectTo } from '../../src/tools/mcp/mcp-connection.ts';
import { Progress } from '../../src/util/progress.ts';
import { failureOf } from '../support/failure-of.ts';
import { serve, type TestServer } from '../support/serve.ts';
import { McpServer } from './mcp-server.ts';

type AuthProvider = NonNullable<McpUrlIntegration['authProvider']>;
type Tokens = Awaited<ReturnType<AuthProvider['tokens']>>;

const tools = new McpServer();
let server: TestServer;
/** What the server was asked for tokens. */
const asked: string[] = [];

beforeAll(async () => {
  server = await serve({
    '/mcp': (request, response) => {
      if (request.headers.authorization === 'Bearer good') return runRoute(request, response);
      const where = `Bearer resource_metadata="${server.origin}/.well-known/oauth-protected-resource/mcp"`;
      return response.writeHead(401, { 'www-authenticate': where }).end('Who are you?');
    },
    '/.well-known/oauth-protected-resource/mcp': (_request, response) =>
      json(response, { resource: `${server.origin}/mcp`, authorization_servers: [server.origin] }),
    '/.well-known/oauth-authorization-server': (_request, response) =>
      json(response, {
        issuer: server.origin,
        authorization_endpoint: `${server.origin}/authorize`,
        token_endpoint: `${server.origin}/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      }),
    '/token': (request, response) => {
      request.on('data', (part) => void asked.push(String(part)));
      request.on('end', () => json(response, { access_token: 'good', token_type: 'Bearer', refresh_token: 'next' }));
    },
  });
});
afterAll(() => server.close());
beforeEach(() => void asked.splice(0));

function runRoute(request: IncomingMessage, response: ServerResponse): void {
  if (typeof tools.http === 'function') tools.http(request, response);
}

function json(response: ServerResponse, data: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(data));
}

/** Keeps tokens as a program would, and notes where a person is led. */
function providerWith(given: { access_token: string; refresh_token: string } | undefined): {
  readonly authProvider: AuthProvider;
  readonly ledTo: URL[];
} {
  const { origin } = server;
  const from = { issuer: origin, authorization_server: `${origin}/`, token_endpoint: `${origin}/token` };
  let tokens: Tokens = given && { ...given, token_type: 'Bearer', ...from };
  const ledTo: URL[] = [];
  const authProvider: AuthProvider = {
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void ledTo.push(url),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'verifier',
    redirectUrl: 'http://127.0.0.1/back',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/back'] },
    clientInformation: () => ({ client_id: 'tests', ...from }),
    authorizationServerInformation: () => ({
      issuer: origin,
      authorizationServerUrl: `${origin}/`,
      tokenEndpoint: `${origin}/token`,
    }),
    saveAuthorizationServerInformation: () => undefined,
  };
  return { authProvider, ledTo };
}

/** The names of the tools of a server that lets in only whom it knows. */
async function toolsBy(given: Omit<McpUrlIntegration, 'url'>): Promise<string> {
  using progress = new Progress({ operation: 'agent', timeout: 10_000 });
  const session = await connectTo(progress, { url: `${server.origin}/mcp?key=secret`, ...given });
  try {
    return JSON.stringify(await session.listTools(undefined, { signal: progress.signal, timeout: 5000 }));
  } finally {
    await session.close();
  }
}

describe('an MCP server with authentication', () => {
  it('receives the configured headers', async () => {
    expect(await toolsBy({ headers: { authorization: 'Bearer good' } })).toContain('"echo"');
  });

  it('accepts an expired OAuth token after it was renewed', async () => {
    const { authProvider } = providerWith({ access_token: 'old', refresh_token: 'first' });
    expect(await toolsBy({ authProvider })).toContain('"echo"');
    expect(asked).toEqual([expect.stringMatching(/grant_type=refresh_token&refresh_token=first/)]);
    expect(await authProvider.tokens()).toMatchObject({ access_token: 'good', refresh_token: 'next' });
  });

  it('opens the sign-in page without a token, and rejects with a hint to sign in', async () => {
    const { authProvider, ledTo } = providerWith(undefined);
    const error = await failureOf(toolsBy({ authProvider }));
    expect(error).toBeInstanceOf(McpConnectionError);
    expect(String(error)).toContain('Sign in on the page that it opens, then run the task again');
    expect(ledTo.map(({ pathname }) => pathname)).toEqual(['/authorize']);
  });

  it.each([[{}], [{ headers: { authorization: 'Bearer bad' } }]])(
    'causes an error that names `headers` and `authProvider` with %j',
    async (given) => {
      const error = await failureOf(toolsBy(given));
      expect(error).toBeInstanceOf(McpConnectionError);
      expect(error).toMatchObject({ server: `${server.origin}/mcp` });
      expect(String(error)).toMatch(/401.*Add `headers: \{ authorization: .*` or an `authProvider` to the integration/);
      expect(String(error)).not.toContain('secret');
    },
  );
});
