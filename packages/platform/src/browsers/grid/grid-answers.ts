import { z } from 'zod';

/** chromedriver and Selenium Grid use this name for Chromium too. */
export const BROWSER_NAME = 'chrome';

/** Capability with our session name. A Grid ignores `se:` capabilities when it chooses a node. */
export const NAME_CAPABILITY = 'se:name';

export interface NewGridSession {
  /** Secret: anyone who has this id controls the browser. */
  readonly id: string;
  /** Profile folder on the node. */
  readonly profile: string;
}

export interface GridSession {
  readonly id: string;
  /** Value of `se:name`. Empty for sessions that others created without one. */
  readonly name: string;
}

export interface GridStatus {
  readonly capacity: number;
  /** Number of browsers that the Grid could start now. */
  readonly free: number;
  readonly sessions: readonly GridSession[];
  readonly nodes: readonly GridMachine[];
}

/** A Grid node. `host` has no port, `address` has one. */
export interface GridMachine {
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
      // A Grid without nodes omits this field.
      .default([]),
  }),
});

type GridNode = z.output<typeof status>['value']['nodes'][number];

/** Parses the response to a new-session request. Returns `undefined` if the Grid refused. */
export function readNewSession(answer: unknown): NewGridSession | undefined {
  const { data } = newSession.safeParse(answer);
  return data && { id: data.value.sessionId, profile: data.value.capabilities.chrome.userDataDir };
}

/** Parses the response to `GET /status`. Counts an unknown format as no capacity. */
export function readGridStatus(answer: unknown): GridStatus {
  const nodes = status.safeParse(answer).data?.value.nodes ?? [];
  const machines = nodes.map(({ uri, slots }) => ({
    ...addressOf(uri),
    sessions: slots.flatMap(({ session: held }) => (held ? [gridSession(held)] : [])),
  }));
  return {
    capacity: sum(nodes, capacityOf),
    free: sum(nodes, freeOf),
    sessions: machines.flatMap(({ sessions }) => sessions),
    nodes: machines,
  };
}

function addressOf(uri: string): Pick<GridMachine, 'host' | 'address'> {
  if (!URL.canParse(uri)) return { host: '', address: '' };
  const { hostname, host } = new URL(uri);
  return { host: hostname.replace(/^\[|\]$/g, ''), address: host };
}

function gridSession({ sessionId, capabilities }: z.output<typeof session>): GridSession {
  return { id: sessionId, name: String(capabilities?.[NAME_CAPABILITY] ?? '') };
}

/** A node can have slots for several browser types, and a lower limit for all of them together. */
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
