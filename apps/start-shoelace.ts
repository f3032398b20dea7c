import { join } from 'node:path';
import { packageDirectory, readJson, sendJson, startHttpApp, type ApiHandler } from './http-app.ts';
import type { RunningApp } from './running-app.ts';

/**
 * Starts pages of a pottery studio made of Shoelace's web components: `index.html` (book a course), `members.html`
 * (tabs, a menu, a dialog, a drawer) and `studio.html` (a tree, details, a carousel). What was sent stands at `GET /api/bookings`.
 */
export function startShoelace(): Promise<RunningApp> {
  const folders = new Map([
    ['/shoelace/', join(packageDirectory('@shoelace-style/shoelace'), 'cdn')],
    ['/', join(import.meta.dirname, 'shoelace')],
  ]);
  return startHttpApp(folders, createBookingApi());
}

function createBookingApi(): ApiHandler {
  const bookings: unknown[] = [];
  return async (request, response) => {
    if (request.url !== '/api/bookings') return false;
    if (request.method === 'POST') bookings.push(await readJson(request));
    return sendJson(response, request.method === 'POST' ? 201 : 200, bookings);
  };
}
