import type { Warning } from 'ai';
import type { LanguageModelObject } from './model-configuration.ts';

/** Wraps a model so that warnings of `doGenerate` go to `onWarnings`. The AI SDK would print them to standard error. */
export function quietModel(
  model: LanguageModelObject,
  onWarnings: (warnings: readonly Warning[]) => void,
): LanguageModelObject {
  const answerQuietly = async (...options: readonly unknown[]): Promise<object> => {
    const answer: unknown = await Reflect.apply(model.doGenerate, model, options);
    const result = answer as object & { readonly warnings?: readonly Warning[] };
    onWarnings(result.warnings ?? []);
    return { ...result, warnings: [] };
  };
  return new Proxy(model, {
    get(target, property): unknown {
      if (property === 'doGenerate') return answerQuietly;
      const value: unknown = Reflect.get(target, property, target);
      // Methods that use private fields need the original object as `this`.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

export function warningText(warning: Warning): string {
  switch (warning.type) {
    case 'unsupported':
      return `${warning.feature} has no effect.${detailsOf(warning)}`;
    case 'compatibility':
      return `${warning.feature} is only partly supported.${detailsOf(warning)}`;
    case 'deprecated':
      return `${warning.setting}: ${warning.message}`;
    default:
      return warning.message;
  }
}

function detailsOf({ details }: { readonly details?: string }): string {
  return details === undefined ? '' : ` ${details}`;
}
