import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { AppStartError } from '../running-app.ts';

interface Package {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  /** Oldest first; the last is the latest. */
  readonly versions: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly readme: string;
}

const PUBLISHER = { name: 'robin', password: 'low-tide-42' };

const PACKAGES: readonly Package[] = [
  {
    name: 'tide-tables',
    description: 'High and low water for 40 harbours',
    keywords: ['tide', 'harbour'],
    versions: ['1.0.0', '1.1.0', '2.0.3'],
    dependencies: { 'moon-phase': '^3.1.0' },
    readme: '# tide-tables\n\nTells high and low water.\n\n## Licence key\n\nThe free key is `ebb-and-flow`.',
  },
  {
    name: 'moon-phase',
    description: 'Which part of the moon is lit',
    keywords: ['moon'],
    versions: ['3.1.0', '3.2.0'],
    dependencies: {},
    readme: '# moon-phase\n\nA number from 0 to 1.',
  },
  {
    name: 'berth-plan',
    description: 'Who lies at which berth, and until when',
    keywords: ['harbour', 'berth'],
    versions: ['0.9.1'],
    dependencies: { 'tide-tables': '^2.0.0', 'ship-register': '^1.0.0' },
    readme: '# berth-plan\n\nPlans berths by length and draught.',
  },
  {
    name: 'ship-register',
    description: 'Ships by name, call sign and length',
    keywords: ['ship'],
    versions: ['1.0.4'],
    dependencies: {},
    readme: '# ship-register\n\nReads the register of ships.',
  },
];

/** Publishes packages over the API that npm uses. */
export async function publishPackages(registry: string): Promise<void> {
  const account = await put(`${registry}/-/user/org.couchdb.user:${PUBLISHER.name}`, PUBLISHER);
  const { token } = (await account.json()) as { token: string };
  for (const one of PACKAGES)
    for (const version of one.versions)
      await put(`${registry}/${one.name}`, release(one, { version, registry }), token);
}

async function put(url: string, body: object, token?: string): Promise<Response> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new AppStartError(`${url} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** What `npm publish` sends for one version. */
function release(one: Package, { version, registry }: { version: string; registry: string }): object {
  const { name, description, keywords, dependencies, readme } = one;
  const manifest = { name, version, description, keywords, dependencies, license: 'MIT', author: { name: 'Robin' } };
  const tarball = gzipSync(JSON.stringify(manifest));
  const file = `${name}-${version}.tgz`;
  const shasum = createHash('sha1').update(tarball).digest('hex');
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { shasum, integrity, tarball: `${registry}/${name}/-/${file}` };
  return {
    _id: name,
    name,
    description,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, readme, dist } },
    readme,
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: tarball.length },
    },
  };
}
