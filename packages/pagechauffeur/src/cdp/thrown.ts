import { DriverEvalError } from '../errors.ts';
import type { Result } from './protocol.ts';

type Evaluated = Result<'Runtime.callFunctionOn'>;
type ExceptionDetails = NonNullable<Evaluated['exceptionDetails']>;

/** Throws a `DriverEvalError` with message and stack if the page threw. */
export function throwThrown({ exceptionDetails }: Evaluated): void {
  if (exceptionDetails) throw new DriverEvalError(`The page threw: ${thrownText(exceptionDetails)}`);
}

/** Message and stack of an error, or the value that the page threw. */
export function thrownText({ exception, text }: ExceptionDetails): string {
  if (!exception) return text;
  const { description, preview, subtype, unserializableValue } = exception;
  const value: unknown = exception.value;
  if (preview && subtype !== 'error') {
    const properties = preview.properties.map((property) => `${property.name}: ${property.value ?? property.type}`);
    return `${description ?? 'Object'} { ${properties.join(', ')}${preview.overflow ? ', …' : ''} }`;
  }
  return description ?? unserializableValue ?? String(value);
}
