import { z } from 'zod';
import type { BrowserRequest } from '../browsers/browser-backend.ts';
import type { UpstreamProxy } from '../egress/egress-proxy.ts';

const MINUTE_MS = 60_000;
/** 6 hours. */
const LONGEST_SESSION_MS = 360 * MINUTE_MS;
const MAX_METADATA_CHARACTERS = 8192;

/** User agents become headers and command-line arguments, so line breaks are forbidden. */
const printable = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII');

const proxy = z.strictObject({
  server: z
    .string()
    .max(300)
    .regex(/^(http:\/\/)?([\w.-]+|\[[\da-f:.]+\]):\d{1,5}$/i, 'must be http://host:port')
    .refine((server) => URL.canParse(addressOf(server)), 'must be http://host:port'),
  username: z.string().max(200).optional(),
  password: z.string().max(1000).optional(),
});

/** Body of `POST /v1/sessions`. Unknown fields are rejected: tenants cannot set arguments, paths or programs. */
export const createParameters = z.strictObject({
  viewport: z
    .strictObject({ width: z.number().int().min(1).max(8000), height: z.number().int().min(1).max(8000) })
    .optional(),
  userAgent: printable(512).optional(),
  ignoreHTTPSErrors: z.boolean().optional(),
  proxy: proxy.optional(),
  region: z.string().max(64).optional(),
  timeout: z.number().int().min(1000).max(LONGEST_SESSION_MS).optional(),
  idleTimeout: z.number().int().min(1000).max(LONGEST_SESSION_MS).optional(),
  keepAlive: z.boolean().optional(),
  metadata: z
    .record(z.string().max(100), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .refine((value) => JSON.stringify(value).length <= MAX_METADATA_CHARACTERS, 'must have at most 8192 characters')
    .optional(),
});

export type CreateParameters = z.output<typeof createParameters>;

/** Body of `POST /v1/sessions/{id}`. */
export const updateParameters = z.strictObject({
  status: z.literal('REQUEST_RELEASE').optional(),
  keepAlive: z.boolean().optional(),
  metadata: createParameters.shape.metadata,
});

export type UpdateParameters = z.output<typeof updateParameters>;

/** Adds defaults, and converts the proxy's credentials to a `Proxy-Authorization` value. */
export function browserRequestOf(sessionId: string, parameters: CreateParameters): BrowserRequest {
  const { viewport, userAgent, ignoreHTTPSErrors = false, proxy: given } = parameters;
  return { sessionId, viewport, userAgent, ignoreHTTPSErrors, proxy: given && upstreamOf(given) };
}

function addressOf(server: string): string {
  return /^http:\/\//i.test(server) ? server : `http://${server}`;
}

function upstreamOf({ server, username, password = '' }: z.output<typeof proxy>): UpstreamProxy {
  const { hostname, port } = new URL(addressOf(server));
  const authorization =
    username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return { host: hostname, port: Number(port || 80), authorization };
}
