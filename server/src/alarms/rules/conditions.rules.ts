import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { holdsAfter, type Reading, type Rule } from "./limit.rules.ts";

interface Sample {
  ts: number;
  value: number;
}

/** What a condition remembers of earlier readings; kept with the rule's state. Device times in epoch milliseconds. */
export interface Memory {
  /** Of a rate: the first reading of each tenth of the window, oldest first, back to one that is a window old. */
  samples?: readonly Sample[];
  /** Of a rate: what it was when the condition began. */
  began?: number;
  /** Of no change: the reading since which no other has differed by more than the hysteresis; absent while that is the newest one. */
  anchor?: Sample;
}

/** What is known before a reading. */
interface Before {
  holds: boolean;
  memory: Memory | null;
}

interface Observed {
  holds: boolean;
  /** What the alert records: the reading's value, or the rate. */
  value: number;
  memory: Memory | null;
}

const minute = 60_000;
/** Parts of a window of which a sample each is remembered. */
const parts = 10;

/** The samples after a reading, and the one that it is compared with: the newest that is at least a window old. */
const sampled = (
  { window }: Rule,
  samples: readonly Sample[],
  { ts, value }: Reading,
): { samples: readonly Sample[]; reference: Sample | undefined } => {
  // A clock that was set back: what was measured after this time is not before it.
  const earlier = samples.every((sample) => sample.ts < ts) ? samples : [];
  const at = earlier.findLastIndex((sample) => sample.ts <= ts - window);
  const part = (time: number) => Math.floor((time * parts) / window);
  const last = earlier.at(-1);
  const isNew = last === undefined || part(ts) > part(last.ts);
  const kept = at > 0 ? earlier.slice(at) : earlier;
  return { samples: isNew ? [...kept, { ts, value }] : kept, reference: earlier[at] };
};

/** How much the value changes in a minute, over the window or the longer time since the reading before. */
const rateOf = (rule: Rule, state: Before, reading: Reading): Observed => {
  const { memory, holds } = state;
  if (reading.status === ReadingStatus.noData) return { holds, value: memory?.began ?? 0, memory };
  const { samples, reference } = sampled(rule, memory?.samples ?? [], reading);
  const isSame = samples === memory?.samples;
  if (!reference) return { holds, value: memory?.began ?? 0, memory: isSame ? memory : { ...memory, samples } };
  const rate = ((reading.value - reference.value) * minute) / (reading.ts - reference.ts);
  const value = Number(rate.toPrecision(10));
  const after = holdsAfter(rule, holds, { value, status: ReadingStatus.good });
  if (isSame && after === holds) return { holds, value, memory };
  const { began } = memory ?? {};
  const first = after && !holds ? value : began;
  return { holds: after, value, memory: { samples, ...(after && first !== undefined && { began: first }) } };
};

/** Whether the value has stayed within the hysteresis for the window, judged by readings: one that did not come has not been seen to stay. */
const sameness = (rule: Rule, state: Before, newest: Reading, reading: Reading): Observed => {
  const { holds, memory } = state;
  const { ts, value, status } = reading;
  const isNewestUsable = Number.isFinite(newest.ts) && newest.status !== ReadingStatus.noData;
  const before = memory?.anchor ?? (isNewestUsable ? { ts: newest.ts, value: newest.value } : undefined);
  const anchor = before && before.ts < ts ? before : undefined;
  if (status === ReadingStatus.noData) return { holds, value, memory: memory?.anchor || !anchor ? memory : { anchor } };
  if (!anchor || Math.abs(value - anchor.value) > rule.hysteresis) return { holds: false, value, memory: null };
  return { holds: ts - anchor.ts >= rule.window, value, memory: memory?.anchor ? memory : { anchor } };
};

/**
 * What a rule makes of a reading that is newer than the newest: whether its condition holds from then on, and what it remembers. The same object is
 * returned as memory where nothing has to be kept anew.
 */
export const observe = (rule: Rule, state: Before, newest: Reading, reading: Reading): Observed => {
  const { memory, holds } = state;
  switch (rule.condition) {
    case AlarmCondition.rate:
      return rateOf(rule, state, reading);
    case AlarmCondition.noChange:
      return sameness(rule, state, newest, reading);
    case AlarmCondition.fault:
      return { holds: reading.status === ReadingStatus.noData, value: reading.value, memory };
    default:
      return { holds: holdsAfter(rule, holds, reading), value: reading.value, memory };
  }
};
