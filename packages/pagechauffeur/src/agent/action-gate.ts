import { DomainPolicy } from '../cdp/network/domain-policy.ts';
import type { ModelCall } from '../model/model-client.ts';
import type { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import { elementInText } from '../snapshot/parse-line.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Tool } from '../tools/tool.ts';
import type { NamedElement } from '../tools/tool-context.ts';
import { reasonOf } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Progress } from '../util/progress.ts';
import type { AgentCallbacks } from './agent-callbacks.ts';

export interface JudgedCall {
  readonly call: ModelCall;
  readonly tool: Tool;
  readonly page: Page;
  readonly step: number;
  /** The last snapshot of the page that the model received. `undefined` in a replay. */
  readonly shown: Snapshot | undefined;
  element(ref: string): NamedElement | undefined;
  mask(text: string): string;
}

/** Decides whether a tool call may run: the domain policy and the caller's `onBeforeAction` can refuse it. */
export class ActionGate {
  readonly #browser: DriverContext;
  readonly #onBeforeAction: AgentCallbacks['onBeforeAction'];

  constructor(browser: DriverContext, callbacks: AgentCallbacks | undefined) {
    this.#browser = browser;
    this.#onBeforeAction = callbacks?.onBeforeAction?.bind(callbacks);
  }

  /** Returns the refusal to send to the model, or `undefined` if the call may run. */
  async refusal(progress: Progress, judged: JudgedCall): Promise<string | undefined> {
    if (judged.tool.kind !== 'act') return undefined;
    return this.#outside(judged) ?? (await this.#refusedByCaller(progress, judged));
  }

  #outside({ call: { input }, shown }: JudgedCall): string | undefined {
    const rules = this.#browser.getDomainPolicy();
    const address = addressIn(input, shown);
    if (!rules || address === undefined || !new DomainPolicy(rules).refusesPage(address)) return undefined;
    const { allowedDomains } = rules;
    const allowed = allowedDomains ? ` Allowed domains: ${allowedDomains.join(', ') || 'none'}.` : '';
    return `The domain policy does not allow ${address}.${allowed} Continue without it, or call done and report it.`;
  }

  async #refusedByCaller(progress: Progress, judged: JudgedCall): Promise<string | undefined> {
    if (!this.#onBeforeAction) return undefined;
    const { page, step } = judged;
    const { tool, input } = judged.call;
    const named = isRecord(input) && typeof input['ref'] === 'string' ? judged.element(input['ref']) : undefined;
    const element = named && judged.mask(phrase(named));
    const planned = { tool, input, url: judged.mask(page.url()), step, ...(element && { element }) };
    try {
      const verdict = await progress.race(Promise.resolve(this.#onBeforeAction(planned)));
      if (verdict === false) return `The user refused ${tool}. Continue without it.`;
      return typeof verdict === 'string' ? `${tool} was refused: ${verdict}` : undefined;
    } catch (error) {
      progress.throwIfEnded();
      return `${tool} was not run because onBeforeAction failed: ${reasonOf(error)}`;
    }
  }
}

/**
 * Returns the URL that a call would open: its `url`, or that of the link with its `ref`. `#3` means URL 3 of the
 * snapshot.
 */
function addressIn(input: unknown, shown: Snapshot | undefined): string | undefined {
  if (!isRecord(input)) return undefined;
  const { url, ref } = input;
  if (typeof url === 'string') {
    const number = /^#(\d+)$/.exec(url)?.[1];
    return number === undefined ? url : shown?.urls[Number(number)];
  }
  const number = typeof ref === 'string' && shown ? elementInText(shown.text, ref)?.url : undefined;
  return number === undefined ? undefined : shown?.urls[number];
}

function phrase({ role, name }: NamedElement): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}
