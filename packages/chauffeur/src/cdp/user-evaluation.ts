import { handledElsewhere } from '../util/deferred.ts';
import type { Result } from './protocol.ts';
import type { Session } from './session.ts';
import { throwThrown } from './thrown.ts';
import { isJsonData, sourceOfValue } from './user-argument.ts';
import { BY_VALUE, describeOpaqueValues, type OpaqueValue, opaqueValuesOf, readResult } from './user-result.ts';

type Evaluated = Result<'Runtime.callFunctionOn'>;

/** Where a user's script runs. */
interface Realm {
  readonly session: Session;
  readonly contextId: number;
  /** The object that a function gets before its other arguments. */
  readonly receiverId?: string | undefined;
  /** Turns the browser's word for a document that is gone into an error of its own. */
  readonly guard: <T>(reply: Promise<T>) => Promise<T>;
}

const BY_USER = { awaitPromise: true, userGesture: true, serializationOptions: BY_VALUE };

/** Evaluates an expression (`args` null) or calls a function, given as source text, and brings the result by value. */
export async function evaluateForUser(realm: Realm, source: string, args: readonly unknown[] | null): Promise<unknown> {
  const answer = await realm.guard(
    args === null ? evaluateExpression(realm, source) : callFunction(realm, source, args),
  );
  const { result, exceptionDetails } = answer;
  try {
    throwThrown(answer);
    const written = result.deepSerializedValue ?? { type: 'undefined' };
    const opaque = opaqueValuesOf(written);
    return readResult(written, opaque.length > 0 ? await factsOf(realm, result.objectId, opaque) : []);
  } finally {
    for (const objectId of [result.objectId, exceptionDetails?.exception?.objectId])
      if (objectId !== undefined) realm.session.send('Runtime.releaseObject', { objectId }).catch(handledElsewhere);
  }
}

function evaluateExpression({ session, contextId }: Realm, expression: string): Promise<Evaluated> {
  return session.send('Runtime.evaluate', { expression, contextId, ...BY_USER });
}

function callFunction(
  { session, contextId, receiverId }: Realm,
  source: string,
  args: readonly unknown[],
): Promise<Evaluated> {
  const isPlain = args.every((value) => value === undefined || isJsonData(value));
  const values = isPlain ? args.map((value) => ({ value })) : [];
  const written = isPlain ? '...args' : args.map(sourceOfValue).join(', ');
  if (receiverId !== undefined) {
    const functionDeclaration = `function(...args) { return (${source})(this, ${written}); }`;
    return session.send('Runtime.callFunctionOn', {
      functionDeclaration,
      objectId: receiverId,
      arguments: values,
      ...BY_USER,
    });
  }
  return session.send('Runtime.callFunctionOn', {
    functionDeclaration: isPlain ? source : `function() { return (${source})(${written}); }`,
    executionContextId: contextId,
    arguments: values,
    ...BY_USER,
  });
}

async function factsOf(
  { session, contextId, guard }: Realm,
  objectId: string | undefined,
  opaque: readonly OpaqueValue[],
): Promise<Parameters<typeof readResult>[1]> {
  if (objectId === undefined) return [];
  const answer = await guard(
    session.send('Runtime.callFunctionOn', {
      functionDeclaration: describeOpaqueValues.toString(),
      executionContextId: contextId,
      arguments: [{ objectId }, { value: opaque.map(({ path }) => path) }],
      returnByValue: true,
    }),
  );
  throwThrown(answer);
  return JSON.parse(String(answer.result.value)) as Parameters<typeof readResult>[1];
}
