import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { viewerFiles } from '../generated/viewer-files.ts';

/** Allows only content from this server, and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  // Browsers revalidate the files with their ETag.
  'cache-control': 'no-cache',
};

/**
 * Routes for the dashboard pages. The pages contain no session data: their scripts request it with the user's
 * permissions.
 */
export const pageRoutes: FastifyPluginAsync = async (app) => {
  for (const path of ['/sessions', '/sessions/:id', '/sessions/:id/debug', '/api'])
    addFile(app, path, { type: 'text/html; charset=utf-8', text: viewerFiles.html });
  addFile(app, '/assets/viewer.js', { type: 'text/javascript; charset=utf-8', text: viewerFiles.script });
  addFile(app, '/assets/viewer.css', { type: 'text/css; charset=utf-8', text: viewerFiles.css });
  addFile(app, '/assets/icon.svg', { type: 'image/svg+xml', text: viewerFiles.icon });
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/sessions'));
};

function addFile(
  app: FastifyInstance,
  path: string,
  { type, text }: { readonly type: string; readonly text: string },
): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  app.get(path, { schema: { hide: true } }, async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ ...HEADERS, etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(text);
  });
}
