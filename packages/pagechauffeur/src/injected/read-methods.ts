import { adoptClosedRoot } from './tree/composed-tree.ts';
import { expectMail } from './acting/point/ancestor-messages.ts';
import type { InjectedProgram } from './contract.ts';
import { noteInternals, takeCustomElements } from './exploration/custom-elements.ts';
import { rememberFrame } from './tree/frames.ts';
import { conceal, paintBoxes, prepareScreenshot, restoreAfterScreenshot } from './screenshot/prepare-screenshot.ts';
import { secretHolders } from './screenshot/secret-holders.ts';
import { refOf } from './refs.ts';
import { noteHostsInRoot, takeHostCandidates } from './exploration/host-candidates.ts';
import { takeFrameSnapshot } from './snapshot/frame-snapshot.ts';
import { forgetListeners, noteListeners } from './snapshot/clickable/listened.ts';

export type ReadMethod =
  | 'snapshot'
  | 'forgetListeners'
  | 'noteListeners'
  | 'takeCustomElements'
  | 'noteInternals'
  | 'adoptFrame'
  | 'takeHostCandidates'
  | 'adoptShadowRoot'
  | 'prepareScreenshot'
  | 'conceal'
  | 'secretHolders'
  | 'restoreAfterScreenshot'
  | 'paintBoxes';

/** Methods that read the whole page or prepare it for a screenshot. */
export const readMethods: Pick<InjectedProgram, ReadMethod> = {
  snapshot: takeFrameSnapshot,
  forgetListeners,
  noteListeners,
  takeCustomElements,
  noteInternals,
  takeHostCandidates,
  prepareScreenshot,
  conceal,
  secretHolders: (secrets) => secretHolders(secrets).map(refOf),
  restoreAfterScreenshot,
  paintBoxes,
  adoptFrame: (frameElement, frameId, nonce) => {
    if (!(frameElement instanceof Element)) return false;
    rememberFrame(frameElement, frameId);
    return expectMail(frameElement, nonce);
  },
  adoptShadowRoot: (root) => {
    if (!(root instanceof ShadowRoot)) return;
    adoptClosedRoot(root.host, root);
    noteHostsInRoot(root);
  },
};
