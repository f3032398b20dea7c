import type { ModelImage } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import { InputFields } from './input-fields.ts';
import { combinationOf, modifiersIn } from './key-names.ts';
import type { Protocol } from './protocol.ts';
import type { SafetyCheck } from './safety-check.ts';
import { distanceOnPage, pointOnPage, type Screen } from './screen.ts';

/**
 * The `computer` tool of OpenAI's Responses API. A call is a list of actions in screenshot pixels. Its result is one
 * screenshot. With `detail: 'original'`, an image can have 6000 pixels per side and 10,000 patches of 32 by 32 pixels.
 */
export const OPENAI: Protocol = {
  has: [],
  limits: () => ({ edge: 6000, patch: { side: 32, most: 10_000 } }),
  tool: () => ({ id: 'openai.computer', args: {} }),
  actionsOf: (input, screen) => new InputFields(input).list('actions').map((action) => toAction(action, screen)),
  checksOf: (input) => new InputFields(input).list('pendingSafetyChecks').map(toCheck),
  formatResults: (results, { picture }) => ({
    results: results.map(({ result, passed }) => ({ ...result, provided: outputOf(picture, passed) })),
    // The result itself cannot contain text.
    text: results.map(({ result }) => result.text).join('\n'),
    images: [],
  }),
};

/** Duration of `wait` in seconds. The API does not specify one. */
const WAIT_SECONDS = 1;

function toAction(input: unknown, screen: Screen): ComputerAction {
  const fields = new InputFields(input);
  const type = fields.text('type');
  switch (type) {
    case 'keypress':
      return keypress(fields.texts('keys'));
    case 'type':
      return { kind: 'type', text: fields.text('text') ?? '' };
    case 'wait':
      return { kind: 'wait', seconds: WAIT_SECONDS };
    case 'screenshot':
      return { kind: 'screenshot' };
    case 'drag':
      return drag(fields, screen);
    default:
      return pointed(fields, screen, type ?? 'nothing');
  }
}

function keypress(keys: readonly string[]): ComputerAction {
  if (keys.length === 0) return { kind: 'unusable', why: 'The action "keypress" needs keys.' };
  return { kind: 'press', combinations: [combinationOf(keys)], times: 1 };
}

function pointed(fields: InputFields, screen: Screen, type: string): ComputerAction {
  const point = fields.point();
  if (!point) return { kind: 'unusable', why: `The action ${JSON.stringify(type)} needs x and y.` };
  const at = pointOnPage(screen, point);
  const modifiers = modifiersIn(fields.texts('keys'));
  switch (type) {
    case 'click':
      return click(fields.text('button') ?? 'left', { at, modifiers });
    case 'double_click':
      return { kind: 'click', at, button: 'left', count: 2, modifiers };
    case 'move':
      return { kind: 'move', at, modifiers };
    case 'scroll': {
      const by = { x: fields.number('scrollX') ?? 0, y: fields.number('scrollY') ?? 0 };
      const { x: deltaX, y: deltaY } = distanceOnPage(screen, by);
      return { kind: 'scroll', at, deltaX, deltaY, modifiers };
    }
    default:
      return { kind: 'unusable', why: `Unknown action ${JSON.stringify(type)}.` };
  }
}

function click(
  button: string,
  where: Pick<Extract<ComputerAction, { kind: 'click' }>, 'at' | 'modifiers'>,
): ComputerAction {
  if (button === 'back' || button === 'forward') return { kind: button };
  if (button === 'left' || button === 'right') return { kind: 'click', button, count: 1, ...where };
  if (button === 'wheel') return { kind: 'click', button: 'middle', count: 1, ...where };
  return { kind: 'unusable', why: `Unknown button ${JSON.stringify(button)}.` };
}

function drag(fields: InputFields, screen: Screen): ComputerAction {
  const points = fields.list('path').map((item) => new InputFields(item).point());
  const path = points.filter((point) => point !== undefined).map((point) => pointOnPage(screen, point));
  if (path.length < 2 || path.length < points.length)
    return { kind: 'unusable', why: 'A drag needs a path of at least two points, each with x and y.' };
  return { kind: 'drag', path, modifiers: modifiersIn(fields.texts('keys')) };
}

function toCheck(input: unknown): SafetyCheck {
  const fields = new InputFields(input);
  return { id: fields.text('id') ?? '', code: fields.text('code') ?? '', message: fields.text('message') ?? '' };
}

function outputOf({ data, mediaType }: ModelImage, passed: readonly SafetyCheck[]): unknown {
  const imageUrl = `data:${mediaType};base64,${Buffer.from(data).toString('base64')}`;
  return {
    output: { type: 'computer_screenshot', imageUrl, detail: 'original' },
    ...(passed.length > 0 && { acknowledgedSafetyChecks: passed.map((check) => ({ ...check })) }),
  };
}
