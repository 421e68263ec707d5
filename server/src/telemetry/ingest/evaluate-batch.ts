import { ReadingStatus } from "@telltale/contract/domains/channels";
import type { RuleState } from "../../alarms/evaluate.ts";
import { alarmsAt } from "../devices/alarm-settings.ts";
import type { ChannelState, KnownChannel, KnownDevice } from "../devices/known-device.ts";
import { scaleAt } from "../scaling.ts";
import { evaluateDelays } from "./evaluate-delays.ts";
import {
  evaluateArrival,
  evaluateGate,
  evaluateLimits,
  evaluateReturn,
  evaluateRules,
  isAlarming,
  isOfArrivals,
  isQuiet,
} from "./evaluate-rules.ts";
import type { EvaluatedBatch } from "./evaluated-batch.ts";
import { readingsOf, type Submission, type Tick } from "./submission.ts";

const isServed = (device: KnownDevice, now: number): boolean => device.serviceEnd === null || device.serviceEnd > now;

/** A reading that is further ahead of the server than this, milliseconds, comes from a wrong clock. */
const clockLeadLimit = 60_000;

/**
 * The state to evaluate against. A newest reading from the future is ignored once the device's clock is right again, or all readings would count as
 * late until then. A correction is distinguished from late readings by its size: it goes back further than a link failure delays readings.
 */
const stateBefore = ({ draft, state }: KnownChannel, ts: number, now: number): ChannelState => {
  const before = draft ?? state;
  const isCorrected = before.ts > now + clockLeadLimit && ts <= now + clockLeadLimit && before.ts - ts > clockLeadLimit;
  return isCorrected ? { ...before, ts: Number.NEGATIVE_INFINITY } : before;
};

interface Evaluation {
  now: number;
  /** Its service is paid, so that it raises alerts. */
  isServed: boolean;
  /** Finds a device in memory. */
  find: FindDevice;
}

/** A newer reading of a channel that is a gate: the alarms of the family turn with it. */
const turnGates = (
  batch: EvaluatedBatch,
  { gates, channelId }: KnownChannel,
  reading: { ts: number; value: number },
  { now, find }: Evaluation,
): void => {
  for (const deviceId of gates) {
    const device = find(deviceId);
    if (!device || !isServed(device, now)) continue;
    for (const channel of device.channels.values()) {
      if (!channel.rules.some(({ gate }) => gate?.channelId === channelId)) continue;
      const before = channel.draft ?? channel.state;
      const rules = evaluateGate(batch, { channel, before, evaluatedBy: channel, now }, { channelId, ...reading });
      if (rules !== before.rules) batch.ticked.push(device);
      restate(batch, channel, rules);
    }
  }
};

/** A late reading has arrived at a channel with rules about missing data. */
const noteLate = (batch: EvaluatedBatch, channel: KnownChannel, before: ChannelState, evaluation: Evaluation): void => {
  const { now, isServed } = evaluation;
  const noted = { ...before, late: now };
  const rules = isServed ? evaluateArrival(batch, { channel, before: noted, evaluatedBy: channel, now }) : before.rules;
  if (!channel.draft) batch.newest.push(channel);
  channel.draft = noted;
  restate(batch, channel, rules);
};

/**
 * The draft of a channel, to be written into. It is an object that the channel uses no longer: a new one, which lives until the next reading, would cost
 * more to collect than it costs to evaluate a reading.
 */
const draftOf = (channel: KnownChannel): ChannelState => {
  const draft = channel.draft ?? channel.spare ?? { ...channel.state };
  channel.draft = draft;
  channel.spare = undefined;
  return draft;
};

