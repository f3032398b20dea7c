import { DriverEvalError } from '../errors.ts';
import type { Result } from './protocol.ts';

type Evaluated = Result<'Runtime.callFunctionOn'>;
type ExceptionDetails = NonNullable<Evaluated['exceptionDetails']>;

/** Throws the page's exception with its own message and stack. */
export function throwThrown({ exceptionDetails }: Evaluated): void {
  if (exceptionDetails) throw new DriverEvalError(`The page threw: ${thrownText(exceptionDetails)}`);
}

/** Renders an exception: message and stack of an error, any other value as it is. */
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
