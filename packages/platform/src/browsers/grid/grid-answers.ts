import { z } from 'zod';

/** The name under which chromedriver, and so a Grid, knows Chromium and Chrome. */
export const BROWSER_NAME = 'chrome';

/** Where our name of a session stands; extensions of a Grid's own are no matter of choosing a node. */
export const NAME_CAPABILITY = 'se:name';

/** A session that a Grid began. */
export interface NewGridSession {
  /** Opens the browser to whoever has it. */
  readonly id: string;
  /** The browser's profile on its node. */
  readonly profile: string;
}

/** A session as a Grid lists it. */
export interface GridSession {
  readonly id: string;
  /** The name that it was given when it was created. */
  readonly name: string;
}

/** What a Grid can do and does. */
export interface GridStatus {
  /** Browsers that it can run at once. */
  readonly capacity: number;
  /** Browsers that it could start now. */
  readonly free: number;
  readonly sessions: readonly GridSession[];
  readonly nodes: readonly GridMachine[];
}

/** A node of a Grid. */
export interface GridMachine {
  /** Its host as it registered, without and with the port. */
  readonly host: string;
  readonly address: string;
  readonly sessions: readonly GridSession[];
}

const newSession = z.object({
  value: z.object({
    sessionId: z.string().regex(/^[\w-]{16,}$/),
    capabilities: z.object({ chrome: z.object({ userDataDir: z.string().min(1) }) }),
  }),
});

const session = z.object({ sessionId: z.string(), capabilities: z.record(z.string(), z.unknown()).optional() });

const status = z.object({
  value: z.object({
    nodes: z
      .array(
        z.object({
          availability: z.string(),
          uri: z.string().default(''),
          maxSessions: z.number(),
          slots: z.array(
            z.object({ session: session.nullish(), stereotype: z.object({ browserName: z.string().optional() }) }),
          ),
        }),
      )
      // Before its first node, a Grid leaves them out.
      .default([]),
  }),
});

type GridNode = z.output<typeof status>['value']['nodes'][number];

/** Reads the answer to a request for a session; undefined when it is a refusal. */
export function readNewSession(answer: unknown): NewGridSession | undefined {
  const { data } = newSession.safeParse(answer);
  return data && { id: data.value.sessionId, profile: data.value.capabilities.chrome.userDataDir };
}

/** Reads what a Grid says of itself; nothing can be had of one that says something else. */
export function readGridStatus(answer: unknown): GridStatus {
  const nodes = status.safeParse(answer).data?.value.nodes ?? [];
  const machines = nodes.map(({ uri, slots }) => ({
    ...placeOf(uri),
    sessions: slots.flatMap(({ session: held }) => (held ? [gridSession(held)] : [])),
  }));
  return {
    capacity: sum(nodes, capacityOf),
    free: sum(nodes, freeOf),
    sessions: machines.flatMap(({ sessions }) => sessions),
    nodes: machines,
  };
}

function placeOf(uri: string): Pick<GridMachine, 'host' | 'address'> {
  if (!URL.canParse(uri)) return { host: '', address: '' };
  const { hostname, host } = new URL(uri);
  return { host: hostname.replace(/^\[|\]$/g, ''), address: host };
}

function gridSession({ sessionId, capabilities }: z.output<typeof session>): GridSession {
  return { id: sessionId, name: String(capabilities?.[NAME_CAPABILITY] ?? '') };
}

/** A node may have slots for several kinds of browsers and allow fewer at once. */
function capacityOf({ availability, maxSessions, slots }: GridNode): number {
  return availability === 'UP' ? Math.min(maxSessions, slots.filter(isOurs).length) : 0;
}

function freeOf({ availability, maxSessions, slots }: GridNode): number {
  const taken = slots.filter((slot) => slot.session).length;
  const free = slots.filter((slot) => isOurs(slot) && !slot.session).length;
  return availability === 'UP' ? Math.max(0, Math.min(maxSessions - taken, free)) : 0;
}

function isOurs({ stereotype }: GridNode['slots'][number]): boolean {
  return stereotype.browserName?.toLowerCase() === BROWSER_NAME;
}

function sum(nodes: readonly GridNode[], count: (node: GridNode) => number): number {
  return nodes.reduce((total, node) => total + count(node), 0);
}
