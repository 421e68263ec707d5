import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/alerts";
import { type FirmwareFacts, firmwareFacts, RefusalReason } from "@telltale/contract/device-api";
import { LiveCommand } from "@telltale/contract/live";
import { ruleKey } from "../alarms/rule-key.ts";
import { gathered } from "../database/gather.ts";
import { takeFirmwareReport } from "../firmware/reports.ts";
import { telling } from "../notify/telling.ts";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Writer } from "../telemetry/writer.ts";
import type { World } from "../world.ts";
import { confirmationKeeper, saidVersion } from "./confirmations.ts";
import type { Refuse } from "./receipt.ts";

/** Battery charge in percent below which a device is reported, and at which the report ends. */
const lowBattery = { raiseBelow: 20, clearFrom: 25 } as const;

const columns = {
  firmwareVersion: { column: "firmware_version", kind: "text" },
  current_fw_version: { column: "firmware_version", kind: "text" },
  wakeupMode: { column: "wakeup_mode", kind: "text" },
  power: { column: "power", kind: "number" },
  temperature: { column: "temperature", kind: "number" },
  humidity: { column: "humidity", kind: "number" },
} as const;

const textOf = (value: unknown): string | undefined => {
  const isPrintable = (typeof value === "string" && !value.includes("\u0000")) || typeof value === "number";
  return isPrintable ? String(value).slice(0, 64) : undefined;
};

/** The columns are `real`, and PostgreSQL refuses a number too small for it. */
const smallest = 1e-30;

const numberOf = (value: unknown): number | undefined => {
  if (typeof value !== "number" || Math.abs(value) >= 1e9) return undefined;
  return Math.abs(value) < smallest ? 0 : value;
};

/** What a device says of its firmware, besides the version. */
const isOfFirmware = (key: string): boolean => (firmwareFacts as readonly string[]).includes(key);

/** The same with the version, by whichever name. */
const firmwareIn = ({ firmwareVersion, ...payload }: Record<string, unknown>): FirmwareFacts => {
  const said = { ...(firmwareVersion === undefined ? {} : { current_fw_version: firmwareVersion }), ...payload };
  const facts = Object.entries(said).flatMap(([key, value]) => {
    const text = isOfFirmware(key) ? textOf(value) : undefined;
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(facts);
};

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
    else if (!isOfFirmware(key)) refused.push(key.slice(0, 64));
  }
  return { set, refused };
};

/** Every attribute that is not said keeps its value. */
const update = `
  UPDATE devices d SET firmware_version = coalesce(a.firmware_version, d.firmware_version), wakeup_mode = coalesce(a.wakeup_mode, d.wakeup_mode),
         power = coalesce(a.power, d.power), temperature = coalesce(a.temperature, d.temperature), humidity = coalesce(a.humidity, d.humidity)
    FROM unnest($1::int4[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[])
         AS a(device_id, firmware_version, wakeup_mode, power, temperature, humidity)
   WHERE d.device_id = a.device_id`;

const insertLowBattery = `
  INSERT INTO alerts (plant_id, device_id, alarm_class, alarm_type, status, value, value_unit, threshold, msg, created_time, rule_key)
  SELECT plant_id, device_id, ${AlertClass.notification}, ${AlertType.system}, ${AlertStatus.triggered}, power, '%', ${lowBattery.raiseBelow},
         'Low battery: ' || round(power) || ' %', $5::timestamptz, rule_key
    FROM unnest($1::int4[], $2::int4[], $3::float8[], $4::text[]) AS low(plant_id, device_id, power, rule_key)
  ON CONFLICT (rule_key) WHERE cleared_time IS NULL DO NOTHING`;
const raiseLowBattery = telling(insertLowBattery, "$5::timestamptz");

const clearLowBattery = `
  UPDATE alerts SET status = ${AlertStatus.cleared}, cleared_time = $2 WHERE rule_key = ANY($1) AND cleared_time IS NULL
  RETURNING plant_id, device_id`;

