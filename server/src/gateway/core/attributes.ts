import { type FirmwareFacts, firmwareFacts, RefusalReason } from "@telltale/contract/device-api";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { announce, clear, type RaisedAlert, raise, ruleKey } from "../../alarms/index.ts";
import { takeFirmwareReport } from "../../modules/firmware/index.ts";
import { batchedBy } from "../../platform/database/batched.ts";
import type { KnownDevice, Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Refusing } from "./receipt.ts";
import { reportedVersion, settingsConfirmer } from "./settings.ts";
import { refusalOf } from "./telemetry-payload.ts";

/** Low-battery notification: raised below the first charge, cleared from the second; percent. */
const lowBattery = { raiseBelow: 20, clearFrom: 25 } as const;

type Decode = (value: unknown) => string | number | undefined;

const textOf = (value: unknown): string | undefined => {
  const isPrintable = (typeof value === "string" && !value.includes("\u0000")) || typeof value === "number";
  return isPrintable ? String(value).slice(0, 64) : undefined;
};

/** The columns are `real`; PostgreSQL rejects a number below its range (underflow). */
const smallest = 1e-30;

const numberIn =
  (least: number, most: number): Decode =>
  (value) => {
    if (typeof value !== "number" || value < least || value > most) return undefined;
    return Math.abs(value) < smallest ? 0 : value;
  };

const [percent, celsius] = [numberIn(0, 100), numberIn(-273.15, 1000)];

const columns: Readonly<Record<string, { column: string; decode: Decode }>> = {
  firmwareVersion: { column: "firmware_version", decode: textOf },
  current_fw_version: { column: "firmware_version", decode: textOf },
  wakeupMode: { column: "wakeup_mode", decode: textOf },
  power: { column: "power", decode: percent },
  temperature: { column: "temperature", decode: celsius },
  humidity: { column: "humidity", decode: percent },
};

/** Whether the key belongs to a firmware report. */
const isFirmwareKey = (key: string): boolean => (firmwareFacts as readonly string[]).includes(key);

