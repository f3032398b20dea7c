import { expectTypeOf, it } from 'vitest';
import type {
  Agent,
  Action,
  ActionEffect,
  ActOptions,
  ActResult,
  Driver,
  DriverContext,
  DriverOptions,
  ExtractedText,
  ExtractOptions,
  ForeignPage,
  HistoryEntry,
  LLMClient,
  Logger,
  LogLine,
  Metrics,
  ModelConfiguration,
  ModelRequest,
  ModelResponse,
  ObserveOptions,
  Page,
  BoundValue,
  VariableValue,
} from '../../src/index.ts';

/** The names of properties that may be left out. */
type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

// The compiler is what fails here: a run alone shows nothing.

// [spec: action.selector, action.description, action.method, action.arguments]
it('an action has a selector, a description and optional fields', () => {
  expectTypeOf<RequiredKeys<Action>>().toEqualTypeOf<'selector' | 'description'>();
  expectTypeOf<Action['selector']>().toBeString();
  expectTypeOf<Action['description']>().toBeString();
  expectTypeOf<Action['method']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Action['arguments']>().toEqualTypeOf<readonly string[] | undefined>();
});

// [spec: act-result.success, act-result.message, act-result.actionDescription, act-result.actions]
// [spec: act-result.cacheStatus]
it('an act result has its required and optional fields', () => {
  expectTypeOf<RequiredKeys<ActResult>>().toEqualTypeOf<'success' | 'message' | 'actionDescription'>();
  expectTypeOf<ActResult['success']>().toBeBoolean();
  expectTypeOf<ActResult['message']>().toBeString();
  expectTypeOf<ActResult['actionDescription']>().toBeString();
  expectTypeOf<ActResult['actions']>().toEqualTypeOf<Action[] | undefined>();
  expectTypeOf<ActResult['cacheStatus']>().toEqualTypeOf<'HIT' | 'MISS' | undefined>();
  expectTypeOf<ActResult['effect']>().toEqualTypeOf<ActionEffect | undefined>();
  expectTypeOf<ActionEffect>().toEqualTypeOf<'navigated' | 'changed' | 'opened' | 'none-observed'>();
});

// [spec: variable-value.string, variable-value.number, variable-value.boolean, variable-value.object]
it('only these types are variable values', () => {
  expectTypeOf<VariableValue>().toEqualTypeOf<string | number | boolean | BoundValue>();
  expectTypeOf<RequiredKeys<BoundValue>>().toEqualTypeOf<'value'>();
  expectTypeOf<BoundValue['value']>().toEqualTypeOf<string | number | boolean>();
  expectTypeOf<BoundValue['description']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<null>().not.toExtend<VariableValue>();
  expectTypeOf<{ description: string }>().not.toExtend<VariableValue>();
  expectTypeOf<ActOptions['variables']>().toEqualTypeOf<Readonly<Record<string, VariableValue>> | undefined>();
  expectTypeOf<ObserveOptions['variables']>().toEqualTypeOf<ActOptions['variables']>();
});

// [spec: driver-options.env, life-calls.constructor]
it('env is the only required driver option', () => {
  expectTypeOf<RequiredKeys<DriverOptions>>().toEqualTypeOf<'env'>();
  expectTypeOf<DriverOptions['env']>().toEqualTypeOf<'LOCAL' | 'REMOTE'>();
  expectTypeOf<DriverOptions['verbose']>().toEqualTypeOf<0 | 1 | 2 | undefined>();
  expectTypeOf<DriverOptions['model']>().toEqualTypeOf<ModelConfiguration | undefined>();
  expectTypeOf<'openai/gpt-6-luna'>().toExtend<ModelConfiguration>();
  expectTypeOf<{
    modelName: string;
    apiKey: string;
    baseURL: string;
    headers: object;
  }>().toExtend<ModelConfiguration>();
  expectTypeOf<Driver>().toExtend<AsyncDisposable>();
});

// [spec: act-options.none, observe-options.none, extract-options.none]
it('all call options are optional', () => {
  expectTypeOf<RequiredKeys<ActOptions>>().toBeNever();
  expectTypeOf<RequiredKeys<ObserveOptions>>().toBeNever();
  expectTypeOf<RequiredKeys<ExtractOptions>>().toBeNever();
  expectTypeOf<ActOptions['page']>().toEqualTypeOf<Page | ForeignPage | undefined>();
  expectTypeOf<ActOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>();
});

