import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { PlatformError } from '../errors.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { FILE_PART_BYTES, type FileRow, type SessionRecords } from '../store/session-records.ts';
import { keyOf } from './authenticate.ts';
import { timestamp } from './session-view.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 50;
const MAX_BYTES = 64 * 1024 * 1024;

/** Rejects paths, hidden files, and most special characters. */
const fileName = z
  .string()
  .max(200)
  .regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}_ .()+-]*$/u,
    'must be a file name of letters, digits, spaces and _.()+-, without a path',
  )
  .refine(
    (name) => !name.includes('..') && !/[ .]$/.test(name),
    'must be a file name of letters, digits, spaces and _.()+-, without a path',
  );
const byId = z.object({ id: z.string() });
const byName = byId.extend({ name: fileName });

const fileView = z.object({ name: z.string(), type: z.string(), size: z.number(), createdAt: z.string() });

type App = Parameters<FastifyPluginAsyncZod>[0];

interface FileParts {
  readonly sessionManager: SessionManager;
  readonly records: SessionRecords;
}

/**
 * Routes for files that programs and operators exchange in a session. Files are deleted after the session has ended.
 */
export function fileRoutes(parts: FileParts): FastifyPluginAsyncZod {
  return async (app) => {
    // Reads every content type as bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_FILE_BYTES },
      async (_request: unknown, body: unknown) => body,
    );
    addList(app, parts);
    addUpload(app, parts);
    addContent(app, parts);
    addRemove(app, parts);
  };
}

function addList(app: App, { sessionManager, records }: FileParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/files',
    config: { scope: 'sessions:read' },
    schema: {
      summary: 'Lists the files of a session.',
      params: byId,
      response: { 200: z.object({ files: z.array(fileView) }) },
    },
    handler: async (request) => {
      await sessionManager.find(keyOf(request).project, request.params.id);
      return { files: (await records.files(request.params.id)).map(viewOf) };
    },
  });
}

function addUpload(app: App, { sessionManager, records }: FileParts): void {
  app.route({
    method: 'PUT',
    url: '/v1/sessions/:id/files/:name',
    config: { scope: 'sessions:write' },
    bodyLimit: MAX_FILE_BYTES,
    schema: { summary: 'Adds or replaces a file.', params: byName, response: { 200: fileView } },
    handler: async (request) => {
      const { id, name } = request.params;
      const row = await sessionManager.find(keyOf(request).project, id);
      if (row.endedAt !== undefined)
        throw new PlatformError('session_ended', 'The session has ended, so files cannot be added.');
      const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      checkRoom(name, content.length, await records.files(id));
      const file = { name, type: typeOf(request.headers['content-type']), size: content.length, createdAt: Date.now() };
      await records.putFile(id, file, content);
      return viewOf(file);
    },
  });
}

/** Responds with `application/octet-stream`: a browser must not render an uploaded file as a page of the platform. */
function addContent(app: App, { sessionManager, records }: FileParts): void {
  app.route({
    method: 'GET',
    url: '/v1/sessions/:id/files/:name',
    config: { scope: 'sessions:read' },
    schema: { summary: 'Returns the content of a file.', params: byName },
    handler: async (request, reply) => {
      const { id, name } = request.params;
      await sessionManager.find(keyOf(request).project, id);
      const file = (await records.files(id)).find((row) => row.name === name) ?? noFile(name);
      // One part is being sent while the next is read.
      request.memory?.hold(Math.min(file.size, 2 * FILE_PART_BYTES));
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
        .header('x-content-type-options', 'nosniff')
        .header('content-length', file.size)
        .send(Readable.from(records.fileParts(id, file), { objectMode: false, highWaterMark: 0 }));
    },
  });
}

function addRemove(app: App, { sessionManager, records }: FileParts): void {
  app.route({
    method: 'DELETE',
    url: '/v1/sessions/:id/files/:name',
    config: { scope: 'sessions:write' },
    schema: { summary: 'Removes a file.', params: byName },
    handler: async (request, reply) => {
      const { id, name } = request.params;
      await sessionManager.find(keyOf(request).project, id);
      if (!(await records.removeFile(id, name))) noFile(name);
      return reply.code(204).send();
    },
  });
}

function checkRoom(name: string, size: number, files: readonly FileRow[]): void {
  const others = files.filter((file) => file.name !== name);
  const bytes = others.reduce((sum, file) => sum + file.size, size);
  if (others.length >= MAX_FILES || bytes > MAX_BYTES)
    throw new PlatformError(
      'body_too_large',
      `A session accepts at most ${MAX_FILES} files and ${MAX_BYTES} bytes in total.`,
    );
}

/** Drops parameters such as `charset`. Replaces missing and malformed types. */
function typeOf(header: string | undefined): string {
  const [type = ''] = (header ?? '').split(';');
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type.trim()) ? type.trim() : 'application/octet-stream';
}

function viewOf({ createdAt, ...file }: FileRow): z.output<typeof fileView> {
  return { ...file, createdAt: timestamp(createdAt) };
}

function noFile(name: string): never {
  throw new PlatformError('not_found', `The session has no file ${name}.`);
}
