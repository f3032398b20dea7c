import type { HealIntent } from '../../model/model-client.ts';
import { MaskedText } from './masked-text.ts';
import { readPhrase, withoutHead } from './phrase.ts';
import type { Intent, Reading } from './reading.ts';

const INTENTS: ReadonlyMap<string, Intent> = new Map(
  Object.entries({
    click: 'use',
    doubleClick: 'doubleClick',
    rightClick: 'rightClick',
    hover: 'hover',
    focus: 'focus',
    tap: 'tap',
    fill: 'write',
    type: 'write',
    press: 'press',
    check: 'check',
    uncheck: 'uncheck',
    select: 'choose',
    upload: 'upload',
  }),
);

/** Readings of an action to heal: the description for the element, the other values unchanged. Empty for an unknown method. */
export function healingReadings({ method, arguments: args, description }: HealIntent): readonly Reading[] {
  const value = args[0] ?? null;
  const intent = INTENTS.get(method);
  if (!intent) return [];
  const masked = new MaskedText(description);
  const object = value === null ? null : readPhrase(value, new MaskedText(''));
  return [{ intent, target: withoutHead(readPhrase(masked.text, masked)), value, object, unread: [], prior: 1 }];
}