/** What a device says of itself, by column. */
interface Said {
  device: KnownDevice;
  set: Map<string, string | number>;
}

interface PoweredDevice {
  deviceId: number;
  plantId: number;
  power: number;
}

const powered = ({ device: { deviceId, plantId }, set }: Said): PoweredDevice[] => {
  const power = set.get("power");
  return plantId !== null && typeof power === "number" ? [{ deviceId, plantId, power }] : [];
};

const lowBatteryKey = ({ deviceId }: PoweredDevice): string => ruleKey.notification(deviceId, "low-battery");

/** Of several messages of one device the last one counts. */
const merged = (said: readonly Said[]): Said[] => {
  const devices = new Map<KnownDevice, Said["set"]>();
  for (const { device, set } of said) devices.set(device, new Map([...(devices.get(device) ?? []), ...set]));
  return [...devices].map(([device, set]) => ({ device, set }));
};

export interface AttributeStore {
  /** Stores what a device says of itself; resolves after the commit, with how many attributes it took. A low battery raises a notification, once. */
  store(device: KnownDevice, payload: Record<string, unknown>, refuse: Refuse): Promise<number>;
}

interface Needs extends Pick<World, "db" | "pool" | "bus" | "clock"> {
  writer: Writer;
}

const judgeBatteries = async ({ pool, bus, clock }: Needs, devices: readonly PoweredDevice[]): Promise<void> => {
  const low = devices.filter(({ power }) => power < lowBattery.raiseBelow);
  const high = devices.filter(({ power }) => power >= lowBattery.clearFrom);
  const changed: { plant_id: number; device_id: number }[] = [];
  if (low.length > 0) {
    const columns = [
      low.map(({ plantId }) => plantId),
      low.map(({ deviceId }) => deviceId),
      low.map(({ power }) => power),
    ];
    changed.push(...(await pool.query(raiseLowBattery, [...columns, low.map(lowBatteryKey), clock.date()])).rows);
  }
  if (high.length > 0)
    changed.push(...(await pool.query(clearLowBattery, [high.map(lowBatteryKey), clock.date()])).rows);
  for (const { plant_id: plantId, device_id: deviceId } of changed)
    bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
};

const takeReport = async (needs: Needs, { deviceId }: KnownDevice, payload: Record<string, unknown>): Promise<void> => {
  const said = firmwareIn(payload);
  if (Object.keys(said).length > 0) await takeFirmwareReport(needs, deviceId, said);
};

export const createAttributeStore = (needs: Needs): AttributeStore => {
  const { pool, writer } = needs;
  const write = async (said: readonly Said[]): Promise<void> => {
    const rows = merged(said);
    const column = (name: string) => rows.map(({ set }) => set.get(name) ?? null);
    await pool.query(update, [
      rows.map(({ device }) => device.deviceId),
      ...["firmware_version", "wakeup_mode", "power", "temperature", "humidity"].map(column),
    ]);
    await judgeBatteries(needs, rows.flatMap(powered));
  };
  // Between two batches, because they change rows of the same table: two statements that do so at once could wait for each other.
  const save = gathered(async (said: readonly Said[]) => {
    await writer.exclusively(() => write(said));
    return said.map(() => undefined);
  });
  const confirm = confirmationKeeper(needs);
  return {
    store: async (device, { settingsVersion, ...payload }, refuse) => {
      const version = saidVersion({ settingsVersion });
      if (version !== undefined) await confirm(device, version);
      else if (settingsVersion !== undefined) refuse(RefusalReason.notANumber, "settingsVersion", "", device);
      const { set, refused } = decodeAttributes(payload);
      for (const key of refused) refuse(RefusalReason.unknownKey, key, "", device);
      if (set.size > 0) await save({ device, set });
      // Whoever changed since it was loaded may be updated since.
      if (device.isUpdated || device.isStale) await takeReport(needs, device, payload);
      return Object.keys(payload).length - refused.length + (version === undefined ? 0 : 1);
    },
  };
};
