import type { Warning } from 'ai';
import type { LanguageModelObject } from './model-configuration.ts';

/**
 * The same model, whose warnings go to `onWarnings` alone: the AI SDK would print them on the user's standard error.
 */
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
      // Methods of classes with private fields work on the object itself alone.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A warning as a sentence. */
export function warningText(warning: Warning): string {
  switch (warning.type) {
    case 'unsupported':
      return `${warning.feature} has no effect.${detailsOf(warning)}`;
    case 'compatibility':
      return `${warning.feature} has no full effect.${detailsOf(warning)}`;
    case 'deprecated':
      return `${warning.setting}: ${warning.message}`;
    default:
      return warning.message;
  }
}

function detailsOf({ details }: { readonly details?: string }): string {
  return details === undefined ? '' : ` ${details}`;
}
