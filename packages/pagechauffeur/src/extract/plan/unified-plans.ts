import { mapValues } from '../../model/json-schema.ts';
import type { ExtractionPlan, ListPlan, ValuePlan } from './extraction-plan.ts';
import { commonReading } from './readings.ts';

/**
 * A plan for one entry, which may lack values that other entries have. {@link unified} combines the plans for all
 * entries.
 */
export type AnyPlan =
  | { readonly kind: 'absent'; readonly as: 'null' | 'missing' }
  | { readonly kind: 'unknown'; readonly isEmpty: boolean }
  | ValuePlan
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, AnyPlan>> }
  | (Omit<ListPlan, 'entry'> & { readonly entry: AnyPlan });

export const ABSENT = {
  null: { kind: 'absent', as: 'null' },
  missing: { kind: 'absent', as: 'missing' },
} as const;
/** Plans for lists that are too short to show the structure of their entries. */
export const SHORT = {
  empty: { kind: 'unknown', isEmpty: true },
  single: { kind: 'unknown', isEmpty: false },
} as const;

/** Combines the plans for two entries. Returns `undefined` if the plans cannot be combined. */
export function unified(one: AnyPlan, other: AnyPlan): AnyPlan | undefined {
  if (one.kind === 'unknown') return withShort(other, one.isEmpty);
  if (other.kind === 'unknown') return withShort(one, other.isEmpty);
  if (one.kind === 'absent') return other.kind === 'absent' ? one : optional(other, one.as);
  if (other.kind === 'absent') return optional(one, other.as);
  if (one.kind === 'value' && other.kind === 'value') return unifiedValues(one, other);
  if (one.kind === 'fields' && other.kind === 'fields') return unifiedFields(one.fields, other.fields);
  if (one.kind !== 'list' || other.kind !== 'list') return undefined;
  const entry = unified(one.entry, other.entry);
  const skipped = [...new Set([...one.skipped, ...other.skipped])];
  const mayBeEmpty = one.mayBeEmpty || other.mayBeEmpty;
  return entry && one.holder === other.holder && one.step === other.step
    ? { ...one, skipped, mayBeEmpty, entry }
    : undefined;
}

/** Returns the finished plan, or `undefined` if a part was absent or unknown in every entry. */
export function asPlan(plan: AnyPlan | undefined): ExtractionPlan | undefined {
  if (!plan || plan.kind === 'absent' || plan.kind === 'unknown') return undefined;
  if (plan.kind === 'value') return plan;
  if (plan.kind === 'list') {
    const entry = asPlan(plan.entry);
    return entry && { ...plan, entry };
  }
  const fields = mapValues(plan.fields, asPlan);
  return isWhole(fields) ? { kind: 'fields', fields } : undefined;
}

function isWhole(
  fields: Readonly<Record<string, ExtractionPlan | undefined>>,
): fields is Readonly<Record<string, ExtractionPlan>> {
  return Object.values(fields).every((field) => field !== undefined);
}

function withShort(plan: AnyPlan, isEmpty: boolean): AnyPlan {
  if (plan.kind === 'list') return { ...plan, mayBeEmpty: plan.mayBeEmpty || isEmpty };
  return plan.kind === 'unknown' ? { ...plan, isEmpty: plan.isEmpty || isEmpty } : plan;
}

function optional(plan: AnyPlan, absent: 'null' | 'missing'): AnyPlan | undefined {
  return plan.kind === 'value' ? { ...plan, absent } : undefined;
}

function unifiedValues(one: ValuePlan, other: ValuePlan): ValuePlan | undefined {
  const reading = commonReading(one.reading, other.reading);
  const isSamePlace =
    one.at === other.at && one.nth === other.nth && one.role === other.role && one.part === other.part;
  if (!reading || !isSamePlace) return undefined;
  const { label, ...plan } = { ...one, reading };
  const absent = one.absent ?? other.absent;
  return {
    ...plan,
    ...(label !== undefined && label === other.label ? { label } : {}),
    ...(absent === undefined ? {} : { absent }),
  };
}

function unifiedFields(
  one: Readonly<Record<string, AnyPlan>>,
  other: Readonly<Record<string, AnyPlan>>,
): AnyPlan | undefined {
  const fields: Record<string, AnyPlan> = {};
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const plan = unified(one[name] ?? ABSENT.missing, other[name] ?? ABSENT.missing);
    if (!plan) return undefined;
    fields[name] = plan;
  }
  return { kind: 'fields', fields };
}
