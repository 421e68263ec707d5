import { ReadingStatus } from "@telltale/contract/domains/channels";
import { evaluate, type Rule } from "../../alarms/evaluate.ts";
import { isOfReadings } from "../../alarms/index.ts";
import { alarmsAt } from "../devices/alarm-settings.ts";
import type { AlarmSettings, ChannelState, KnownChannel, KnownDevice } from "../devices/known-device.ts";
import { scaleAt } from "../scaling.ts";
import type { Submission } from "./submission.ts";

/** An alert that a batch raises, and clears again if the batch holds its end too. */
export interface RaisedByReading {
  rule: Rule;
  channel: KnownChannel;
  /** The settings that the reading was judged by. */
  evaluatedBy: AlarmSettings;
  value: number;
  ts: number;
  clearedTs: number | null;
}

/** Everything a batch writes, in columns. */
export interface EvaluatedBatch {
  channelIds: number[];
  times: number[];
  values: number[];
  statuses: number[];
  /** Channels whose newest reading changes; their `draft` holds it. */
  newest: KnownChannel[];
  raised: RaisedByReading[];
  /** Alerts of earlier batches that end. */
  cleared: { key: string; ts: number; channel: KnownChannel }[];
  /** Devices heard that were not online. */
  cameOnline: Set<KnownDevice>;
  /** Devices whose new limits have judged what was there. */
  evaluatedAnew: KnownDevice[];
}

const isServed = (device: KnownDevice, now: number): boolean => device.serviceEnd === null || device.serviceEnd > now;

const apply = (
  batch: EvaluatedBatch,
  { channel, evaluatedBy }: Pick<RaisedByReading, "channel" | "evaluatedBy">,
  rule: Rule,
  isOpen: boolean,
  { ts, value }: { ts: number; value: number },
): void => {
  if (isOpen) {
    batch.raised.push({ rule, channel, evaluatedBy, value, ts, clearedTs: null });
    return;
  }
  const own = batch.raised.findLast((alert) => alert.rule.key === rule.key && alert.clearedTs === null);
  if (own) own.clearedTs = ts;
  else batch.cleared.push({ key: rule.key, ts, channel });
};

/** Open alerts whose rule is gone: those that it raised in the very moment it was taken away. */
const withoutRule = ({ rules }: AlarmSettings, { openRules }: ChannelState): string[] =>
  openRules.size === 0
    ? []
    : [...openRules].filter((key) => isOfReadings(key) && !rules.some((rule) => rule.key === key));

const evaluateRules = (
  batch: EvaluatedBatch,
  channel: KnownChannel,
  before: ChannelState,
  reading: { ts: number; value: number; status: number },
  evaluatedBy: AlarmSettings = channel,
): ReadonlySet<string> => {
  let open: Set<string> | undefined;
  for (const key of withoutRule(evaluatedBy, before)) {
    open ??= new Set(before.openRules);
    open.delete(key);
    batch.cleared.push({ key, ts: reading.ts, channel });
  }
  for (const rule of evaluatedBy.rules) {
    const { transition } = evaluate(rule, { isOpen: before.openRules.has(rule.key), ts: before.ts }, reading);
    if (!transition) continue;
    open ??= new Set(before.openRules);
    if (transition === "raise") open.add(rule.key);
    else open.delete(rule.key);
    apply(batch, { channel, evaluatedBy }, rule, transition === "raise", reading);
  }
  return open ?? before.openRules;
};

/** A reading that is ahead of the server by more than this, milliseconds, was taken by a clock that goes wrong. */
export const wronglyAhead = 60_000;

/**
 * The state to judge by. One of a time to come says nothing once the clock that it came from is right again, or all would be late
 * until then. A clock that is put right goes back by more than what late readings are late by when a link is cut.
 */
const stateBefore = ({ draft, state }: KnownChannel, ts: number, now: number): ChannelState => {
  const before = draft ?? state;
  const isCorrected = before.ts > now + wronglyAhead && ts <= now + wronglyAhead && before.ts - ts > wronglyAhead;
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
    // What earlier settings have scaled, those in force can't judge.
    const isComparable = isInForce || evaluatedBy !== channel;
    const openRules =
      evaluation.isServed && isComparable
        ? evaluateRules(batch, channel, before, { ts, ...scaled }, evaluatedBy)
        : before.openRules;
    if (status === ReadingStatus.good && openRules.size > 0) status = ReadingStatus.alarm;
    if (!channel.draft) batch.newest.push(channel);
    // What earlier settings made of it says nothing under these: as the newest it shows no data.
    channel.draft = { ts, value: scaled.value, status: isInForce ? status : ReadingStatus.noData, openRules };
  }
  batch.channelIds.push(channel.channelId);
  batch.times.push(ts);
  batch.values.push(scaled.value);
  batch.statuses.push(status);
};

/** Judges the newest reading of a channel whose limits were changed, as of `now`. One that this batch holds is judged by them anyway. */
const evaluateStanding = (batch: EvaluatedBatch, channel: KnownChannel, now: number): void => {
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
  channel.draft = { ...state, status, openRules };
};

/** A channel with a newest reading that means what its settings say, of a device that is heard. */
const canBeJudged = ({ hasNewLimits, state, scaledFrom }: KnownChannel): boolean =>
  hasNewLimits && Number.isFinite(state.ts) && state.ts >= scaledFrom;

const evaluateChanged = (batch: EvaluatedBatch, devices: readonly KnownDevice[], now: number): void => {
  for (const device of devices) {
    if (!device.hasNewLimits || !isServed(device, now)) continue;
    batch.evaluatedAnew.push(device);
    for (const channel of device.channels.values()) if (canBeJudged(channel)) evaluateStanding(batch, channel, now);
  }
};

/**
 * Scales and judges the readings of a batch in their order, against the channels' states and this batch's own drafts.
 * Pure but for `draft` on the channels, which the writer adopts after the commit or drops.
 * A late reading is stored and judges nothing; a device whose service has ended raises no alerts.
 */
export const evaluateBatch = (submissions: readonly Submission[], now: number): EvaluatedBatch => {
  const batch: EvaluatedBatch = {
    channelIds: [],
    times: [],
    values: [],
    statuses: [],
    newest: [],
    raised: [],
    cleared: [],
    cameOnline: new Set(),
    evaluatedAnew: [],
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
    evaluateChanged(batch, devices, now);
  }
  return batch;
};

/** Makes the drafts the states and the devices online: the batch is committed. */
export const adoptDrafts = (batch: EvaluatedBatch): void => {
  for (const channel of batch.newest) {
    if (channel.draft) channel.state = channel.draft;
    channel.draft = undefined;
  }
  for (const device of batch.cameOnline) device.isOnline = true;
  for (const device of batch.evaluatedAnew) {
    device.hasNewLimits = false;
    for (const channel of device.channels.values()) channel.hasNewLimits = false;
  }
};

/** Forgets the drafts: the batch was not committed. */
export const dropDrafts = (batch: EvaluatedBatch): void => {
  for (const channel of batch.newest) channel.draft = undefined;
};

/** The hours (since the epoch) that a batch's readings lie in. */
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
