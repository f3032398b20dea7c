import { DocumentGoneError, ProtocolError } from '../cdp/protocol-error.ts';
import { DriverIframeError, DriverProtocolError } from '../errors.ts';
import { maskError } from '../util/mask-error.ts';
import type { ValueMask } from '../util/value-mask.ts';

/**
 * Converts internal errors to public ones. {@link withPublicErrors} applies this to the methods of public classes.
 */
export function publicError(error: unknown): unknown {
  if (error instanceof DocumentGoneError)
    return new DriverIframeError(
      `${error.message} Wait until the page has loaded, for example with page.waitForLoadState(), then retry.`,
      { cause: error },
    );
  if (error instanceof ProtocolError)
    return new DriverProtocolError(error.message, { method: error.method, reason: error.reason, cause: error });
  return error;
}

const maskByObject = new WeakMap<object, ValueMask>();

/** From now on, variable values are masked in errors that the object's methods throw. */
export function maskErrorsOf(object: object, { mask }: { readonly mask: ValueMask }): void {
  maskByObject.set(object, mask);
}

type Method = (...args: unknown[]) => unknown;

const done = new WeakSet<object>();

/**
 * Wraps all methods of a class, inherited ones included: they throw only public errors, with variable values masked.
 */
export function withPublicErrors({ prototype }: { readonly prototype: object }): void {
  for (let layer: object = prototype; layer !== Object.prototype; layer = Object.getPrototypeOf(layer) as object) {
    if (!done.has(layer)) wrapMethods(layer);
    done.add(layer);
  }
}

function wrapMethods(prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || typeof value !== 'function') continue;
    const method = value as Method;
    Object.defineProperty(prototype, name, { value: wrapped(name, method), writable: true, configurable: true });
  }
}

function wrapped(name: string, method: Method): Method {
  const withErrors = function (this: unknown, ...args: unknown[]): unknown {
    const rethrow = (error: unknown): never => {
      throw asPublic(this, error);
    };
    try {
      const result = method.apply(this, args);
      return result instanceof Promise ? result.catch(rethrow) : result;
    } catch (error) {
      return rethrow(error);
    }
  };
  return Object.defineProperties(withErrors, { name: { value: name }, length: { value: method.length } });
}

function asPublic(object: unknown, error: unknown): unknown {
  const mask = maskByObject.get(object as object);
  const known = publicError(error);
  return mask ? maskError(known, mask) : known;
}
