import { foldText } from '../text/words.ts';
import { textsIn } from './build-lines.ts';
import type { Line } from './line.ts';
import { hasOptions, takesText } from './roles.ts';

/**
 * True if another control stands in for this one, as in widget libraries: a native select next to the control that shows its value, or an
 * unnamed field in a clickable element with text.
 */
export function isMirrored(line: Line, elements: readonly Line[]): boolean {
  return hasOptions(line.node) ? isShownBeside(line, elements) : isKeyCatcher(line);
}

function isShownBeside(select: Line, elements: readonly Line[]): boolean {
  const shown = foldText(select.node.value ?? '');
  const at = elements.indexOf(select);
  return (
    shown !== '' &&
    [elements[at - 1], elements[at + 1]].some(
      (beside) => beside !== undefined && !hasOptions(beside.node) && foldText(textOf(beside)) === shown,
    )
  );
}

function isKeyCatcher({ node, parent }: Line): boolean {
  const { name, value, placeholder, description } = node;
  const isBlank = takesText(node) && !name && !value && !placeholder && !description;
  return isBlank && parent !== null && parent.node.states.includes('clickable') && textsIn(parent.node).length > 0;
}

/** Visible text of a control: its name, its value or the texts inside. */
function textOf({ node }: Line): string {
  return node.name || node.value || textsIn(node).join(' ');
}