// [spec: events.logger, events.category, events.message, events.auxiliary]
it('a logger receives lines and returns nothing', () => {
  expectTypeOf<DriverOptions['logger']>().toEqualTypeOf<Logger | undefined>();
  expectTypeOf<Logger>().toEqualTypeOf<(line: LogLine) => void>();
  expectTypeOf<LogLine['category']>().toBeString();
  expectTypeOf<LogLine['message']>().toBeString();
  expectTypeOf<LogLine['level']>().toEqualTypeOf<0 | 1 | 2>();
  expectTypeOf<LogLine['timestamp']>().toBeString();
  expectTypeOf<LogLine['auxiliary']>().toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
});

// [spec: other-types.LLMClient, driver-options.llmClient]
it('a client needs only a generate function', () => {
  expectTypeOf<RequiredKeys<LLMClient>>().toEqualTypeOf<'generate'>();
  expectTypeOf<LLMClient['generate']>().toEqualTypeOf<(request: ModelRequest) => Promise<ModelResponse>>();
  expectTypeOf<LLMClient>().toExtend<NonNullable<DriverOptions['llmClient']>>();
});

// [spec: properties.metrics, properties.history, properties.remoteSessionID]
// [spec: history.method, history.parameters, history.result, history.timestamp]
it('metrics are numbers, and the history is read-only', () => {
  expectTypeOf<Driver['metrics']>().toEqualTypeOf<Promise<Metrics>>();
  expectTypeOf<Metrics[keyof Metrics]>().toBeNumber();
  expectTypeOf<Driver['history']>().toEqualTypeOf<Promise<readonly HistoryEntry[]>>();
  expectTypeOf<HistoryEntry['method']>().toEqualTypeOf<'act' | 'extract' | 'observe' | 'navigate'>();
  expectTypeOf<HistoryEntry['parameters']>().toBeUnknown();
  expectTypeOf<HistoryEntry['result']>().toBeUnknown();
  expectTypeOf<HistoryEntry['timestamp']>().toBeString();
  expectTypeOf<Driver['remoteSessionID']>().toEqualTypeOf<string | undefined>();
});

// [spec: act-calls.instruction, act-calls.instruction-options, act-calls.action, act-calls.action-options]
// [spec: observe-calls.instruction, observe-calls.instruction-options, observe-calls.no-instruction]
// [spec: extract-calls.none, extract-calls.options, extract-calls.instruction]
it('each overload of a call has its own type', () => {
  const calls = (driver: Driver, action: Action) => ({
    act: driver.act('save'),
    actWithOptions: driver.act('save', { variables: { a: 1 } }),
    actOnAction: driver.act(action, { timeout: 5 }),
    observe: driver.observe('buttons', { selector: 'main' }),
    observeAll: driver.observe(),
    observeAllBelow: driver.observe({ selector: 'main' }),
    pageText: driver.extract(),
    partText: driver.extract({ selector: 'main' }),
    text: driver.extract('the title'),
    textBelow: driver.extract('the title', undefined, { selector: 'main' }),
    agent: () => driver.agent(),
  });
  type Calls = ReturnType<typeof calls>;
  expectTypeOf<Calls['act']>().toEqualTypeOf<Promise<ActResult>>();
  expectTypeOf<Calls['actWithOptions']>().toEqualTypeOf<Promise<ActResult>>();
  expectTypeOf<Calls['actOnAction']>().toEqualTypeOf<Promise<ActResult>>();
  expectTypeOf<Calls['observe']>().toEqualTypeOf<Promise<Action[]>>();
  expectTypeOf<Calls['observeAll']>().toEqualTypeOf<Promise<Action[]>>();
  expectTypeOf<Calls['observeAllBelow']>().toEqualTypeOf<Promise<Action[]>>();
  expectTypeOf<Calls['pageText']>().resolves.toEqualTypeOf<{ readonly pageText: string }>();
  expectTypeOf<Calls['partText']>().resolves.toEqualTypeOf<{ readonly pageText: string }>();
  expectTypeOf<Calls['text']>().resolves.toEqualTypeOf<ExtractedText>();
  expectTypeOf<Calls['textBelow']>().resolves.toEqualTypeOf<ExtractedText>();
  expectTypeOf<Calls['agent']>().returns.toEqualTypeOf<Agent>();
});

// [spec: properties.context.newPage, properties.context.pages, properties.context.activePage]
it('the context returns pages', () => {
  expectTypeOf<Driver['context']>().toEqualTypeOf<DriverContext>();
  expectTypeOf<ReturnType<DriverContext['newPage']>>().toEqualTypeOf<Promise<Page>>();
  expectTypeOf<ReturnType<DriverContext['pages']>>().toEqualTypeOf<Page[]>();
  expectTypeOf<ReturnType<DriverContext['activePage']>>().toEqualTypeOf<Page | undefined>();
});
