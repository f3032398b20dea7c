import { join } from 'node:path';
import { packageDirectory, startHttpApp } from './http-app.ts';
import type { RunningApp } from './running-app.ts';
import { createLoanApi } from './swagger-ui/loan-api.ts';

/**
 * Starts Swagger UI for the API of a library of tools, which runs beside it under `/api/`: `GET /api/tools`,
 * `GET|POST /api/loans`, `GET|DELETE /api/loans/{id}`, `GET /api/members/{memberId}`.
 */
export function startSwaggerUi(): Promise<RunningApp> {
  const folders = new Map([
    ['/swagger-ui/', packageDirectory('swagger-ui-dist')],
    ['/', join(import.meta.dirname, 'swagger-ui')],
  ]);
  return startHttpApp(folders, createLoanApi());
}
