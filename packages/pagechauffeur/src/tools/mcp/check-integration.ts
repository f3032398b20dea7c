import { DriverInvalidArgumentError } from '../../errors.ts';
import { checkOneOf, checkString, checkStrings, describeValue } from '../../util/check-argument.ts';
import { checkNames } from '../../util/check-names.ts';
import { isRecord } from '../../util/is-record.ts';
import type {
  Integration,
  McpClient,
  McpClientIntegration,
  McpCommandIntegration,
  McpUrlIntegration,
} from './integration.ts';

export type IntegrationParts = McpUrlIntegration | McpCommandIntegration | McpClientIntegration;

/** Validates an integration and converts its short forms to an object. */
export function integrationParts(given: Integration, argument: string): IntegrationParts {
  if (typeof given === 'string' || given instanceof URL) return checkedUrl({ url: given }, argument);
  if (isClient(given)) return { client: given };
  if (isRecord(given)) {
    const parts: object = given;
    if ('url' in parts) return checkedUrl(parts as McpUrlIntegration, argument);
    if ('command' in parts) return checkedCommand(parts as McpCommandIntegration, argument);
    if ('client' in parts && isClient(parts.client)) return checkedClient(parts as McpClientIntegration, argument);
  }
  throw new DriverInvalidArgumentError(
    `${argument} must be the URL of a server, { url }, { command, args } or a connected client. Received ${describeValue(given)}.`,
    { argument },
  );
}

/** Options that every integration has. */
const SHARED = ['prefix', 'tools', 'variables'];

function checkedUrl(parts: McpUrlIntegration, argument: string): McpUrlIntegration {
  const { url, transport, headers, authProvider } = parts;
  if (!URL.canParse(String(url)) || !/^https?:$/.test(new URL(url).protocol))
    throw new DriverInvalidArgumentError(
      `${argument} must have an http or https URL. Received ${describeValue(String(url))}. Pass a program as { command, args }.`,
      { argument },
    );
  const names = ['url', 'transport', 'headers', 'authProvider', ...SHARED];
  checkNames(parts, { owner: 'a server with a URL', names, path: `${argument}.` });
  if (transport !== undefined) checkOneOf(`${argument}.transport`, transport, ['http', 'sse']);
  checkTexts(`${argument}.headers`, headers);
  if (authProvider !== undefined && !isRecord(authProvider))
    throw new DriverInvalidArgumentError(
      `${argument}.authProvider must be an OAuthClientProvider of @ai-sdk/mcp. Received ${describeValue(authProvider)}.`,
      { argument: `${argument}.authProvider` },
    );
  checkShared(parts, argument);
  return parts;
}

function checkedCommand(parts: McpCommandIntegration, argument: string): McpCommandIntegration {
  const { command, args, env, cwd } = parts;
  checkNames(parts, {
    owner: 'a server that is a program',
    names: ['command', 'args', 'env', 'cwd', ...SHARED],
    path: `${argument}.`,
  });
  checkString(`${argument}.command`, command);
  if (args !== undefined) checkStrings(`${argument}.args`, args);
  checkTexts(`${argument}.env`, env);
  if (cwd !== undefined) checkString(`${argument}.cwd`, cwd);
  checkShared(parts, argument);
  return parts;
}

function checkedClient(parts: McpClientIntegration, argument: string): McpClientIntegration {
  checkNames(parts, { owner: 'a connected client', names: ['client', ...SHARED], path: `${argument}.` });
  checkShared(parts, argument);
  return parts;
}

function checkShared({ prefix, tools, variables }: IntegrationParts, argument: string): void {
  if (prefix !== undefined) checkString(`${argument}.prefix`, prefix);
  if (tools !== undefined) checkStrings(`${argument}.tools`, tools);
  if (variables !== undefined) checkStrings(`${argument}.variables`, variables);
}

function checkTexts(argument: string, texts: unknown): void {
  if (texts === undefined) return;
  if (isRecord(texts) && Object.values(texts).every((text) => typeof text === 'string')) return;
  throw new DriverInvalidArgumentError(`${argument} must be an object of strings. Received ${describeValue(texts)}.`, {
    argument,
  });
}

function isClient(value: unknown): value is McpClient {
  if (typeof value !== 'object' || value === null) return false;
  return 'listTools' in value && typeof value.listTools === 'function' && 'callTool' in value;
}
