import type { ProposedAction } from '../../model/model-client.ts';
import { isRecord } from '../../util/is-record.ts';
import { type PlannedCall, type Plan, type Situation, calls, cannot } from './situation.ts';

type Given = Pick<Situation, 'tools'>;

/** Returns the calls that perform an action, preferred one first. */
function callsFor({ ref, method, arguments: args }: ProposedAction): readonly PlannedCall[] {
  const [first = ''] = args;
  const click = { tool: 'click', input: { ref } };
  switch (method) {
    case 'doubleClick':
      return [{ tool: 'click', input: { ref, twice: true } }];
    case 'rightClick':
      return [{ tool: 'click', input: { ref, button: 'right' } }];
    case 'hover':
      return [{ tool: 'hover', input: { ref } }];
    case 'fill':
      return [
        { tool: 'fill', input: { ref, text: first } },
        ...(first === '' ? [] : [{ tool: 'type', input: { ref, text: first } }]),
      ];
    case 'press':
      return [{ tool: 'press', input: { keys: first, ref } }];
    case 'check':
    case 'uncheck':
      return [{ tool: 'check', input: { ref, on: method === 'check' } }, click];
    case 'select':
      return [{ tool: 'select', input: { ref, options: args } }];
    case 'upload':
      return [{ tool: 'upload', input: { ref, paths: args } }];
    case 'dragAndDrop':
      return [{ tool: 'drag', input: { ref, to: first } }];
    case 'nextChunk':
      return [{ tool: 'scroll', input: { to: 'down' } }];
    case 'prevChunk':
      return [{ tool: 'scroll', input: { to: 'up' } }];
    case 'scrollTo':
      return first === ''
        ? [{ tool: 'scroll', input: { to: 'here', ref } }]
        : [{ tool: 'press', input: { keys: first === '0%' ? 'Home' : 'End' } }];
    default:
      return [click];
  }
}

export function inputOf(call: PlannedCall | undefined): Readonly<Record<string, unknown>> {
  return isRecord(call?.input) ? call.input : {};
}

/** Returns the preferred call whose tool is available. */
export function callFor(action: ProposedAction, { tools }: Given): PlannedCall | undefined {
  return callsFor(action).find(({ tool }) => tools.has(tool));
}

/** Plans an action. Fails with the name of the missing tool. */
export function planFor(action: ProposedAction, situation: Given, part?: number): Plan {
  const call = callFor(action, situation);
  return call ? calls([call], part) : cannot(`the required tool ${callsFor(action)[0]?.tool ?? ''} is excluded`);
}
