import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { namedField } from "../../text/text-fields.ts";

/** How a bridge writes values and alerts. */
export const BridgeFormat = { json: 1, sparkplug: 2 } as const;
export type BridgeFormat = (typeof BridgeFormat)[keyof typeof BridgeFormat];
export const bridgeFormatLabels: Record<BridgeFormat, string> = { 1: "JSON", 2: "Sparkplug B" };

/** Most bridges of a plant. */
export const mostBridges = 10;
/** For how many days values and alerts wait for a broker that is away. */
export const bridgeDays = 7;

/** Another MQTT broker that the plant's values and alerts are published to. */
export const BridgeRow = z.object({
  bridgeId: z.int(),
  bridgeName: z.string(),
  /** In support views without its path. */
  url: z.string(),
  userName: z.string(),
  /** Whether a password is kept; it is never answered. */
  hasPassword: z.boolean(),
  clientId: z.string(),
  ca: z.string(),
  format: z.enum(BridgeFormat),
  prefix: z.string(),
  allDevices: z.boolean(),
  /** The devices that it publishes, unless all. */
  deviceIds: z.array(z.int()),
  sendsValues: z.boolean(),
  sendsAlerts: z.boolean(),
  enabled: z.boolean(),
  /** Since when it is connected; null when it is not. */
  connectedSince: wire.time().nullable(),
  /** Since when it does not reach its broker, and why; null while it does. */
  failingSince: wire.time().nullable(),
  fault: z.string(),
  /** Readings and alerts that it has still to publish, and since when the oldest waits. */
  behind: z.int(),
  behindSince: wire.time().nullable(),
  /** Readings and alerts that the broker has acknowledged, and when it last did. */
  published: z.int(),
  publishedTime: wire.time().nullable(),
  /** Those that the broker refused for good. */
  refused: z.int(),
  /** Those that waited for a week and were never published, and when that last happened. */
  lost: z.int(),
  lostTime: wire.time().nullable(),
  createdTime: wire.time(),
  version: z.int(),
});
export type BridgeRow = z.output<typeof BridgeRow>;

/** What a bridge does now. */
export type BridgeState = "off" | "failing" | "connecting" | "connected";

export const bridgeStateOf = (bridge: Pick<BridgeRow, "enabled" | "failingSince" | "connectedSince">): BridgeState => {
  if (!bridge.enabled) return "off";
  if (bridge.failingSince !== null) return "failing";
  return bridge.connectedSince === null ? "connecting" : "connected";
};

const badUrl = "Enter an address such as mqtts://broker.example.com:8883, without user and password";
const protocols = ["mqtt:", "mqtts:", "ws:", "wss:"];

const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return protocols.includes(protocol) && hostname !== "" && username === "" && password === "";
};

/** Text of a topic or an identifier: MQTT gives + and # a meaning, and takes no control characters. */
const part = (blank: string, wrong: string, most: number) =>
  z
    .string({ error: blank })
    .trim()
    .min(1, { error: blank })
    .max(most)
    .refine((text) => !/[+#\p{Cc}]/u.test(text), { error: wrong });

const isCertificate = (text: string): boolean =>
  text === "" || /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/.test(text);

const fields = {
  bridgeName: namedField("Name of the bridge cannot be blank"),
  url: z.string({ error: badUrl }).trim().max(500, badUrl).refine(isAddress, { error: badUrl }),
  userName: z.string().trim().max(256).default(""),
  clientId: part("Client ID cannot be blank", "A client ID has no +, # and control characters", 64),
  ca: z
    .string()
    .trim()
    .max(65_536)
    .refine(isCertificate, { error: "Paste the certificate as PEM, from BEGIN CERTIFICATE to END CERTIFICATE" })
    .default(""),
  format: wire.oneOf(BridgeFormat, "Choose JSON or Sparkplug B"),
  prefix: part("Prefix cannot be blank", "A prefix has no +, # and control characters", 200),
  allDevices: wire.oneOf([0, 1], "Send 1 to publish all devices, 0 to publish those of deviceIds"),
  deviceIds: wire.commaList(wire.int("Choose devices from the list")),
  sendsValues: wire.oneOf([0, 1], "Send 1 to publish values, 0 if not"),
  sendsAlerts: wire.oneOf([0, 1], "Send 1 to publish alerts, 0 if not"),
  enabled: wire.oneOf([0, 1], "Send 1 to enable the bridge, 0 to disable it"),
};
/** Blank: none for a new bridge, the one that is kept when a bridge is changed. */
const password = z.string().max(1024).default("");
const bridgeId = wire.int();

/** Bridges: values and alerts are published to other MQTT brokers. */
export const bridges = {
  list: get("/api/bridge/list", {
    access: "bridges.read",
    summary: "The plant's bridges with their state, newest first",
    query: z.object(pageQuery),
    result: page(BridgeRow),
  }),
  add: post("/api/bridge/add", {
    access: "bridges.write",
    summary: "Adds a bridge; it publishes what arrives from the answer on",
    body: z.object({ ...fields, password }),
    result: z.object({ bridgeId: z.int() }),
  }),
  update: post("/api/bridge/update", {
    access: "bridges.write",
    summary: "Changes a bridge; without a password the one before stays, unless the host or the user is another one",
    body: z.object({ bridgeId, ...fields, password, version: wire.int().optional() }),
    result: z.null(),
  }),
  test: post("/api/bridge/test", {
    access: "bridges.write",
    summary: "Connects to the bridge's broker at once, as a client of its own; 409 with the reason when that fails",
    body: z.object({ bridgeId }),
    result: z.null(),
  }),
  remove: post("/api/bridge/delete", {
    access: "bridges.write",
    summary: "Deletes a bridge; what waits for it is not published any more",
    body: z.object({ bridgeId }),
    result: z.null(),
  }),
};
