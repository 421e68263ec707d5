import { firmwareOfferKeys, type SharedAttributes, topics } from "@telltale/contract/device-api";
import type { Station } from "../plant/station.ts";
import { attributesOf } from "./attributes.ts";
import { executeCommand } from "./commands.ts";
import type { Device } from "./device.ts";
import { createFirmwareClient, type FirmwareClient } from "./firmware.ts";
import { createLink, type Link } from "./link.ts";
import { createOutbox, type Outbox, type OutboxNeeds } from "./outbox.ts";

/** A device's connection, shared with the sub-devices behind it. */
export interface Connection {
  readonly own: Device;
  readonly subDevices: readonly Device[];
  readonly link: Link;
  readonly outbox: Outbox;
  /** Sends the client attributes of the devices. */
  sendAttributes: () => void;
  /** Reports that a sub-device's radio link is lost or restored. */
  reportLink: (device: Device, isUp: boolean) => void;
  stop: () => Promise<void>;
}

export interface ConnectionNeeds {
  url: string;
  own: Device;
  subDevices: readonly Device[];
  station: () => Station;
  bounds: Pick<OutboxNeeds, "inFlight" | "memory">;
  report: (text: string) => void;
}

/** Restart time of a sub-device, milliseconds. */
const restartTime = 3000;
/** Time until a device has applied new settings, milliseconds. */
const settleTime = 1200;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const parse = (payload: Buffer): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(payload.toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

const subscriptions = [
  topics.attributes,
  `${topics.attributesResponse}+`,
  `${topics.rpcRequest}+`,
  `${topics.firmware.response}+/chunk/+`,
];
const gatewaySubscriptions = [topics.gateway.attributes, topics.gateway.rpc];

type Say = (topic: string, content: unknown) => void;

/** Applies settings and then confirms their version. */
const applySettings = (device: Device, settings: Record<string, unknown>, confirm: (content: object) => void): void => {
  device.apply(settings as Partial<SharedAttributes>);
  const { settingsVersion } = device;
  if (settings.settingsVersion === undefined || settingsVersion === undefined) return;
  setTimeout(() => {
    // Newer settings may have arrived in the meantime; they are confirmed separately.
    if (device.settingsVersion === settingsVersion && !device.isSilent) confirm({ settingsVersion });
  }, settleTime).unref();
};

/** Handles commands and settings for the connection's own device. */
const handleOwn = (
  { own, subDevices }: ConnectionNeeds,
  firmware: FirmwareClient | undefined,
  topic: string,
  content: Record<string, unknown>,
  publish: Say,
  restart: () => void,
): void => {
  if (topic.startsWith(topics.rpcRequest)) {
    const answer = executeCommand(own, String(content.method), content.params, subDevices);
    publish(topics.rpcResponse + topic.slice(topics.rpcRequest.length), answer.result);
    if (answer.restarts) restart();
  } else {
    const settings = topic === topics.attributes ? content : content.shared;
    if (!isRecord(settings)) return;
    applySettings(own, settings, (message) => publish(topics.attributes, message));
    firmware?.handleAttributes(settings);
  }
};

/** The same for a sub-device: `{device, data}`. */
const handleGateway = (
  device: Device,
  firmware: FirmwareClient | undefined,
  topic: string,
  data: Record<string, unknown>,
  publish: Say,
  restart: (device: Device) => void,
): void => {
  // A device without a link receives nothing; it gets its settings when it is back.
  if (device.isSilent) return;
  if (topic === topics.gateway.attributes) {
    applySettings(device, data, (content) => publish(topics.gateway.attributes, { [device.spec.deviceSnId]: content }));
    firmware?.handleAttributes(data);
    return;
  }
  const answer = executeCommand(device, String(data.method), data.params);
  publish(topics.gateway.rpc, { device: device.spec.deviceSnId, id: data.id, data: answer.result });
  if (answer.restarts) restart(device);
};

/** Publishes the presence and attributes of the connection's devices. */
const createAnnouncer = ({ own, subDevices, station }: ConnectionNeeds, publish: Say) => {
  const connect = (device: Device) =>
    publish(topics.gateway.connect, { device: device.spec.deviceSnId, type: String(device.spec.typeId) });
  const present = () => subDevices.filter((device) => !device.isSilent);
  const attributes = (): void => {
    publish(topics.attributes, attributesOf(own, station()));
    const entries = present().map((device) => [device.spec.deviceSnId, attributesOf(device, station())]);
    if (entries.length > 0) publish(topics.gateway.attributes, Object.fromEntries(entries));
  };
  return {
    attributes,
    reportLink: (device: Device, isUp: boolean): void => {
      if (isUp) connect(device);
      else publish(topics.gateway.disconnect, { device: device.spec.deviceSnId });
    },
    introduce: (): void => {
      for (const device of present()) connect(device);
      attributes();
      publish(`${topics.attributesRequest}1`, {
        sharedKeys: ["reportInterval,channels,settingsVersion", ...firmwareOfferKeys].join(),
      });
    },
  };
};

/** Firmware clients of the connection's devices; the request number identifies the device. */
const createFirmware = (
  { own, subDevices }: ConnectionNeeds,
  publish: Say,
  ways: { restart: (device: Device) => void; lose: (device: Device) => void },
) => {
  const devices = [own, ...subDevices];
  const clients = devices.map((device, id) =>
    createFirmwareClient({
      device,
      ask: (chunk, size) =>
        publish(
          `${topics.firmware.request}${id}/chunk/${chunk}`,
          device === own ? size : { device: device.spec.deviceSnId, size },
        ),
      publish: (facts) =>
        device === own
          ? publish(topics.attributes, facts)
          : publish(topics.gateway.attributes, { [device.spec.deviceSnId]: facts }),
      restart: () => ways.restart(device),
      lose: () => ways.lose(device),
    }),
  );
  return {
    of: (device: Device) => clients[devices.indexOf(device)],
    take: (topic: string, bytes: Buffer): void => {
      const [id = "", chunk = ""] = topic.slice(topics.firmware.response.length).split("/chunk/");
      clients[Number(id)]?.take(Number(chunk), bytes);
    },
  };
};

/** Connects a device and those behind it; reconnects by itself after a loss. */
export const createConnection = (needs: ConnectionNeeds): Connection => {
  const { own, subDevices, report } = needs;
  const byId = new Map(subDevices.map((device) => [device.spec.deviceSnId, device]));
  // Messages other than telemetry describe the present only: they are published again after a reconnect rather than queued.
  const publish: Say = (topic, content) => {
    if (link.isConnected()) link.publish(topic, JSON.stringify(content)).catch(() => undefined);
  };
  const voice = createAnnouncer(needs, publish);
  const restartSubDevice = (device: Device): void => {
    voice.reportLink(device, false);
    setTimeout(() => {
      if (!device.isSilent) voice.reportLink(device, true);
      voice.attributes();
    }, restartTime).unref();
  };
  // The answer must be sent before the connection is dropped.
  const restartOwn = () => void setTimeout(link.drop, 300).unref();
  const firmware = createFirmware(needs, publish, {
    restart: (device) => {
      executeCommand(device, "restart", {});
      if (device === own) restartOwn();
      else restartSubDevice(device);
    },
    lose: (device) => (device === own ? link.drop() : restartSubDevice(device)),
  });
  const link: Link = createLink({
    url: needs.url,
    token: own.spec.accessToken,
    subscriptions: subDevices.length > 0 ? [...subscriptions, ...gatewaySubscriptions] : subscriptions,
    onConnect: () => {
      voice.introduce();
      outbox.flush();
    },
    onTrouble: (reason) => report(`${own.spec.deviceName || own.spec.deviceSnId}: ${reason}; it will try again`),
    onMessage: (topic, payload) => {
      if (topic.startsWith(topics.firmware.response)) return firmware.take(topic, payload);
      const content = parse(payload);
      const device = byId.get(String(content.device));
      if (!topic.startsWith("v1/gateway/")) handleOwn(needs, firmware.of(own), topic, content, publish, restartOwn);
      else if (device && isRecord(content.data))
        handleGateway(device, firmware.of(device), topic, content.data, publish, restartSubDevice);
    },
  });
  const outbox = createOutbox({
    ...needs.bounds,
    own: own.spec.deviceSnId,
    isConnected: link.isConnected,
    send: ({ isGateway, payload }) => link.publish(isGateway ? topics.gateway.telemetry : topics.telemetry, payload),
  });
  return {
    own,
    subDevices,
    link,
    outbox,
    sendAttributes: voice.attributes,
    reportLink: voice.reportLink,
    stop: link.end,
  };
};