const evaluateReading = (
  batch: EvaluatedBatch,
  at: number,
  channel: KnownChannel,
  ts: number,
  raw: number,
  evaluation: Evaluation,
): void => {
  const { scale, isInForce } = scaleAt(channel, ts);
  const scaled = scale(raw);
  const before = stateBefore(channel, ts, evaluation.now);
  let status = scaled.status;
  if (ts > before.ts) {
    const evaluatedBy = alarmsAt(channel, ts, evaluation.now);
    // A value scaled by earlier settings cannot be evaluated by the current ones.
    const isComparable = isInForce || evaluatedBy !== channel;
    const rules =
      evaluation.isServed && isComparable && !isQuiet(before, evaluatedBy, scaled)
        ? evaluateRules(batch, { channel, before, evaluatedBy, now: evaluation.now }, { ts, ...scaled })
        : before.rules;
    if (status === ReadingStatus.good && isAlarming(rules)) status = ReadingStatus.alarm;
    if (!channel.draft) batch.newest.push(channel);
    if (ts <= (channel.draft ?? channel.state).ts) batch.corrected.add(channel);
    // A value scaled by earlier settings is shown as no data.
    const shown = isInForce ? status : ReadingStatus.noData;
    const draft = draftOf(channel);
    draft.ts = ts;
    draft.value = scaled.value;
    draft.status = shown;
    draft.received = evaluation.now;
    draft.late = 0;
    draft.rules = rules;
    if (channel.gates.length > 0 && shown !== ReadingStatus.noData)
      turnGates(batch, channel, { ts, value: scaled.value }, evaluation);
  } else if (before.rules.size > 0 && channel.rules.some(isOfArrivals)) noteLate(batch, channel, before, evaluation);
  batch.channels[at] = channel;
  batch.times[at] = ts;
  batch.values[at] = scaled.value;
  batch.statuses[at] = status;
};

/** The status of a newest reading by its rules. */
const statusBy = ({ status }: ChannelState, rules: ReadonlyMap<string, RuleState>): number => {
  if (status === ReadingStatus.noData) return status;
  return isAlarming(rules) ? ReadingStatus.alarm : ReadingStatus.good;
};

/** Takes over new states of a channel's rules without a new reading. */
const restate = (batch: EvaluatedBatch, channel: KnownChannel, rules: ReadonlyMap<string, RuleState>): void => {
  const before = channel.draft ?? channel.state;
  if (rules === before.rules) return;
  const status = statusBy(before, rules);
  if (!channel.draft) batch.newest.push(channel);
  if (status !== before.status && Number.isFinite(before.ts)) batch.corrected.add(channel);
  channel.draft = { ...before, status, rules };
};

/**
 * Evaluates the newest reading of a channel whose limits have changed, as of `now`. Skipped when this batch has a newer one, which is evaluated by
 * them anyway.
 */
const evaluateNewest = (batch: EvaluatedBatch, channel: KnownChannel, now: number): void => {
  const newest = channel.draft ?? channel.state;
  // A draft without a newer reading has new states of other rules only.
  if (newest.ts !== channel.state.ts) return;
  const rules = evaluateLimits(batch, { channel, before: newest, evaluatedBy: channel, now });
  if (!channel.draft) batch.newest.push(channel);
  batch.corrected.add(channel);
  channel.draft = { ...newest, status: statusBy(newest, rules), rules };
};

/** Lets time pass for the rules of a device that wait for it: no reading has come. */
const evaluateTime = (batch: EvaluatedBatch, device: KnownDevice, tick: Tick): void => {
  const { now } = tick;
  if (!isServed(device, now)) return;
  batch.ticked.push(device);
  for (const channel of device.channels.values()) {
    const before = channel.draft ?? channel.state;
    if (before.rules.size > 0)
      restate(batch, channel, evaluateDelays(batch, { channel, before, evaluatedBy: channel, now }, tick));
  }
};

/** A device is heard that was offline: its channels get their time to send. */
const comeOnline = (batch: EvaluatedBatch, device: KnownDevice, now: number): void => {
  if (batch.cameOnline.has(device)) return;
  batch.cameOnline.add(device);
  for (const channel of device.channels.values()) {
    const before = channel.draft ?? channel.state;
    if (before.rules.size > 0)
      restate(batch, channel, evaluateReturn(batch, { channel, before, evaluatedBy: channel, now }));
  }
};

/** Whether the channel has new limits and a newest reading in the current scale. */
const canBeEvaluated = ({ hasNewLimits, state, scaledFrom }: KnownChannel): boolean =>
  hasNewLimits && Number.isFinite(state.ts) && state.ts >= scaledFrom;

