import { DriverEvalError } from '../errors.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { orDocumentGone } from './document-loss.ts';
import type { Result } from './protocol.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Session } from './session.ts';
import { throwThrown } from './thrown.ts';
import { isJsonData, sourceOfValue } from './user-argument.ts';
import { BY_VALUE, describeOpaqueValues, type OpaqueValue, opaqueValuesOf, readResult } from './user-result.ts';

type Evaluated = Result<'Runtime.callFunctionOn'>;

interface Realm {
  readonly session: Session;
  readonly contextId: number | undefined;
  /** First argument of the function, which runs in the world of this object. */
  readonly receiverId?: string | undefined;
}

/**
 * Length in characters. The platform accepts messages over 16 MiB only for methods such as `Runtime.callFunctionOn`.
 */
const MAX_EXPRESSION_LENGTH = 4 * 1024 * 1024;
const BY_USER = { awaitPromise: true, userGesture: true, serializationOptions: BY_VALUE };

/**
 * Evaluates an expression (`args` is `null`), or a function that is called with `args`. Returns the result by value.
 */
export async function evaluateForUser(realm: Realm, source: string, args: readonly unknown[] | null): Promise<unknown> {
  try {
    return await bringValue(
      realm,
      args === null ? evaluateExpression(realm, source) : callFunction(realm, source, args),
    );
  } catch (error) {
    if (error instanceof ProtocolError && NOT_A_VALUE.test(error.reason)) {
      throw new DriverEvalError(
        `Cannot return the result from the page: ${error.reason}. Return plain data, for example only the fields you need.`,
        { cause: error },
      );
    }
    throw error;
  }
}

// Chromium has no error code for results that cannot be serialized, only these messages.
const NOT_A_VALUE =
  /reference chain is too long|couldn't be returned by value|deep serialization|stack limit exceeded/i;

async function bringValue({ session }: Realm, reply: Promise<Evaluated>): Promise<unknown> {
  const answer = await orDocumentGone(session, reply);
  const { result, exceptionDetails } = answer;
  try {
    throwThrown(answer);
    const written = result.deepSerializedValue ?? { type: 'undefined' };
    const opaque = opaqueValuesOf(written);
    return readResult(written, opaque.length > 0 ? await factsOf(session, result.objectId, opaque) : []);
  } finally {
    for (const objectId of [result.objectId, exceptionDetails?.exception?.objectId])
      if (objectId !== undefined) session.send('Runtime.releaseObject', { objectId }).catch(ignoreRejection);
  }
}

function evaluateExpression({ session, contextId }: Realm, expression: string): Promise<Evaluated> {
  return session.send('Runtime.evaluate', { expression, ...(contextId ? { contextId } : {}), ...BY_USER });
}

function callFunction(
  { session, contextId, receiverId }: Realm,
  source: string,
  args: readonly unknown[],
): Promise<Evaluated> {
  const isPlain = args.every((value) => value === undefined || isJsonData(value));
  const values = isPlain ? args.map((value) => ({ value })) : [];
  const written = isPlain ? '...args' : args.map(sourceOfValue).join(', ');
  const functionDeclaration = isPlain ? source : `function() { return (${source})(${written}); }`;
  if (receiverId !== undefined) {
    return session.send('Runtime.callFunctionOn', {
      functionDeclaration: `function(...args) { return (${source})(this, ${written}); }`,
      objectId: receiverId,
      arguments: values,
      ...BY_USER,
    });
  }
  if (contextId === undefined) {
    const expression = `(${source}\n)(${isPlain ? args.map(jsonOf).join(', ') : written})`;
    return expression.length > MAX_EXPRESSION_LENGTH
      ? callOnObject(session, functionDeclaration, values)
      : session.send('Runtime.evaluate', { expression, ...BY_USER });
  }
  return session.send('Runtime.callFunctionOn', {
    functionDeclaration,
    executionContextId: contextId,
    arguments: values,
    ...BY_USER,
  });
}

/**
 * Calls a function in the main world with `Runtime.callFunctionOn`, which the platform accepts with long sources.
 * Creates an object first, because the call needs an object or context id.
 */
async function callOnObject(
  session: Session,
  functionDeclaration: string,
  values: readonly { readonly value: unknown }[],
): Promise<Evaluated> {
  const { objectId = '' } = (await session.send('Runtime.evaluate', { expression: '({})' })).result;
  try {
    const call = { functionDeclaration, objectId, arguments: [...values], ...BY_USER };
    return await session.send('Runtime.callFunctionOn', call);
  } finally {
    session.send('Runtime.releaseObject', { objectId }).catch(ignoreRejection);
  }
}

function jsonOf(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

async function factsOf(
  session: Session,
  objectId: string | undefined,
  opaque: readonly OpaqueValue[],
): Promise<Parameters<typeof readResult>[1]> {
  if (objectId === undefined) return [];
  const answer = await orDocumentGone(
    session,
    session.send('Runtime.callFunctionOn', {
      functionDeclaration: describeOpaqueValues.toString(),
      objectId,
      arguments: [{ objectId }, { value: opaque.map(({ path }) => path) }],
      returnByValue: true,
    }),
  );
  throwThrown(answer);
  return JSON.parse(String(answer.result.value)) as Parameters<typeof readResult>[1];
}
