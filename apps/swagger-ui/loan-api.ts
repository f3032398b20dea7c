import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, sendJson, type ApiHandler } from '../http-app.ts';

interface Loan {
  readonly id: number;
  readonly toolId: string;
  readonly memberId: string;
  readonly days: number;
}

const TOOLS = [
  { id: 'hand-drill', name: 'Hand drill', category: 'workshop', deposit: 10 },
  { id: 'workbench', name: 'Folding workbench', category: 'workshop', deposit: 25 },
  { id: 'hedge-shears', name: 'Hedge shears', category: 'garden', deposit: 8 },
  { id: 'sewing-machine', name: 'Sewing machine', category: 'textile', deposit: 40 },
  { id: 'pasta-roller', name: 'Pasta roller', category: 'kitchen', deposit: 12 },
] as const;

const MEMBERS = [
  { id: 'robin', name: 'Robin Ahlers' },
  { id: 'sam', name: 'Sam Oduya' },
] as const;

/** The API that the OpenAPI document beside this file describes; loans live as long as the server. */
export function createLoanApi(): ApiHandler {
  const loans = new Map<number, Loan>([[1, { id: 1, toolId: 'workbench', memberId: 'sam', days: 14 }]]);
  let lastId = 1;

  const borrow = async (request: IncomingMessage, response: ServerResponse): Promise<true> => {
    const asked = (await readJson(request)) as Omit<Loan, 'id'>;
    if (!TOOLS.some((tool) => tool.id === asked.toolId))
      return sendJson(response, 404, { error: 'There is no such tool' });
    lastId += 1;
    const loan: Loan = { id: lastId, toolId: asked.toolId, memberId: asked.memberId, days: asked.days };
    loans.set(loan.id, loan);
    return sendJson(response, 201, loan);
  };

  const one = (method: string, id: number, response: ServerResponse): true => {
    const loan = loans.get(id);
    if (loan === undefined) return sendJson(response, 404, { error: 'There is no such loan' });
    if (method !== 'DELETE') return sendJson(response, 200, loan);
    loans.delete(id);
    response.writeHead(204).end();
    return true;
  };

  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://app');
    const [root, resource, id] = pathname.split('/').slice(1);
    if (root !== 'api') return false;
    if (resource === 'tools') return sendJson(response, 200, toolsFor(searchParams));
    if (resource === 'members')
      return sendFound(
        response,
        MEMBERS.find((member) => member.id === id),
      );
    if (resource !== 'loans') return sendFound(response, undefined);
    if (id !== undefined) return one(request.method ?? 'GET', Number(id), response);
    return request.method === 'POST' ? borrow(request, response) : sendJson(response, 200, [...loans.values()]);
  };
}

function toolsFor(query: URLSearchParams): readonly object[] {
  const category = query.get('category');
  const limit = Number(query.get('limit') ?? TOOLS.length);
  return TOOLS.filter((tool) => category === null || tool.category === category).slice(0, limit);
}

function sendFound(response: ServerResponse, found: object | undefined): true {
  return found === undefined ? sendJson(response, 404, { error: 'Not found' }) : sendJson(response, 200, found);
}
