import type { GridMachine } from './grid-requirements.ts';

/** A part of a Grid and how it is called. */
export interface PartWords {
  readonly name: string;
  readonly words: readonly string[];
}

/** What the parts of a Grid are told. */
export interface RoleSettings {
  /** The first is the router's, or the hub's. */
  readonly ports: readonly number[];
  /** Ports of further nodes, which are called `node-2` and so on. */
  readonly nodePorts: readonly number[];
  readonly slots: number;
  readonly sessionTimeout: number;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  readonly redisPort: number | undefined;
  /** File that says which browsers a node has. */
  readonly nodeConfig: string;
  /** File that names the event bus, for parts that do not take it as options. */
  readonly eventsConfig: string;
}

/** A shape that a Grid can have. */
export interface GridShape {
  /** Ports that it needs. */
  readonly ports: number;
  readonly parts: (settings: RoleSettings) => readonly PartWords[];
}

/** Seconds after which the Grid, which should never be asked when it is full, refuses who waits. */
const QUEUE_TIMEOUT_S = 60;
/** Sockets to one browser: the platform's clients, its watch, its live view. */
const SOCKETS = 20;
/** Seconds after which a Grid notices that a node has died, about; without being told, minutes. */
const HEALTH_S = 5;
const REDIS = 'org.openqa.selenium.grid';

const HEALTH = ['--healthcheck-interval', String(HEALTH_S)];

/** A hub and a node. */
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

/** Every part in a process of its own; with Redis, sessions, queue and what the distributor knows outlive their parts. */
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
          // It has no options for the bus, which a map in Redis listens to.
          ...(redis ? ['--config', settings.eventsConfig] : []),
          ...credentialWords(settings),
        ],
      },
      ...nodeParts(settings, node, events),
    ];
  },
};

/** What `RoleSettings.eventsConfig` says. */
export function eventsConfig([, , publish = 0, subscribe = 0]: readonly number[]): string {
  return `[events]
publish = "tcp://127.0.0.1:${publish}"
subscribe = "tcp://127.0.0.1:${subscribe}"
bind = false
`;
}

/** What `RoleSettings.nodeConfig` says: the only browser there is, with nothing fetched from anywhere. */
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
