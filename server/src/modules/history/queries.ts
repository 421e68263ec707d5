import type { Page } from "@telltale/contract/call/paging";
import type { ChannelSettings, ChannelType, LogGroup } from "@telltale/contract/domains/channels";
import { sql } from "kysely";
import type { Pool } from "pg";
import { devicesInScope, type Scope } from "../../access/index.ts";
import { offsetOf, type PageRequest, pageOf, when } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { type ChannelSource, channelOfPeriod, theChannels } from "../../readings/index.ts";
import { beginningBeforeSettings, lastReadingOf } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { sourceName } from "../channels/index.ts";
import { shownSettings } from "../channels/settings/shown-settings.rules.ts";
import { inOneUnit, type Period, type Stretch } from "./rules.ts";

/** SQL: whether a period is its channel's first. */
const isFirst = sql<boolean>`(period.start_time = (select min(start_time) from settings_periods as first where first.channel_id = period.channel_id))`;

/**
 * SQL: start of a period. Readings older than a channel's first settings (a device's buffer, an imported recording) were scaled by these, so the
 * first period reaches back to the first reading.
 */
const beginning = (firstReading: Date | null) => sql<Date>`case when ${isFirst}
  then least(period.start_time, ${firstReading}::timestamptz) else period.start_time end`;

/** Settings periods of channels in the account's scope. */
const periodsInScope = (db: Database, scope: Scope, firstReading: Date | null) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", "period.channel_id", "channels.channel_id")
    .select(["channels.channel_id", "channels.channel_type"])
    .select(["period.period_id", "period.end_time"])
    .select(beginning(firstReading).as("start_time"))
    .select(sourceName.as("source_name"))
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"));

type PeriodRow = Awaited<ReturnType<ReturnType<typeof periodsInScope>["executeTakeFirstOrThrow"]>>;

const logGroup = (row: PeriodRow): LogGroup => ({
  logGroupId: row.period_id,
  startTime: row.start_time,
  endTime: row.end_time,
  inputMode: row.settings.inputMode ?? null,
  channelSettingChangeDto: shownSettings(row.channel_type, row.settings, row.source_name),
});

interface PeriodsRequest extends PageRequest {
  channelId: number;
  startTime?: Date | undefined;
  endTime?: Date | undefined;
}

const firstReadingTime = async (pool: Pool, channels: ChannelSource): Promise<Date | null> => {
  const ts = await beginningBeforeSettings(pool, channels);
  return ts === null ? null : new Date(ts);
};

/** Settings periods of a channel that overlap the range, newest first. */
export const settingsPeriods = async (
  { db, pool }: Pick<World, "db" | "pool">,
  scope: Scope,
  request: PeriodsRequest,
): Promise<Page<LogGroup>> => {
  const { channelId, startTime, endTime } = request;
  const firstReading = await firstReadingTime(pool, theChannels([channelId]));
  const touching = periodsInScope(db, scope, firstReading)
    .where("channels.channel_id", "=", channelId)
    .$call(when(endTime, (query, endTime) => query.where(beginning(firstReading), "<=", endTime)))
    .$call(
      when(startTime, (query, from) =>
        query.where(({ eb, or }) => or([eb("period.end_time", "is", null), eb("period.end_time", ">", from)])),
      ),
    );
  const [rows, { total }] = await Promise.all([
    touching
      .orderBy("period.start_time", "desc")
      .orderBy("period.period_id", "desc")
      .limit(request.size)
      .offset(offsetOf(request))
      .execute(),
    touching
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows.map(logGroup), total, request);
};

/** A settings period with what is needed to show its readings. */
export interface ReadPeriod extends Period {
  channelId: number;
  unit: string;
}

/** One settings period; undefined when it is not in the account's scope. */
export const periodById = async (
  { db, pool }: Pick<World, "db" | "pool">,
  scope: Scope,
  periodId: number,
): Promise<ReadPeriod | undefined> => {
  const channel = channelOfPeriod(periodId);
  const [row, first, last] = await Promise.all([
    periodsInScope(db, scope, null)
      .where("period.period_id", "=", periodId)
      .select(isFirst.as("is_first"))
      .executeTakeFirst(),
    firstReadingTime(pool, channel),
    lastReadingOf(pool, channel),
  ]);
  if (!row) return undefined;
  return {
    channelId: row.channel_id,
    unit: row.settings.unit,
    startTime: row.is_first && first !== null && first < row.start_time ? first : row.start_time,
    endTime: row.end_time,
    last,
  };
};

/**
 * The settings periods of a channel as one: those around the moment in which its unit was the same, because values in different units have no common
 * axis. Undefined when the channel is not in the account's scope.
 */
export const joinedPeriods = async (
  { db, pool }: Pick<World, "db" | "pool">,
  scope: Scope,
  channelId: number,
  at: Date,
): Promise<ReadPeriod | undefined> => {
  const source = theChannels([channelId]);
  const [rows, firstReading, last] = await Promise.all([
    periodsInScope(db, scope, null)
      .where("channels.channel_id", "=", channelId)
      .orderBy("period.start_time")
      .orderBy("period.period_id")
      .execute(),
    firstReadingTime(pool, source),
    lastReadingOf(pool, source),
  ]);
  const periods = rows.map(({ start_time, end_time, settings }, index) => ({
    startTime: index === 0 && firstReading !== null && firstReading < start_time ? firstReading : start_time,
    endTime: end_time,
    unit: settings.unit,
  }));
  const joined = inOneUnit(periods, at);
  return joined && { ...joined, channelId, last };
};

/** A settings period that touches a range of time. */
export interface TouchingPeriod {
  channelId: number;
  channelType: ChannelType;
  /** Null of a channel's first, which reaches back to its first reading. */
  startTime: Date | null;
  settings: ChannelSettings;
  /** Readings from before then have another unit; null where none has. */
  unitSince: Date | null;
}

/** Periods of channels, oldest first, and whether each touches the range. */
const periodsAround = (db: Database, scope: Scope, channelIds: readonly number[], { from, to }: Stretch) =>
  periodsInScope(db, scope, null)
    .where(({ eb }) => eb("channels.channel_id", "=", eb.fn.any(eb.val([...channelIds]))))
    .select(
      sql<boolean>`(period.start_time <= ${new Date(to)} or ${isFirst}) and (period.end_time is null or period.end_time > ${new Date(from)})`.as(
        "is_touching",
      ),
    )
    .orderBy("channels.channel_id")
    .orderBy("period.start_time")
    .orderBy("period.period_id")
    .execute();

/** The settings periods of these channels that touch a range, as far as the account sees them, oldest first. */
export const periodsTouching = async (
  db: Database,
  scope: Scope,
  channelIds: readonly number[],
  range: Stretch,
): Promise<TouchingPeriod[]> => {
  const byChannel = Map.groupBy(await periodsAround(db, scope, channelIds, range), (row) => row.channel_id);
  return [...byChannel.values()].flatMap((rows) => {
    const periods = rows.map(({ start_time, end_time, settings }) => ({
      startTime: start_time,
      endTime: end_time,
      unit: settings.unit,
    }));
    const first = periods[0]?.startTime;
    return rows.flatMap((row) => {
      if (!row.is_touching) return [];
      const since = inOneUnit(periods, row.start_time)?.startTime;
      return {
        channelId: row.channel_id,
        channelType: row.channel_type,
        startTime: row.start_time === first ? null : row.start_time,
        settings: row.settings,
        unitSince: since === undefined || since === first ? null : since,
      };
    });
  });
};
