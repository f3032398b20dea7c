import type { ModelRequest, ModelUsage } from '../../src/model/model-client.ts';
import { refOf, ScriptedModel } from '../../src/testing.ts';

/** What an act on the page of these tests answers: it fills the field with these arguments. */
export function fillsField(request: ModelRequest, args: readonly string[]): object {
  return {
    action: {
      ref: refOf(request, { role: 'textbox' }),
      method: 'fill',
      arguments: args,
      description: 'the field',
    },
    twoStep: false,
    reason: '',
    candidates: [],
  };
}

/** A usable answer for whatever verb asks: the field is filled with `%name%`, the button is found, the text is "read". */
export function anyAnswer(request: ModelRequest): object {
  if (request.verb === 'act') return fillsField(request, request.variables.length > 0 ? ['%name%'] : ['Ada']);
  if (request.verb === 'extract') return { extraction: 'read' };
  const button = { ref: refOf(request, { role: 'button' }), method: 'click', arguments: [], description: 'the button' };
  return { elements: [button] };
}

/** A model that answers whatever verb asks, at this cost. */
export function anyModel(usage: Partial<ModelUsage> = {}): ScriptedModel {
  return new ScriptedModel(anyAnswer, { usage });
}

/** A model that answers nothing until it is told to stop; says when it has been asked. */
export function silentModel(onAsked: () => void = () => undefined): ScriptedModel {
  return new ScriptedModel(({ signal }) => {
    onAsked();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
}
