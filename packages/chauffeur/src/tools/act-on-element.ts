import { resultOf } from '../act/act-result.ts';
import type { ActionTarget } from '../page/action/element-action.ts';
import { performStep, type Step } from '../verb/perform-step.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool.ts';

/** What is done to an element. */
interface Deed {
  readonly method: string;
  readonly arguments?: readonly string[];
  /** Of a drag, what to drop on. */
  readonly dropTarget?: ActionTarget;
  /** In a few words, with the element; default the method and the element. */
  readonly description?: string;
}

/** Carries out an action on the element that a ref stands for, and tells what it did. */
export async function actOnElement(context: ToolContext, ref: string, deed: Deed): Promise<ToolOutcome> {
  const element = context.element(ref);
  if (!element) return unknownRef(ref);
  const { method, arguments: args = [], dropTarget, description = `${method} ${phrase(element)}` } = deed;
  const missing = args.flatMap((argument) => context.variables.missingIn(argument));
  if (missing.length > 0) return failed(`There is no variable ${missing.join(', ')}. ${knownVariables(context)}`);
  const step: Step = {
    target: element.target,
    method,
    arguments: args,
    description,
    ...(dropTarget && { dropTarget }),
  };
  const done = await performStep(context.progress, context.verbs, { step, variables: context.variables });
  const { message, effect } = resultOf(description, [done]);
  return { text: message, ...(effect && { effect }), step: done };
}

/** What a model is told that names an element it was not shown. */
export function unknownRef(ref: string): ToolOutcome {
  return failed(
    `${ref} stands in no page that was shown, or its document is gone. Use a ref of the page as it was shown last.`,
  );
}

/** An element in words: `button "Save"`. */
function phrase({ role, name }: NamedElement): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}

function knownVariables({ variables }: ToolContext): string {
  const names = variables.known.map(({ name }) => `%${name}%`);
  return names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none.';
}
