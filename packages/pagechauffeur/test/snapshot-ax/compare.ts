import type { Protocol } from 'devtools-protocol';
import type { World } from '../../src/cdp/world.ts';
import type { ElementDescription } from '../../src/injected/contract.ts';
import type { RefTarget, Snapshot } from '../../src/snapshot/snapshot.ts';
import { takeSnapshot } from '../../src/snapshot/take-snapshot.ts';
import { Progress } from '../../src/util/progress.ts';
import type { TestBrowser } from '../support/launch-for-test.ts';
import { interactiveChromiumRoles, snapshotRoleByChromiumRole } from './role-map.ts';

/** What a comparison of one page gave. */
export interface Comparison {
  /** Elements that Chromium calls focusable or interactive and that had to be in the snapshot. */
  readonly compared: number;
  /** One sentence per element that is not as Chromium has it. */
  readonly differences: readonly string[];
  readonly snapshot: Snapshot;
}

type AXNode = Protocol.Accessibility.AXNode;

/** Compares the snapshot of the page that is loaded with Chromium's accessibility tree of it. */
export async function compareWithChromium({ page }: TestBrowser): Promise<Comparison> {
  using progress = new Progress({ operation: 'comparison', timeout: 60_000 });
  const snapshot = await takeSnapshot(progress, page);
  const world = await page.frames.main.worlds.isolated;
  const [{ nodes }, authored, targets] = await Promise.all([
    page.session.send('Accessibility.getFullAXTree', {}),
    authoredElements(page.session),
    targetsById(world, snapshot),
  ]);
  const differences: string[] = [];
  let compared = 0;
  for (const node of nodes.filter((candidate) => isToBeCompared(candidate, nodes))) {
    const tag = node.backendDOMNodeId === undefined ? undefined : authored.get(node.backendDOMNodeId);
    if (tag === undefined || node.backendDOMNodeId === undefined) continue;
    compared += 1;
    const target = targets.get(node.backendDOMNodeId);
    // A line leaves out a name that stands in what is below it.
    const difference = differenceOf(node, target) && differenceOf(node, await describe(world, target));
    if (difference !== null) differences.push(`${tag}: ${difference}`);
  }
  return { compared, differences, snapshot };
}

// The document is no element; options of a collapsed select stand in the line of the select.
function isToBeCompared(node: AXNode, nodes: readonly AXNode[]): boolean {
  const role = String(node.role?.value);
  if (node.ignored || role === 'RootWebArea') return false;
  if (role === 'option' && isInCollapsedSelect(node, nodes)) return false;
  return (
    interactiveChromiumRoles.has(role) ||
    (node.properties ?? []).some(({ name, value }) => name === 'focusable' && value.value === true)
  );
}

function isInCollapsedSelect(node: AXNode, nodes: readonly AXNode[]): boolean {
  let parent = parentOf(node, nodes);
  while (parent && (parent.ignored || parent.role?.value === 'group')) parent = parentOf(parent, nodes);
  return parent?.role?.value === 'MenuListPopup';
}

function parentOf({ parentId }: AXNode, nodes: readonly AXNode[]): AXNode | undefined {
  return nodes.find(({ nodeId }) => nodeId === parentId);
}

function differenceOf(node: AXNode, ours: Pick<RefTarget, 'role' | 'name'> | null | undefined): string | null {
  const chromiumRole = String(node.role?.value);
  const role = snapshotRoleByChromiumRole[chromiumRole] ?? chromiumRole;
  const name = fold(String(node.name?.value ?? ''));
  if (!ours) return `${chromiumRole} "${name}" is not in the snapshot`;
  if (ours.role !== role) return `${chromiumRole} "${name}" is ${ours.role} "${ours.name}" in the snapshot`;
  return fold(ours.name) === name ? null : `${chromiumRole} "${name}" is named "${ours.name}" in the snapshot`;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Every element the page's author wrote, by the browser's id; what the browser puts into its own controls is left out. */
async function authoredElements(session: World['session']): Promise<Map<number, string>> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
  const elements = new Map<number, string>();
  const collect = (node: Protocol.DOM.Node): void => {
    if (node.nodeType === 1) elements.set(node.backendNodeId, startTag(node));
    for (const shadowRoot of node.shadowRoots ?? [])
      if (shadowRoot.shadowRootType !== 'user-agent') collect(shadowRoot);
    for (const child of node.children ?? []) collect(child);
  };
  collect(root);
  return elements;
}

function startTag({ localName, attributes = [] }: Protocol.DOM.Node): string {
  const id = attributes[attributes.findIndex((name, index) => index % 2 === 0 && name === 'id') + 1];
  return attributes.includes('id') ? `<${localName}#${id}>` : `<${localName}>`;
}

function describe(world: World, target: RefTarget | undefined): Promise<ElementDescription | null> {
  return target ? world.call('describe', { ref: target.ref }) : Promise.resolve(null);
}

/** What the snapshot says of each element that has a ref, by the browser's id. */
async function targetsById(world: World, { refs }: Snapshot): Promise<Map<number, RefTarget>> {
  const targets = [...refs.values()].filter((target) => target.world === world);
  const ids = await idsOf(
    world,
    targets.map(({ ref }) => ref),
  );
  const targetById = new Map<number, RefTarget>();
  for (const [index, target] of targets.entries()) {
    const id = ids[index];
    if (id !== undefined) targetById.set(id, target);
  }
  return targetById;
}

/** The browser's ids of the elements; undefined for one that is gone. */
async function idsOf(world: World, refs: readonly number[]): Promise<readonly (number | undefined)[]> {
  const { result } = await world.session.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function(refs) { return Promise.all(refs.map((ref) => chauffeur.element({ ref }))) }',
    executionContextId: world.contextId,
    arguments: [{ value: refs }],
    awaitPromise: true,
    objectGroup: 'compared',
    serializationOptions: { serialization: 'deep', maxDepth: 2, additionalParameters: { maxNodeDepth: 0 } },
  });
  await world.session.send('Runtime.releaseObjectGroup', { objectGroup: 'compared' });
  const elements = result.deepSerializedValue?.value as readonly { value?: { backendNodeId?: number } }[];
  return elements.map(({ value }) => value?.backendNodeId);
}