const evaluateChangedLimits = (batch: EvaluatedBatch, devices: readonly KnownDevice[], now: number): void => {
  for (const device of devices) {
    if (!device.hasNewLimits || !isServed(device, now)) continue;
    batch.reevaluated.push(device);
    for (const channel of device.channels.values()) if (canBeEvaluated(channel)) evaluateNewest(batch, channel, now);
  }
};

/** Finds a device in memory. */
export type FindDevice = (deviceId: number) => KnownDevice | undefined;

/** The order in which a message's readings are evaluated: as sent, but of those of one time the ones that are gates first, which hold at that time already. */
const orderOf = ({ devices, channels, times }: Submission): readonly number[] | undefined => {
  if (!devices.some(({ gated }) => gated.length > 0)) return undefined;
  const isGate = (index: number) => Number((channels[index]?.gates.length ?? 0) > 0);
  const runs: number[][] = [];
  times.forEach((ts, index) => {
    const run = runs.at(-1);
    if (run && times[run[0] ?? 0] === ts) run.push(index);
    else runs.push([index]);
  });
  return runs.flatMap((run) => run.toSorted((a, b) => isGate(b) - isGate(a)));
};

/**
 * Scales and evaluates the readings of a batch in order, against the channels' states and this batch's own drafts. Pure except for the channels'
 * `draft`, which the writer adopts after the commit or drops. A late reading is stored but not evaluated; a device whose service has ended raises no
 * alerts.
 */
export const evaluateBatch = (
  submissions: readonly Submission[],
  now: number,
  find: FindDevice = () => undefined,
): EvaluatedBatch => {
  const readings = readingsOf(submissions);
  const batch: EvaluatedBatch = {
    channels: new Array(readings),
    times: new Float64Array(readings),
    values: new Float64Array(readings),
    statuses: new Uint8Array(readings),
    newest: [],
    corrected: new Set(),
    raised: [],
    peaks: new Map(),
    phases: new Map(),
    cleared: [],
    cameOnline: new Set(),
    reevaluated: [],
    ticked: [],
  };
  let next = 0;
  for (const submission of submissions) {
    const { channels, times, values, devices, tick, isHeard = true } = submission;
    if (tick) {
      for (const device of devices) evaluateTime(batch, device, tick);
      continue;
    }
    for (const device of devices) if (isHeard && !device.isOnline) comeOnline(batch, device, now);
    const order = orderOf(submission);
    let evaluation: (Evaluation & { of: KnownDevice }) | undefined;
    for (let i = 0; i < channels.length; i++) {
      const at = order?.[i] ?? i;
      const channel = channels[at];
      const ts = times[at];
      const value = values[at];
      if (!channel || ts === undefined || value === undefined)
        throw new Error("A submission's columns differ in length");
      const of = channel.device;
      if (evaluation?.of !== of) evaluation = { of, now, isServed: isServed(of, now), find };
      evaluateReading(batch, next++, channel, ts, value, evaluation);
    }
    evaluateChangedLimits(batch, devices, now);
  }
  return batch;
};

/** Call after the commit: turns drafts into states and marks devices online. */
export const adoptDrafts = (batch: EvaluatedBatch): void => {
  for (const channel of batch.newest) {
    if (!channel.draft) continue;
    [channel.spare, channel.state] = [channel.state, channel.draft];
    channel.draft = undefined;
  }
  for (const device of batch.cameOnline) device.isOnline = true;
  for (const device of batch.reevaluated) {
    device.hasNewLimits = false;
    for (const channel of device.channels.values()) channel.hasNewLimits = false;
  }
};

/** Call when the batch was not committed: discards the drafts. */
export const dropDrafts = (batch: EvaluatedBatch): void => {
  for (const channel of batch.newest) channel.draft = undefined;
};

/** The hours (since the epoch) of a batch's readings. */
export const touchedHours = (batch: EvaluatedBatch): Set<number> => {
  const hours = new Set<number>();
  let last = Number.NaN;
  for (const ts of batch.times) {
    const hour = Math.floor(ts / 3_600_000);
    if (hour !== last) hours.add(hour);
    last = hour;
  }
  return hours;
};
