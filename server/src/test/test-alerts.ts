import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import type { World } from "../world.ts";

interface Wanted {
  deviceId: number;
  channelId?: number;
  alarmClass?: AlertClass;
  alarmType?: AlertType;
  status?: AlertStatus;
  /** Age in minutes by the world's clock. */
  ago?: number;
  interval?: number;
  value?: number;
  threshold?: number;
  msg?: string;
  acceptedBy?: number;
}

type Needs = Pick<World, "db" | "clock">;

let count = 0;

/** Inserts an alert: by default a High alarm of the device's limits, triggered now. Returns its id. */
export const anAlert = async ({ db, clock }: Needs, owner: { plantId: number }, wanted: Wanted): Promise<number> => {
  count += 1;
  const created = new Date(clock.now() - (wanted.ago ?? 0) * 60_000);
  const status = wanted.status ?? AlertStatus.triggered;
  const { alert_id } = await db
    .insertInto("alerts")
    .values({
      plant_id: owner.plantId,
      device_id: wanted.deviceId,
      channel_id: wanted.channelId ?? null,
      alarm_class: wanted.alarmClass ?? AlertClass.threshold,
      alarm_type: wanted.alarmType ?? AlertType.high,
      status,
      value: wanted.value ?? null,
      value_unit: "bar",
      threshold: wanted.threshold ?? null,
      report_interval: wanted.interval ?? null,
      msg: wanted.msg ?? "",
      created_time: created,
      accept_time: wanted.acceptedBy === undefined ? null : created,
      accepted_by: wanted.acceptedBy ?? null,
      cleared_time: status === AlertStatus.cleared ? created : null,
      rule_key: `test ${count}`,
    })
    .returning("alert_id")
    .executeTakeFirstOrThrow();
  return alert_id;
};
