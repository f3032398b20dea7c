import type { Wanted } from '../../packages/pagechauffeur/test/agent-tasks/decision.ts';
import { bestOf, linesFrom, NotShownError } from '../../packages/pagechauffeur/test/agent-tasks/shown-elements.ts';

const LINE = /^\s*\[(\d+-\d+)\] ([^:]+)(?:: (.*))?$/;

/** Returns the id of an element in Stagehand's page text. */
export function elementIdIn(tree: string, wanted: Wanted): string {
  const elements = linesFrom(tree, wanted.after).flatMap((line) => {
    const [, id = '', role = '', name = ''] = LINE.exec(line) ?? [];
    return id === '' ? [] : [{ id, role, name }];
  });
  const found = bestOf(elements, wanted) ?? elements.find(({ name }) => name === wanted.name);
  if (found) return found.id;
  throw new NotShownError(`Stagehand shows no ${wanted.role} ${JSON.stringify(wanted.name)} in:\n${tree}`);
}
