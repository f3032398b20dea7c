import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import type {
  Integration,
  McpClient,
  McpClientIntegration,
  McpCommandIntegration,
  McpUrlIntegration,
} from './integration.ts';

/** A tool as a server tells it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How long a server may take to say that it is there, and which tools it has, in milliseconds. */
export const CONNECT_TIMEOUT_MS = 30_000;

/** What a request may be ended by. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** A connection to a server, whichever client holds it. */
export interface McpSession {
  /** The server as messages name it. */
  readonly label: string;
  /** A page of the list of tools, and where the next begins. */
  listTools(cursor: string | undefined, limits: RequestLimits): Promise<unknown>;
  callTool(name: string, input: unknown, limits: RequestLimits): Promise<unknown>;
  /** Ends the connection, unless it is the user's. */
  close(): Promise<void>;
}

/** An integration in its full form. */
export type IntegrationParts = McpUrlIntegration | McpCommandIntegration | McpClientIntegration;

/** What an integration is, whichever way it was given; throws when it is none. */
export function integrationParts(given: Integration, argument: string): IntegrationParts {
  if (typeof given === 'string' || given instanceof URL) return checkedUrl({ url: given }, argument);
  if (isClient(given)) return { client: given };
  if (typeof given === 'object' && given !== null) {
    if ('url' in given) return checkedUrl(given, argument);
    if ('command' in given && typeof given.command === 'string' && given.command !== '') return given;
    if ('client' in given && isClient(given.client)) return given;
  }
  throw new DriverInvalidArgumentError(
    `${argument} must be the address of a server, { url }, { command, args } or a connected client; it is ${describeValue(given)}.`,
    { argument },
  );
}

function checkedUrl(parts: McpUrlIntegration, argument: string): McpUrlIntegration {
  if (URL.canParse(String(parts.url)) && /^https?:$/.test(new URL(parts.url).protocol)) return parts;
  throw new DriverInvalidArgumentError(
    `${argument} must have an http or https address; it is ${describeValue(String(parts.url))}. A program is given as { command, args }.`,
    { argument },
  );
}

function isClient(value: unknown): value is McpClient {
  if (typeof value !== 'object' || value === null) return false;
  return 'listTools' in value && typeof value.listTools === 'function' && 'callTool' in value;
}

/** What both kinds of clients have; they take the same in different places. */
interface AnyClient {
  listTools(request: object, options?: RequestLimits): Promise<unknown>;
  callTool(request: object, schema?: undefined, options?: RequestLimits): Promise<unknown>;
}

/** A session of a client that is there; only who connected it closes it. */
export function sessionOf(label: string, client: McpClient, close: () => Promise<void>): McpSession {
  // The two kinds of clients differ in where they take options; what they answer is looked at before it is used.
  const any = client as unknown as AnyClient;
  const isAiSdk = 'toolsFromDefinitions' in client;
  return {
    label,
    close,
    listTools: (cursor, limits) => {
      const params = cursor === undefined ? {} : { cursor };
      return isAiSdk ? any.listTools({ params, options: limits }) : any.listTools(params, limits);
    },
    callTool: (name, input, limits) => {
      const request = { name, arguments: input };
      return isAiSdk ? any.callTool({ ...request, options: limits }) : any.callTool(request, undefined, limits);
    },
  };
}