/** The firmware report in a payload; the version may carry either of its two keys. */
const firmwareReportIn = ({ firmwareVersion, ...payload }: Record<string, unknown>): FirmwareFacts => {
  const reported = { ...(firmwareVersion === undefined ? {} : { current_fw_version: firmwareVersion }), ...payload };
  const facts = Object.entries(reported).flatMap(([key, value]) => {
    const text = isFirmwareKey(key) ? textOf(value) : undefined;
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(facts);
};

interface Decoded {
  /** Values to write, by column. */
  set: Map<string, string | number>;
  /** Number of received attributes that these values come from. */
  taken: number;
  refused: { key: string; reason: RefusalReason }[];
}

/** Splits a payload into the attributes to store and the refused ones. */
const decodeAttributes = (payload: Record<string, unknown>): Decoded => {
  const decoded: Decoded = { set: new Map(), taken: 0, refused: [] };
  const refuse = (key: string, reason: RefusalReason) => decoded.refused.push({ key: key.slice(0, 64), reason });
  for (const [key, value] of Object.entries(payload)) {
    const attribute = Object.hasOwn(columns, key) ? columns[key] : undefined;
    const taken = attribute?.decode(value);
    if (attribute && taken !== undefined) {
      decoded.set.set(attribute.column, taken);
      decoded.taken += 1;
    } else if (attribute) refuse(key, RefusalReason.badValue);
    else if (!isFirmwareKey(key)) refuse(key, RefusalReason.unknownKey);
    else if (textOf(value) === undefined) refuse(key, RefusalReason.badValue);
  }
  return decoded;
};

/**
 * An attribute that is missing from the message keeps its value. Returns for each device whether open screens would show something else now:
 * climate does not count, because it changes all the time.
 */
const update = `
  UPDATE devices d SET firmware_version = coalesce(a.firmware_version, d.firmware_version), wakeup_mode = coalesce(a.wakeup_mode, d.wakeup_mode),
         power = coalesce(a.power, d.power), temperature = coalesce(a.temperature, d.temperature), humidity = coalesce(a.humidity, d.humidity)
    FROM unnest($1::int4[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[])
         AS a(device_id, firmware_version, wakeup_mode, power, temperature, humidity)
    JOIN devices before USING (device_id)
   WHERE d.device_id = a.device_id
  RETURNING d.device_id, d.plant_id, (before.firmware_version, before.wakeup_mode, round(before.power))
                         IS DISTINCT FROM (d.firmware_version, d.wakeup_mode, round(d.power)) AS is_changed`;

/** Reported attributes of one device, by column. */
interface Reported {
  device: KnownDevice;
  set: Map<string, string | number>;
}

/** A written device. Its plant as the database has it: the device may have been claimed since it connected. */
interface Written {
  device_id: number;
  plant_id: number | null;
  is_changed: boolean;
}

interface PoweredDevice {
  deviceId: number;
  plantId: number;
  power: number;
}

const powered = ({ device: { deviceId }, set }: Reported, plantId: number | null): PoweredDevice[] => {
  const power = set.get("power");
  return plantId !== null && typeof power === "number" ? [{ deviceId, plantId, power }] : [];
};

const lowBatteryKey = ({ deviceId }: PoweredDevice): string => ruleKey.notification(deviceId, "low-battery");

/** Merges several messages of one device; the last value of a column wins. */
const merged = (reported: readonly Reported[]): Reported[] => {
  const devices = new Map<KnownDevice, Reported["set"]>();
  for (const { device, set } of reported) devices.set(device, new Map([...(devices.get(device) ?? []), ...set]));
  return [...devices].map(([device, set]) => ({ device, set }));
};

export interface AttributeStore {
  /** Stores reported attributes. Resolves after the commit with the number of attributes stored. A low battery raises one notification. */
  store(device: KnownDevice, payload: Record<string, unknown>, refusing: Refusing): Promise<number>;
}

interface Needs extends Pick<World, "db" | "pool" | "bus" | "clock"> {
  writer: Writer;
}

const lowBatteryAlert = (device: PoweredDevice, now: number): RaisedAlert => ({
  plantId: device.plantId,
  deviceId: device.deviceId,
  alarmClass: AlertClass.notification,
  alarmType: AlertType.system,
  value: device.power,
  unit: "%",
  threshold: lowBattery.raiseBelow,
  msg: `Low battery: ${Math.round(device.power)} %`,
  at: now,
  key: lowBatteryKey(device),
});

const evaluateBatteries = async ({ pool, bus, clock }: Needs, devices: readonly PoweredDevice[]): Promise<void> => {
  const now = clock.now();
  const low = devices.filter(({ power }) => power < lowBattery.raiseBelow);
  const high = devices.filter(({ power }) => power >= lowBattery.clearFrom);
  const raised = await raise(
    pool,
    low.map((device) => lowBatteryAlert(device, now)),
    now,
  );
  const cleared = await clear(
    pool,
    high.map((device) => ({ key: lowBatteryKey(device), at: now })),
  );
  announce(bus, [...raised, ...cleared]);
};

/** Records the report of a device with an open firmware update. Returns how many attributes were used for it, not counting the version. */
const recordReport = async (needs: Needs, device: KnownDevice, payload: Record<string, unknown>): Promise<number> => {
  const reported = firmwareReportIn(payload);
  // A stale device may have got an update since it was loaded.
  const mayBeUpdated = device.hasOpenUpdate || device.isStale;
  if (!mayBeUpdated || Object.keys(reported).length === 0) return 0;
  if (!(await takeFirmwareReport(needs, device.deviceId, reported))) return 0;
  return Object.keys(reported).filter((key) => !Object.hasOwn(columns, key)).length;
};

export const createAttributeStore = (needs: Needs): AttributeStore => {
  const { pool, bus, writer, clock } = needs;
  const write = async (reported: readonly Reported[]): Promise<void> => {
    const rows = merged(reported);
    const column = (name: string) => rows.map(({ set }) => set.get(name) ?? null);
    const { rows: written } = await pool.query<Written>(update, [
      rows.map(({ device }) => device.deviceId),
      ...["firmware_version", "wakeup_mode", "power", "temperature", "humidity"].map(column),
    ]);
    for (const { device_id: deviceId, plant_id: plantId, is_changed } of written)
      if (plantId !== null && is_changed)
        bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
    const plants = new Map(written.map(({ device_id, plant_id }) => [device_id, plant_id]));
    await evaluateBatteries(
      needs,
      rows.flatMap((row) => powered(row, plants.get(row.device.deviceId) ?? null)),
    );
  };
  // Runs between two batches: both update rows of the same table, and concurrent statements could deadlock.
  const save = batchedBy(
    ({ device }: Reported) => writer.placeOf(device),
    async (reported) => {
      await writer.exclusively(() => write(reported), { devices: reported.map(({ device }) => device) });
      return reported.map(() => undefined);
    },
  );
  const confirm = settingsConfirmer(needs);
  /** Why nothing of the device is stored. An unclaimed one may say what it is; whether a stale one has ended is not known. */
  const endOf = (device: KnownDevice): RefusalReason | undefined =>
    device.plantId === null || device.isStale ? undefined : refusalOf(device, clock.now());
  return {
    store: async (device, attributes, refusing) => {
      const ended = endOf(device);
      if (ended) {
        const [first, ...others] = Object.entries(attributes);
        if (first) refusing.refuse(ended, first[0].slice(0, 64), textOf(first[1]) ?? "", device, others.length + 1);
        return 0;
      }
      const { settingsVersion, ...payload } = attributes;
      const version = reportedVersion({ settingsVersion });
      const isConfirmed = version !== undefined && (await confirm(device, version));
      if (settingsVersion !== undefined && !isConfirmed)
        refusing.refuse(RefusalReason.badValue, "settingsVersion", textOf(settingsVersion) ?? "", device);
      const { set, taken, refused } = decodeAttributes(payload);
      for (const { key, reason } of refused) refusing.refuse(reason, key, textOf(payload[key]) ?? "", device);
      if (set.size > 0) await save({ device, set });
      return taken + (isConfirmed ? 1 : 0) + (await recordReport(needs, device, payload));
    },
  };
};
