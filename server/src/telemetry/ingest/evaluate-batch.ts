import { ReadingStatus } from "@telltale/contract/domains/channels";
import { evaluate, moreExtreme, type Rule } from "../../alarms/evaluate.ts";
import { isOfReadings } from "../../alarms/index.ts";
import { alarmsAt } from "../devices/alarm-settings.ts";
import type { AlarmSettings, ChannelState, KnownChannel, KnownDevice } from "../devices/known-device.ts";
import { scaleAt } from "../scaling.ts";
import type { Submission } from "./submission.ts";

/** An alert raised by a batch, and cleared again if the batch also contains its end. */
export interface RaisedByReading {
  rule: Rule;
  channel: KnownChannel;
  /** The settings that the reading was evaluated by. */
  evaluatedBy: AlarmSettings;
  value: number;
  /** The most extreme value so far. */
  peak: number;
  ts: number;
  clearedTs: number | null;
}

/** Everything a batch writes, in columns. */
export interface EvaluatedBatch {
  /** The channel of each reading. */
  channels: KnownChannel[];
  times: number[];
  values: number[];
  statuses: number[];
  /** Channels with a new newest reading, which is in their `draft`. */
  newest: KnownChannel[];
  /** Those of them whose newest reading does not follow from the readings: evaluated again, or set back from a wrong clock's time. */
  corrected: Set<KnownChannel>;
  raised: RaisedByReading[];
  /** New most extreme values of alerts of earlier batches, by the rule's key. */
  peaks: Map<string, number>;
  /** Alerts of earlier batches that are cleared. */
  cleared: { key: string; ts: number; channel: KnownChannel }[];
  /** Devices that were offline before. */
  cameOnline: Set<KnownDevice>;
  /** Devices whose newest readings were evaluated by changed limits. */
  reevaluated: KnownDevice[];
}

const isServed = (device: KnownDevice, now: number): boolean => device.serviceEnd === null || device.serviceEnd > now;

/** The alert of this rule that this batch has raised and not cleared. */
const ownOf = (batch: EvaluatedBatch, key: string): RaisedByReading | undefined =>
  batch.raised.findLast((alert) => alert.rule.key === key && alert.clearedTs === null);

const apply = (
  batch: EvaluatedBatch,
  { channel, evaluatedBy }: Pick<RaisedByReading, "channel" | "evaluatedBy">,
  rule: Rule,
  isOpen: boolean,
  { ts, value }: { ts: number; value: number },
): void => {
  if (isOpen) {
    batch.raised.push({ rule, channel, evaluatedBy, value, peak: value, ts, clearedTs: null });
    return;
  }
  const own = ownOf(batch, rule.key);
  if (own) own.clearedTs = ts;
  else batch.cleared.push({ key: rule.key, ts, channel });
};

/** Open alerts whose rule no longer exists: raised at the moment the rule was removed. */
const orphanedRules = ({ rules }: AlarmSettings, { openRules }: ChannelState): string[] =>
  openRules.size === 0
    ? []
    : [...openRules.keys()].filter((key) => isOfReadings(key) && !rules.some((rule) => rule.key === key));

/** The most extreme value of an open alert after a reading. A value outside the sensor's range is none. */
const nextPeak = (
  rule: Rule,
  peak: number | undefined,
  { value, status }: { value: number; status: number },
): number | undefined => {
  if (peak === undefined || status === ReadingStatus.noData) return peak;
  return Number.isNaN(peak) ? value : moreExtreme(rule, peak, value);
};

const keepPeak = (batch: EvaluatedBatch, key: string, peak: number): void => {
  const own = ownOf(batch, key);
  if (own) own.peak = peak;
  else batch.peaks.set(key, peak);
};

