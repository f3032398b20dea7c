import type { Protocol } from 'devtools-protocol';
import type { RemoteHandle, World } from '../cdp/world.ts';

/**
 * Opens the closed shadow roots of a document to the in-page program. It names the elements that may host
 * one; the browser, which sees them all, is asked about each; each candidate is asked about once.
 */
export async function openClosedRoots(world: World): Promise<void> {
  const list = await world.callForHandle('takeHostCandidates');
  if (!list) return;
  const hosts = await elementsOf(world, list);
  await Promise.all(hosts.map((host) => openClosedRoot(world, host)));
  await world.session.send('Runtime.releaseObject', { objectId: list.objectId });
}

async function elementsOf(world: World, list: RemoteHandle): Promise<RemoteHandle[]> {
  const { result } = await world.session.send('Runtime.getProperties', {
    objectId: list.objectId,
    ownProperties: true,
  });
  const handles: RemoteHandle[] = [];
  for (const { name, value } of result) {
    if (/^\d+$/.test(name) && value?.objectId) handles.push({ objectId: value.objectId });
  }
  return handles;
}

async function openClosedRoot(world: World, host: RemoteHandle): Promise<void> {
  const { session } = world;
  const { node } = await session.send('DOM.describeNode', { objectId: host.objectId, depth: 1, pierce: true });
  const root = node.shadowRoots?.find(isClosedByAuthor);
  if (root) {
    const { object } = await session.send('DOM.resolveNode', {
      backendNodeId: root.backendNodeId,
      executionContextId: world.contextId,
    });
    if (object.objectId) await world.call('adoptShadowRoot', host, { objectId: object.objectId });
  }
  await session.send('Runtime.releaseObject', { objectId: host.objectId });
}

function isClosedByAuthor(node: Protocol.DOM.Node): boolean {
  return node.shadowRootType === 'closed';
}
