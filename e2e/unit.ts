import { randomBytes } from "node:crypto";
import type { Client } from "@telltale/contract/call/client";
import { type TelemetryPayload, topics } from "@telltale/contract/device-api";
import { channels } from "@telltale/contract/domains/channels";
import { tileOffers } from "@telltale/contract/domains/dashboard/tile-offers";
import { devices } from "@telltale/contract/domains/devices";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { clientOf, emailOf } from "./people.ts";
import type { ReachableServer } from "./server-process.ts";

/** A unit as the operator's command prints it, with its given name. */
export interface Unit {
  deviceSnId: string;
  deviceSn: string;
  accessToken: string;
  name: string;
}

/** A unique name. */
export const freshName = (name: string): string => `${name} ${randomBytes(3).toString("hex")}`;

interface Wanted {
  name?: string;
  model?: string;
  owner?: string;
  /** Its master; without one it is a main device. */
  parent?: Pick<Unit, "deviceSnId">;
}

/** Puts a unit on its plant's dashboard where that has too many tiles for a new device's to be added. */
export const showUnit = async (server: ReachableServer, owner: string, name: string): Promise<void> => {
  const client = await clientOf(server, owner);
  const offer = (await client(tileOffers.list)).find(({ deviceName }) => deviceName === name);
  if (offer) await client(tileOffers.add, { deviceId: offer.deviceId });
};

/** Adds a unit to the owner's plant with `telltale devices add`; a demonstration's dashboard shows it. */
export const addUnit = async (
  server: ReachableServer,
  { name = freshName("Boiler"), model = "AIS", owner = emailOf("owner"), parent }: Wanted = {},
): Promise<Unit> => {
  const master = parent ? ["--parent", parent.deviceSnId] : [];
  const command = ["devices", "add", "--model", model, "--owner", owner, "--name", name, ...master];
  const [made] = await server.telltale<Omit<Unit, "name">[]>(...command);
  if (!made) throw new Error(`${command.join(" ")} made nothing`);
  if (owner.endsWith("@telltale.local")) await showUnit(server, owner, name);
  return { ...made, name };
};

/** Connects as a unit over MQTT. */
export const connectUnit = (
  { mqttPort }: ReachableServer,
  { accessToken }: Pick<Unit, "accessToken">,
  options: IClientOptions = {},
): Promise<MqttClient> => connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { username: accessToken, ...options });

/** Publishes with QoS 1; resolves when the server has committed and acknowledged. */
export const publish = async (client: MqttClient, telemetry: TelemetryPayload): Promise<void> => {
  await client.publishAsync(topics.telemetry, JSON.stringify(telemetry), { qos: 1 });
};

/** Connects, reports once, and disconnects. */
export const reportOnce = async (server: ReachableServer, unit: Unit, telemetry: TelemetryPayload): Promise<void> => {
  const client = await connectUnit(server, unit);
  await publish(client, telemetry);
  await client.endAsync();
};

/** Ids of a device and its channels by code, found as a user finds them. */
export const idsOf = async (
  client: Client,
  deviceSnId: string,
): Promise<{ deviceId: number; channels: Record<string, number> }> => {
  const { data } = await client(devices.list, { deviceSnId, size: 200 });
  const found = data.flatMap((row) => [row, ...row.subDevices]).find((row) => row.deviceSnId === deviceSnId);
  if (!found) throw new Error(`The plant has no device ${deviceSnId}`);
  const groups = await client(channels.grouped, { deviceId: found.deviceId });
  const rows = groups.flatMap((group) => group.channels);
  return {
    deviceId: found.deviceId,
    channels: Object.fromEntries(rows.map((row) => [row.channelCn, row.deviceChannelId])),
  };
};
