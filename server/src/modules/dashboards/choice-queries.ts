import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { Analog } from "@telltale/contract/domains/channels";
import type { dashboards, TileChoice } from "@telltale/contract/domains/dashboard/dashboards";
import { Model } from "@telltale/contract/domains/devices";
import { sql } from "kysely";
import { containing, offsetOf, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";

interface Choice {
  channel_id: number | null;
  device_id: number;
  channel_name: string;
  device_name: string;
  device_sn_id: string;
  icon: number;
}

/** Every channel of the plant; a motor controller, which has some sixty, only as a whole: its single channels are shown in groups. */
const choices = (plantId: number, name: string | undefined) => {
  const pattern = containing(name ?? "");
  return sql`
    from devices d
    left join channels c on c.device_id = d.device_id and d.type_id <> ${Model.motorController}
    left join settings_periods p on p.channel_id = c.channel_id and p.end_time is null
    where d.plant_id = ${plantId} and (d.type_id = ${Model.motorController} or c.channel_id is not null)
      and (c.channel_name ilike ${pattern} or d.device_name ilike ${pattern} or d.device_sn_id ilike ${pattern})`;
};

/** A page of what can be put on the plant's dashboards, by device. */
export const tileChoices = async (
  db: Database,
  plantId: number,
  filter: Input<typeof dashboards.choices>,
): Promise<Page<TileChoice>> => {
  const from = choices(plantId, filter.name);
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db);
  const { rows } = await sql<Choice>`
    select c.channel_id, d.device_id, coalesce(c.channel_name, d.device_name) as channel_name, d.device_name,
           d.device_sn_id, coalesce((p.settings->>'analogId')::int, ${Analog.other}) as icon
    ${from}
    order by d.device_name, d.device_id, c.position, c.channel_id
    offset ${offsetOf(filter)} limit ${filter.size}`.execute(db);
  const data = rows.map((row) => ({
    deviceChannelId: row.channel_id,
    deviceId: row.device_id,
    channelName: row.channel_name,
    deviceName: row.device_name,
    deviceSnId: row.device_sn_id,
    icon: row.icon,
  }));
  return pageOf(data, counted.rows[0]?.total ?? 0, filter);
};
