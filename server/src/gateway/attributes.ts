import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/alerts";
import { RefusalReason } from "@telltale/contract/device-api";
import { LiveCommand } from "@telltale/contract/live";
import { ruleKey } from "../alarms/rule-key.ts";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { World } from "../world.ts";

/** Battery charge in percent below which a device is reported, and at which the report ends. */
const lowBattery = { raiseBelow: 20, clearFrom: 25 } as const;

const columns = {
  firmwareVersion: { column: "firmware_version", kind: "text" },
  wakeupMode: { column: "wakeup_mode", kind: "text" },
  power: { column: "power", kind: "number" },
  temperature: { column: "temperature", kind: "number" },
  humidity: { column: "humidity", kind: "number" },
} as const;

const textOf = (value: unknown): string | undefined => {
  const isPrintable = (typeof value === "string" && !value.includes("\u0000")) || typeof value === "number";
  return isPrintable ? String(value).slice(0, 64) : undefined;
};

/** Rounded to what the column holds, as PostgreSQL refuses a number too small for it. */
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Math.abs(value) < 1e9 ? Math.fround(value) : undefined;

/** The attributes that a device may set, by column; the keys of the others, which are refused. */
const decodeAttributes = (
  payload: Record<string, unknown>,
): { set: Map<string, string | number>; refused: string[] } => {
  const set = new Map<string, string | number>();
  const refused: string[] = [];
  for (const [key, value] of Object.entries(payload)) {
    const attribute = Object.hasOwn(columns, key) ? columns[key as keyof typeof columns] : undefined;
    const decoded = attribute && (attribute.kind === "text" ? textOf(value) : numberOf(value));
    if (attribute && decoded !== undefined) set.set(attribute.column, decoded);
    else refused.push(key.slice(0, 64));
  }
  return { set, refused };
};

const raiseLowBattery = `
  INSERT INTO alerts (plant_id, device_id, alarm_class, alarm_type, status, value, value_unit, threshold, msg, created_time, rule_key)
  VALUES ($1, $2, ${AlertClass.notification}, ${AlertType.system}, ${AlertStatus.triggered}, $3, '%', ${lowBattery.raiseBelow}, $4, $5, $6)
  ON CONFLICT (rule_key) WHERE cleared_time IS NULL DO NOTHING`;

const clearLowBattery = `UPDATE alerts SET status = ${AlertStatus.cleared}, cleared_time = $2 WHERE rule_key = $1 AND cleared_time IS NULL`;

export interface AttributeStore {
  /** Stores what a device says of itself; resolves after the commit. A low battery raises a notification, once. */
  store(device: KnownDevice, payload: Record<string, unknown>): Promise<void>;
}

export const createAttributeStore = ({
  pool,
  bus,
  clock,
  refusals,
}: Pick<World, "pool" | "bus" | "clock"> & { refusals: Refusals }): AttributeStore => {
  const judgeBattery = async (device: KnownDevice, power: number): Promise<void> => {
    const key = ruleKey.notification(device.deviceId, "low-battery");
    const isLow = power < lowBattery.raiseBelow;
    if (!(isLow || power >= lowBattery.clearFrom) || device.plantId === null) return;
    const { rowCount } = isLow
      ? await pool.query(raiseLowBattery, [
          device.plantId,
          device.deviceId,
          power,
          `Low battery: ${Math.round(power)} %`,
          clock.date(),
          key,
        ])
      : await pool.query(clearLowBattery, [key, clock.date()]);
    if (rowCount)
      bus.emit("live", {
        plantId: device.plantId,
        message: { cmd: LiveCommand.alertChange, deviceId: device.deviceId },
      });
  };
  return {
    store: async (device, payload) => {
      const { set, refused } = decodeAttributes(payload);
      for (const key of refused) refusals.count(device.deviceId, RefusalReason.unknownKey, key, "");
      if (set.size === 0) return;
      const names = [...set.keys()];
      const assignments = names.map((name, at) => `${name} = $${at + 2}`).join(", ");
      await pool.query(`UPDATE devices SET ${assignments} WHERE device_id = $1`, [device.deviceId, ...set.values()]);
      const power = set.get("power");
      if (typeof power === "number") await judgeBattery(device, power);
    },
  };
};
