import type { ChannelSettings, LogGroup } from "@telltale/contract/channels";
import type { Page } from "@telltale/contract/paging";
import { offsetOf, type PageAsked, pageOf } from "../database/paging.ts";
import { devicesInScope, type Scope } from "../devices/scope-queries.ts";
import type { Database } from "../world.ts";
import type { Period } from "./rules.ts";
import { shownSettings } from "./settings.rules.ts";

/** Settings periods of the channels that the account may see. */
const periodsInScope = (db: Database, scope: Scope) =>
  devicesInScope(db, scope)
    .innerJoin("channels", "channels.device_id", "devices.device_id")
    .innerJoin("settings_periods as period", "period.channel_id", "channels.channel_id")
    .select(["channels.channel_id", "channels.channel_type"])
    .select(["period.period_id", "period.start_time", "period.end_time"])
    .select((eb) => eb.ref("period.settings").$castTo<ChannelSettings>().as("settings"));

type PeriodRow = Awaited<ReturnType<ReturnType<typeof periodsInScope>["executeTakeFirstOrThrow"]>>;

const logGroup = (row: PeriodRow): LogGroup => ({
  logGroupId: row.period_id,
  startTime: row.start_time,
  endTime: row.end_time,
  inputMode: row.settings.inputMode ?? null,
  channelSettingChangeDto: shownSettings(row.channel_type, row.settings),
});

interface PeriodsAsked extends PageAsked {
  channelId: number;
  startTime?: Date | undefined;
  endTime?: Date | undefined;
}

/** Settings periods of a channel that touch the range, newest first. */
export const settingsPeriods = async (db: Database, scope: Scope, asked: PeriodsAsked): Promise<Page<LogGroup>> => {
  const { channelId, startTime, endTime } = asked;
  const touching = periodsInScope(db, scope)
    .where("channels.channel_id", "=", channelId)
    .$if(endTime !== undefined, (query) => query.where("period.start_time", "<=", endTime as Date))
    .$if(startTime !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([eb("period.end_time", "is", null), eb("period.end_time", ">", startTime as Date)]),
      ),
    );
  const [rows, { total }] = await Promise.all([
    touching
      .orderBy("period.start_time", "desc")
      .orderBy("period.period_id", "desc")
      .limit(asked.size)
      .offset(offsetOf(asked))
      .execute(),
    touching
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows.map(logGroup), total, asked);
};

/** A settings period with what its readings are shown with. */
export interface ReadPeriod extends Period {
  channelId: number;
  unit: string;
}

/** One settings period; undefined when it is not the account's to see. */
export const periodById = async (db: Database, scope: Scope, periodId: number): Promise<ReadPeriod | undefined> => {
  const row = await periodsInScope(db, scope)
    .leftJoin("latest", "latest.channel_id", "channels.channel_id")
    .where("period.period_id", "=", periodId)
    .select("latest.ts")
    .executeTakeFirst();
  return (
    row && {
      channelId: row.channel_id,
      unit: row.settings.unit,
      startTime: row.start_time,
      endTime: row.end_time,
      newest: row.ts,
    }
  );
};
