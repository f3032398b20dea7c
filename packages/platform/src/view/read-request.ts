import { z } from 'zod';
import type { ViewRequest } from './view-wire.ts';

const coordinate = z.number().min(-10_000).max(100_000);
const modifiers = z.number().int().min(0).max(15);

const viewRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('show'), tab: z.string().max(100) }),
  z.strictObject({ type: z.literal('return'), seat: z.uuid() }),
  z.strictObject({
    type: z.literal('answer'),
    question: z.uuid(),
    isDeclined: z.boolean(),
    text: z.string().max(10_000),
  }),
  z.strictObject({ type: z.literal('take-over') }),
  z.strictObject({ type: z.literal('hand-back') }),
  z.strictObject({ type: z.literal('go'), to: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ type: z.literal('navigate'), url: z.string().min(1).max(4096) }),
  z.strictObject({
    type: z.literal('mouse'),
    event: z.enum(['mousePressed', 'mouseReleased', 'mouseMoved']),
    x: coordinate,
    y: coordinate,
    button: z.enum(['none', 'left', 'middle', 'right']),
    buttons: z.number().int().min(0).max(31),
    clickCount: z.number().int().min(0).max(3),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('wheel'),
    x: coordinate,
    y: coordinate,
    deltaX: coordinate,
    deltaY: coordinate,
    modifiers,
  }),
  z.strictObject({
    type: z.literal('touch'),
    event: z.enum(['touchStart', 'touchMove', 'touchEnd', 'touchCancel']),
    points: z.array(z.strictObject({ x: coordinate, y: coordinate, id: z.number().int().min(0).max(100) })).max(10),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('key'),
    event: z.enum(['keyDown', 'keyUp']),
    key: z.string().max(32),
    code: z.string().max(32),
    keyCode: z.number().int().min(0).max(255),
    text: z.string().max(8),
    modifiers,
    isRepeat: z.boolean(),
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.literal('compose'), text: z.string().max(1000) }),
  z.strictObject({ type: z.literal('dialog'), accept: z.boolean(), text: z.string().max(10_000) }),
  z.strictObject({ type: z.literal('choose'), value: z.string().max(200).optional() }),
  z.strictObject({
    type: z.literal('files'),
    files: z
      .array(z.strictObject({ name: z.string().max(255), type: z.string().max(255), base64: z.base64() }))
      .max(20),
  }),
]) satisfies z.ZodType<ViewRequest>;

/** Parses a message from the dashboard. Returns `undefined` if it is invalid. */
export function readViewRequest(message: string): ViewRequest | undefined {
  try {
    return viewRequest.safeParse(JSON.parse(message)).data;
  } catch {
    // The caller closes the socket.
    return undefined;
  }
}
