import type { ChannelSettings, ChannelType } from "@telltale/contract/domains/channels";
import { Role } from "@telltale/contract/permissions";
import { recordedChange } from "../../modules/channels/settings/save.rules.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { after, type Moments } from "../plants/moments.ts";
import { holderOf, type People } from "../plants/people.ts";
import type { PlannedDevice } from "../plants/plan.ts";

type Changes = Record<string, Partial<ChannelSettings>>;

interface Save {
  on: Date;
  by: Role;
  before: Changes;
}

/** Minutes that a user spends on the form of one device. */
const minutesEach = 2;

/** All saves of a device, oldest first; the last one set the current report intervals. */
const savesOf = ({ saves = [], channels }: PlannedDevice, deviceId: number, moments: Moments): Save[] => {
  const usual = Object.entries(channels).flatMap(([code, { usualInterval, settings }]) =>
    usualInterval === undefined || usualInterval === settings?.reportInterval
      ? []
      : [[code, { reportInterval: usualInterval }] as const],
  );
  const earlier = saves.map(({ on, by, before }) => ({ on: moments.at(on), by, before }));
  if (usual.length === 0) return earlier;
  // Devices are saved one after the other.
  const on = after(moments.lastInOffice(), -minutesEach * (deviceId % 10));
  return [...earlier, { on, by: Role.deviceManager, before: Object.fromEntries(usual) }];
};

interface ChannelRecord {
  channel_id: number;
  channel_cn: string;
  channel_name: string;
  channel_type: ChannelType;
  settings: ChannelSettings;
}

const channelRecords = async (db: Database, deviceId: number): Promise<ChannelRecord[]> =>
  db
    .selectFrom("channels as c")
    .innerJoin("settings_periods as p", "p.channel_id", "c.channel_id")
    .select(["c.channel_id", "c.channel_cn", "c.channel_name", "c.channel_type", "p.settings"])
    .where("c.device_id", "=", deviceId)
    .where("p.end_time", "is", null)
    .execute();

/** A channel's settings after a save that changed it. */
interface Period {
  version: number;
  from: Date;
  settings: ChannelSettings;
}

/** Reconstructs the periods backwards from the current settings; returns the oldest first. */
const periodsOf = (channel: ChannelRecord, saves: readonly Save[], begun: Date): Period[] => {
  const periods: Period[] = [];
  let { settings } = channel;
  for (const [i, { on, before }] of [...saves.entries()].reverse()) {
    const change = before[channel.channel_cn];
    if (!change) continue;
    periods.unshift({ version: i + 2, from: on, settings });
    settings = { ...settings, ...change };
  }
  return [{ version: 1, from: begun, settings }, ...periods];
};

const writePeriods = async (db: Database, channelId: number, periods: readonly Period[]): Promise<void> => {
  if (periods.length < 2) return;
  await db.deleteFrom("settings_periods").where("channel_id", "=", channelId).execute();
  const rows = periods.map(({ version, from, settings }, i) => ({
    channel_id: channelId,
    start_time: from,
    end_time: periods[i + 1]?.from ?? null,
    settings: JSON.stringify(settings),
    version,
  }));
  await db.insertInto("settings_periods").values(rows).execute();
};

/** The audit record of one save, in the form of a user's save. */
const changeOf = (channels: readonly ChannelRecord[], periods: ReadonlyMap<number, Period[]>, version: number) =>
  recordedChange(
    channels.flatMap(({ settings: _, ...channel }) => {
      const own = periods.get(channel.channel_id) ?? [];
      const at = own.findIndex((period) => period.version === version);
      const [before, now] = [own[at - 1], own[at]];
      if (!before || !now) return [];
      const saved = { ...channel, channel_switch: true, source_id: null, settings: before.settings };
      return [{ channel: saved, settings: now.settings, name: channel.channel_name, isOn: true }];
    }),
  );

interface Made {
  deviceId: number;
  plantId: number;
  /** Start of its first settings period. */
  begun: Date;
}

/** Creates a device's earlier settings periods, each save with its audit entry. */
export const makeSaves = async (
  db: Database,
  device: PlannedDevice,
  { deviceId, plantId, begun }: Made,
  { people, moments }: { people: People; moments: Moments },
): Promise<void> => {
  const saves = savesOf(device, deviceId, moments);
  const last = saves.at(-1);
  if (!last) return;
  const channels = await channelRecords(db, deviceId);
  const periods = new Map(channels.map((channel) => [channel.channel_id, periodsOf(channel, saves, begun)]));
  for (const [channelId, own] of periods) await writePeriods(db, channelId, own);
  for (const [i, { on, by }] of saves.entries()) {
    const detail = { deviceId, ...changeOf(channels, periods, i + 2) };
    await audit(db, { plantId, userId: holderOf(people, by).userId, action: "channel.edit", detail, now: on });
  }
  const version = saves.length + 1;
  const confirmed = { confirmed_version: version, confirmed_time: after(last.on, 0.05) };
  const saved = { version, saved_time: last.on, saved_by: holderOf(people, last.by).userId };
  await db
    .insertInto("device_settings")
    .values({ device_id: deviceId, ...saved, ...confirmed })
    .execute();
};
