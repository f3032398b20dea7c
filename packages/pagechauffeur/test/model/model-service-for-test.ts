import { type Metrics, UsageMeter } from '../../src/driver/metrics.ts';
import type { AnswerRules } from '../../src/model/generate-checked.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import type { ModelConfiguration } from '../../src/model/model-configuration.ts';
import { Log, type LogLine } from '../../src/util/log.ts';
import { Progress } from '../../src/util/progress.ts';
import { ValueMask } from '../../src/util/value-mask.ts';
import { type InferenceRecord, ModelService } from '../../src/model/model-service.ts';
import { modelRequest } from './model-request.ts';

/** A model service as a driver has one, without a browser. */
export interface TestModelService {
  readonly mask: ValueMask;
  readonly lines: readonly LogLine[];
  readonly records: readonly InferenceRecord[];
  metrics(): Metrics;
  /** Asks with the given changes to the question; data of any kind is accepted unless there are rules. */
  ask(model: ModelConfiguration, question?: Partial<ModelRequest>, more?: AskOptions): Promise<unknown>;
}

interface AskOptions {
  readonly rules?: AnswerRules<unknown>;
  readonly restoresValues?: boolean;
  readonly signal?: AbortSignal;
}

/** Sets up a model service with its log, meter and mask. */
export function modelServiceForTest(): TestModelService {
  const lines: LogLine[] = [];
  const records: InferenceRecord[] = [];
  const meter = new UsageMeter();
  const mask = new ValueMask();
  const log = new Log({ verbose: 2, logger: (line) => void lines.push(line), disableLoggerBackend: false, mask });
  const modelService = new ModelService({
    configuration: undefined,
    log,
    mask,
    onInference: (record) => {
      records.push(record);
      meter.add(record.verb, record.usage, record.milliseconds);
    },
  });
  return {
    mask,
    lines,
    records,
    metrics: () => meter.read(),
    async ask(model, question, { signal, restoresValues = false, rules = acceptAll } = {}) {
      using progress = new Progress({ operation: 'act', timeout: 20_000, signals: signal ? [signal] : [] });
      const { signal: _, ...request } = modelRequest(question);
      return await modelService.ask(progress, request, { model, rules, restoresValues });
    },
  };
}

const acceptAll: AnswerRules<unknown> = { check: (value) => ({ value }) };