const evaluateRules = (
  batch: EvaluatedBatch,
  channel: KnownChannel,
  before: ChannelState,
  reading: { ts: number; value: number; status: number },
  evaluatedBy: AlarmSettings = channel,
): ReadonlyMap<string, number> => {
  let open: Map<string, number> | undefined;
  for (const key of orphanedRules(evaluatedBy, before)) {
    open ??= new Map(before.openRules);
    open.delete(key);
    batch.cleared.push({ key, ts: reading.ts, channel });
  }
  for (const rule of evaluatedBy.rules) {
    const peak = before.openRules.get(rule.key);
    const { transition } = evaluate(rule, { isOpen: peak !== undefined, ts: before.ts }, reading);
    const next = transition === "raise" ? reading.value : nextPeak(rule, peak, reading);
    if (!transition && next === peak) continue;
    open ??= new Map(before.openRules);
    if (transition === "clear") open.delete(rule.key);
    else if (next !== undefined) open.set(rule.key, next);
    if (transition) apply(batch, { channel, evaluatedBy }, rule, transition === "raise", reading);
    else if (next !== undefined) keepPeak(batch, rule.key, next);
  }
  return open ?? before.openRules;
};

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
}

const evaluateReading = (
  batch: EvaluatedBatch,
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
    const openRules =
      evaluation.isServed && isComparable
        ? evaluateRules(batch, channel, before, { ts, ...scaled }, evaluatedBy)
        : before.openRules;
    if (status === ReadingStatus.good && openRules.size > 0) status = ReadingStatus.alarm;
    if (!channel.draft) batch.newest.push(channel);
    if (ts <= (channel.draft ?? channel.state).ts) batch.corrected.add(channel);
    // A value scaled by earlier settings is shown as no data.
    channel.draft = { ts, value: scaled.value, status: isInForce ? status : ReadingStatus.noData, openRules };
  }
  batch.channels.push(channel);
  batch.times.push(ts);
  batch.values.push(scaled.value);
  batch.statuses.push(status);
};

/**
 * Evaluates the newest reading of a channel whose limits have changed, as of `now`. Skipped when this batch has a newer one, which is evaluated by
 * them anyway.
 */
const evaluateNewest = (batch: EvaluatedBatch, channel: KnownChannel, now: number): void => {
  const { state } = channel;
  if (channel.draft) return;
  const { value } = state;
  const openRules = evaluateRules(
    batch,
    channel,
    { ...state, ts: Number.NEGATIVE_INFINITY },
    { ...state, ts: now, value },
  );
  const isGood = state.status !== ReadingStatus.noData;
  const status = isGood ? (openRules.size > 0 ? ReadingStatus.alarm : ReadingStatus.good) : state.status;
  batch.newest.push(channel);
  batch.corrected.add(channel);
  channel.draft = { ...state, status, openRules };
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

/**
 * Scales and evaluates the readings of a batch in order, against the channels' states and this batch's own drafts. Pure except for the channels'
 * `draft`, which the writer adopts after the commit or drops. A late reading is stored but not evaluated; a device whose service has ended raises no
 * alerts.
 */
export const evaluateBatch = (submissions: readonly Submission[], now: number): EvaluatedBatch => {
  const batch: EvaluatedBatch = {
    channels: [],
    times: [],
    values: [],
    statuses: [],
    newest: [],
    corrected: new Set(),
    raised: [],
    peaks: new Map(),
    cleared: [],
    cameOnline: new Set(),
    reevaluated: [],
  };
  for (const { channels, times, values, devices } of submissions) {
    for (const device of devices) if (!device.isOnline) batch.cameOnline.add(device);
    for (let i = 0; i < channels.length; i++) {
      const channel = channels[i];
      const ts = times[i];
      const value = values[i];
      if (!channel || ts === undefined || value === undefined)
        throw new Error("A submission's columns differ in length");
      evaluateReading(batch, channel, ts, value, { now, isServed: isServed(channel.device, now) });
    }
    evaluateChangedLimits(batch, devices, now);
  }
  return batch;
};

/** Call after the commit: turns drafts into states and marks devices online. */
export const adoptDrafts = (batch: EvaluatedBatch): void => {
  for (const channel of batch.newest) {
    if (channel.draft) channel.state = channel.draft;
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
