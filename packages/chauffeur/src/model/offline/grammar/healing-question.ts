import type { Intent } from './reading.ts';

/** A step as the library puts it to find its element anew: `fill "Ada" on: textbox "First name"`. */
export interface HealingQuestion {
  readonly intent: Intent;
  readonly target: string;
  readonly value: string | null;
}

const FORM = /^(?<method>[a-z]+)(?<values>(?:\s+"(?:[^"\\]|\\.)*")*)\s+on:\s+(?<target>.+)$/i;
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

/** Reads a healing question; null when the instruction is a person's. */
export function readHealingQuestion(instruction: string): HealingQuestion | null {
  const { method = '', values = '', target = '' } = FORM.exec(instruction)?.groups ?? {};
  const intent = INTENTS.get(method);
  if (!intent || target === '') return null;
  const first = /"(?:[^"\\]|\\.)*"/.exec(values)?.[0];
  return { intent, target, value: first === undefined ? null : String(JSON.parse(first)) };
}
