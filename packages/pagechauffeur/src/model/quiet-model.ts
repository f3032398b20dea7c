import type { Warning } from 'ai';
import type { LanguageModelObject } from './model-configuration.ts';

/** Wraps a model so that its warnings go to `onWarnings`. The AI SDK would print them to standard error. */
export function quietModel(
  model: LanguageModelObject,
  onWarnings: (warnings: readonly Warning[]) => void,
): LanguageModelObject {
  const quietly = <T extends WithWarnings>(source: T): T => {
    onWarnings(source.warnings ?? []);
    return { ...source, warnings: [] };
  };
  const doGenerate = async (...options: readonly unknown[]): Promise<object> => {
    const answer: unknown = await Reflect.apply(model.doGenerate, model, options);
    return quietly(answer as WithWarnings);
  };
  const doStream = async (...options: readonly unknown[]): Promise<object> => {
    const answer: unknown = await Reflect.apply(model.doStream, model, options);
    const { stream, ...rest } = answer as StreamedAnswer;
    return { ...rest, stream: stream.pipeThrough(withStart(quietly)) };
  };
  return new Proxy(model, {
    get(target, property): unknown {
      if (property === 'doGenerate') return doGenerate;
      if (property === 'doStream') return doStream;
      const value: unknown = Reflect.get(target, property, target);
      // Methods that use private fields need the original object as `this`.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What the wrapper reads of a response, or of the first part of a stream. */
interface WithWarnings {
  readonly warnings?: readonly Warning[];
}

interface StreamPart extends WithWarnings {
  readonly type: string;
}

interface StreamedAnswer {
  readonly stream: ReadableStream<StreamPart>;
}

/** Changes the part that starts a stream, which has the warnings. */
function withStart(change: (part: StreamPart) => StreamPart): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform: (part, controller) => controller.enqueue(part.type === 'stream-start' ? change(part) : part),
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
