import type { GridMachine } from './grid-requirements.ts';

/** Name and command line of a part. */
export interface PartWords {
  readonly name: string;
  readonly words: readonly string[];
}

/** Settings of the parts. */
export interface RoleSettings {
  /** The first one is the router's or the hub's. */
  readonly ports: readonly number[];
  /** Ports of further nodes `node-2` and so on. */
  readonly nodePorts: readonly number[];
  readonly slots: number;
  readonly sessionTimeout: number;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  readonly redisPort: number | undefined;
  /** Configuration file of a node. */
  readonly nodeConfig: string;
  /** Event bus configuration, for parts without options for it. */
  readonly eventsConfig: string;
}

/** A topology of a Grid. */
export interface GridShape {
  /** Number of ports it needs. */
  readonly ports: number;
  readonly parts: (settings: RoleSettings) => readonly PartWords[];
}

/** Seconds after which the Grid rejects waiting requests. */
const QUEUE_TIMEOUT_S = 60;
/** Sockets per browser: clients, heartbeat, live view. */
const SOCKETS = 20;
/** Approximate seconds until a Grid notices a dead node. By default it takes minutes. */
const HEALTH_S = 5;
const REDIS = 'org.openqa.selenium.grid';

const HEALTH = ['--healthcheck-interval', String(HEALTH_S)];

/** A hub and its nodes. */
export const HUB_SHAPE: GridShape = {
  ports: 4,
  parts: (settings) => {
    const [hub = 0, node = 0, publish = 0, subscribe = 0] = settings.ports;
    const events = eventWords(publish, subscribe);
    return [
      { name: 'hub', words: ['hub', ...at(hub), ...events, ...queueWords(), ...HEALTH, ...credentialWords(settings)] },
      ...nodeParts(settings, node, [...events, '--hub', `http://127.0.0.1:${hub}`]),
    ];
  },
};

/** Every part in its own process. With Redis, their state survives restarts. */
export const DISTRIBUTED_SHAPE: GridShape = {
  ports: 8,
  parts: (settings) => {
    const [router = 0, node = 0, publish = 0, subscribe = 0, bus = 0, queue = 0, distributor = 0, map = 0] =
      settings.ports;
    const events = eventWords(publish, subscribe);
    const { redisPort } = settings;
    const redis = redisPort === undefined ? undefined : `redis://127.0.0.1:${redisPort}`;
    const sessions = redisPort === undefined ? ['--sessions', `http://127.0.0.1:${map}`] : mapWords(redisPort);
    const queueAt = ['--sessionqueue', `http://127.0.0.1:${queue}`];
    return [
      { name: 'event-bus', words: ['event-bus', ...at(bus), ...events] },
      ...(redis ? [] : [{ name: 'sessions', words: ['sessions', ...at(map), ...events, '--bind-bus', 'false'] }]),
      {
        name: 'sessionqueue',
        words: [
          'sessionqueue',
          ...at(queue),
          ...queueWords(),
          ...(redis ? backend('sessionqueue', `${REDIS}.sessionqueue.redis.RedisBackedNewSessionQueue`, redis) : []),
        ],
      },
      {
        name: 'distributor',
        words: [
          'distributor',
          ...at(distributor),
          ...HEALTH,
          ...events,
          '--bind-bus',
          'false',
          ...sessions,
          ...queueAt,
          ...(redis ? backend('distributor', `${REDIS}.distributor.redis.RedisBackedDistributor`, redis) : []),
        ],
      },
      {
        name: 'router',
        words: [
          'router',
          ...at(router),
          ...sessions,
          ...queueAt,
          '--distributor',
          `http://127.0.0.1:${distributor}`,
          // This part has no option for the bus, which a Redis-based session map needs.
          ...(redis ? ['--config', settings.eventsConfig] : []),
          ...credentialWords(settings),
        ],
      },
      ...nodeParts(settings, node, events),
    ];
  },
};

/** Content of `RoleSettings.eventsConfig`. */
export function eventsConfig([, , publish = 0, subscribe = 0]: readonly number[]): string {
  return `[events]
publish = "tcp://127.0.0.1:${publish}"
subscribe = "tcp://127.0.0.1:${subscribe}"
bind = false
`;
}

/** Content of `RoleSettings.nodeConfig`: offers only this Chromium, and prevents downloads of browsers and drivers. */
export function nodeConfig({ browser, driver }: GridMachine, slots: number): string {
  const isRoot = process.getuid?.() === 0;
  const options = { binary: browser, args: isRoot ? ['--no-sandbox'] : [] };
  return `[node]
detect-drivers = false
selenium-manager = false

[[node.driver-configuration]]
display-name = "Chromium"
webdriver-executable = "${driver}"
max-sessions = ${slots}
stereotype = '${JSON.stringify({ browserName: 'chrome', 'goog:chromeOptions': options })}'
`;
}

function at(port: number): string[] {
  return ['--host', '127.0.0.1', '--port', String(port)];
}

function eventWords(publish: number, subscribe: number): string[] {
  return ['--publish-events', `tcp://127.0.0.1:${publish}`, '--subscribe-events', `tcp://127.0.0.1:${subscribe}`];
}

function queueWords(): string[] {
  return ['--session-request-timeout', String(QUEUE_TIMEOUT_S)];
}

function nodeParts(settings: RoleSettings, first: number, more: readonly string[]): PartWords[] {
  return [first, ...settings.nodePorts].map((port, index) => ({
    name: index === 0 ? 'node' : `node-${index + 1}`,
    words: [...nodeWords(settings, port), ...more],
  }));
}

function nodeWords({ slots, sessionTimeout, nodeConfig: config }: RoleSettings, port: number): string[] {
  return [
    'node',
    ...at(port),
    '--config',
    config,
    '--max-sessions',
    String(slots),
    '--override-max-sessions',
    'true',
    '--session-timeout',
    String(sessionTimeout),
    '--heartbeat-period',
    String(HEALTH_S),
    '--connection-limit-per-session',
    String(SOCKETS),
  ];
}

function mapWords(port: number): string[] {
  const implementation = `${REDIS}.sessionmap.redis.RedisBackedSessionMap`;
  const place = ['--sessions-scheme', 'redis', '--sessions-host', '127.0.0.1', '--sessions-port', String(port)];
  return ['--sessions-implementation', implementation, ...place];
}

function backend(part: string, implementation: string, url: string): string[] {
  return [`--${part}-implementation`, implementation, `--${part}-backend-url`, url];
}

function credentialWords({ credentials }: RoleSettings): string[] {
  return credentials ? ['--username', credentials.username, '--password', credentials.password] : [];
}
