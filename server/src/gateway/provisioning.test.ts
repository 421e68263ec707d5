import { httpPath, type ProvisionAnswer, provisionPath, topics } from "@telltale/contract/device-api";
import { Model } from "@telltale/contract/domains/devices";
import Fastify, { type FastifyInstance } from "fastify";
import type { IClientOptions } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRegistration } from "../modules/provisioning/index.ts";
import { keyPage, revokeKey } from "../modules/provisioning/keys.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { aProvisioningKey } from "../test/test-provisioning.ts";

type Ask = (request: unknown) => Promise<ProvisionAnswer>;
type Key = Awaited<ReturnType<typeof aProvisioningKey>>;

describe("devices that register themselves", () => {
  let world: DeviceWorld;
  let app: FastifyInstance;
  let owner: Person;
  beforeAll(async () => {
    world = await createDeviceWorld();
    app = Fastify({ trustProxy: true });
    await app.register(world.gateway.http);
  });
  beforeEach(async () => {
    owner = await anOwner(world);
    // Other tests' wrong requests from this address.
    world.clock.pass(300_000);
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });

  const byHttp =
    (address = "127.0.0.1"): Ask =>
    async (request) => {
      const payload = typeof request === "string" ? request : JSON.stringify(request);
      const headers = { "x-forwarded-for": address };
      return (await app.inject({ method: "POST", url: provisionPath, payload, headers })).json();
    };
  const byMqtt =
    (options: IClientOptions): Ask =>
    async (request) => {
      const client = await world.mqtt("provision", options);
      await client.subscribeAsync(topics.provision.response);
      const answer = new Promise<ProvisionAnswer>((resolve, reject) => {
        client.once("message", (_topic, content) => resolve(JSON.parse(content.toString())));
        client.once("close", () => reject(new Error("Not answered")));
      });
      const payload = typeof request === "string" ? request : JSON.stringify(request);
      await client.publishAsync(topics.provision.request, payload, { qos: 1 });
      return answer;
    };
  const transports: [string, Ask][] = [
    ["MQTT 3.1.1", byMqtt({ protocolVersion: 4 })],
    ["MQTT 5", byMqtt({ protocolVersion: 5 })],
    ["HTTP", byHttp()],
  ];
  const ask = byHttp();
  /** Asks again without an answer, as a device does that waited too long. */
  const patiently =
    (by: Ask): Ask =>
    (request) =>
      by(request).then(
        (answer) => ("status" in answer && typeof answer.status === "string" ? answer : patiently(by)(request)),
        () => patiently(by)(request),
      );

  const requestOf = ({ provisionKey, secret }: Key, deviceName: string, more: object = {}) => ({
    ...{ deviceName, provisionDeviceKey: provisionKey, provisionDeviceSecret: secret, ...more },
  });
  const tokenIn = (answer: ProvisionAnswer): string => {
    if (answer.status !== "SUCCESS") throw new Error(answer.errorMsg);
    return answer.credentialsValue;
  };
  const rowOf = async (key: Key) => {
    const { data } = await keyPage(world, owner, { page: 1, size: 20 });
    return data.find(({ provisioningKeyId }) => provisioningKeyId === key.provisioningKeyId);
  };
  const devices = () =>
    world.db.selectFrom("devices").selectAll().where("plant_id", "=", owner.plantId).orderBy("device_id").execute();
  const refused = (text: string, status = "FAILURE") => ({ status, errorMsg: expect.stringContaining(text) });
  const report = async (token: string) =>
    (await app.inject({ method: "POST", url: httpPath(token, "telemetry"), payload: '{"AI1": 4.2}' })).statusCode;

  it.each(transports)(
    "get a token by %s, and report with it as a device that the owner has added",
    async (_name, by) => {
      const key = await aProvisioningKey(world, owner);
      const answer = await by(requestOf(key, "SN-0001"));
      expect(answer).toEqual({
        status: "SUCCESS",
        credentialsType: "ACCESS_TOKEN",
        credentialsValue: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      });
      const client = await world.mqtt(tokenIn(answer));
      await client.publishAsync(topics.telemetry, '{"AI1": 4.2}', { qos: 1 });
      const [device, ...others] = await devices();
      expect(others).toEqual([]);
      expect(device).toMatchObject({ device_name: "SN-0001", type_id: Model.analog, device_sn: "AIS-420-16" });
      expect(device?.expire_time).toEqual(new Date(world.clock.now() + 365 * 86_400_000));
      const { rows } = await world.pool.query("SELECT action, detail, user_id FROM audit_log WHERE plant_id = $1", [
        owner.plantId,
      ]);
      expect(rows).toContainEqual({
        action: "device.add",
        detail: { deviceId: device?.device_id, deviceSnId: device?.device_sn_id, provisioningKey: "Line 4" },
        user_id: owner.userId,
      });
      expect(await rowOf(key)).toMatchObject({ deviceCount: 1, refusedCount: 0, lastUsedTime: world.clock.date() });
    },
  );

  it.each(transports)("are refused by %s for another secret, and for a key that there is not", async (_name, by) => {
    const key = await aProvisioningKey(world, owner);
    const wrong = await by(requestOf({ ...key, secret: "x" }, "SN-1"));
    expect(wrong).toEqual(refused("no such provisioning key", "NOT_FOUND"));
    expect(await by(requestOf({ ...key, provisionKey: "nobody's" }, "SN-1"))).toEqual(wrong);
    expect(await devices()).toEqual([]);
    expect(await rowOf(key)).toMatchObject({ refusedCount: 1, lastRefusal: "The secret was another" });
  });

  it.each(transports)("are refused by %s with a revoked, expired or used-up key", async (_name, by) => {
    const [revoked, expired, full] = [
      await aProvisioningKey(world, owner),
      await aProvisioningKey(world, owner),
      await aProvisioningKey(world, owner, { deviceLimit: 1, expireTime: new Date(world.clock.now() + 10 ** 9) }),
    ];
    const caller = { ...owner, address: "", userAgent: "", roleType: 1, isAdmin: false, dashboardId: null } as const;
    await revokeKey(world, revoked.provisioningKeyId, { ...caller, tokenHash: "" });
    expect(await by(requestOf(revoked, "SN-1"))).toEqual(refused("has been revoked"));
    world.clock.pass(86_400_000);
    expect(await by(requestOf(expired, "SN-1"))).toEqual(refused("has expired"));
    tokenIn(await by(requestOf(full, "SN-1")));
    expect(await by(requestOf(full, "SN-2"))).toEqual(refused("all of its devices (1)"));
    expect(await rowOf(full)).toMatchObject({ deviceCount: 1, refusedCount: 1, lastRefusedTime: world.clock.date() });
    expect(await devices()).toHaveLength(1);
  });

  it("get no token of a device that has reported, nor of one that the owner or another key has added", async () => {
    const key = await aProvisioningKey(world, owner);
    const token = tokenIn(await ask(requestOf(key, "SN-1")));
    expect(await report(token)).toBe(200);
    expect(await ask(requestOf(key, "SN-1"))).toEqual(refused("in the plant already"));
    expect(await report(token)).toBe(200);
    const own = await aProvisioningKey(world, { ...owner, plantId: world.plantId });
    const unit = await world.device();
    expect(await ask(requestOf(own, unit.deviceSnId))).toEqual(refused("in the plant already"));
    tokenIn(await ask(requestOf(key, "SN-2")));
    expect(await ask(requestOf(await aProvisioningKey(world, owner), "SN-2"))).toEqual(refused("in the plant already"));
    await world.telemetry.refusals.flush();
    const { rows } = await world.pool.query("SELECT reason, last_value FROM device_refusals WHERE device_id = $1", [
      unit.deviceId,
    ]);
    expect(rows).toEqual([{ reason: "provisioning_refused", last_value: unit.deviceSnId }]);
  });

  it("get another token as long as they have not reported; the one before ends at once", async () => {
    const key = await aProvisioningKey(world, owner);
    const first = tokenIn(await ask(requestOf(key, "SN-1")));
    const second = tokenIn(await ask(requestOf(key, "SN-1")));
    expect(second).not.toBe(first);
    expect(await report(first)).toBe(401);
    expect(await report(second)).toBe(200);
    expect(await rowOf(key)).toMatchObject({ deviceCount: 1 });
    expect(await devices()).toHaveLength(1);
  });

  it("may bring a token of their own, but not one that is in use", async () => {
    const key = await aProvisioningKey(world, owner);
    const credentials = { credentialsType: "ACCESS_TOKEN", token: "own-token-of-the-unit-1" };
    expect(tokenIn(await ask(requestOf(key, "SN-1", credentials)))).toBe(credentials.token);
    expect(await report(credentials.token)).toBe(200);
    expect(await ask(requestOf(key, "SN-2", credentials))).toEqual(refused("can't be used"));
    expect(await ask(requestOf(key, "SN-2", { token: "short" }))).toEqual(refused("20 to 64"));
    expect(await ask(requestOf(key, "SN-2", { credentialsType: "X509_CERTIFICATE", hash: "MIIB" }))).toEqual(
      refused("access token"),
    );
    expect(await devices()).toHaveLength(1);
  });

  it("come back after the owner has deleted them, as new devices", async () => {
    const key = await aProvisioningKey(world, owner);
    tokenIn(await ask(requestOf(key, "SN-1")));
    await world.pool.query("UPDATE devices SET plant_id = NULL WHERE plant_id = $1", [owner.plantId]);
    expect(await report(tokenIn(await ask(requestOf(key, "SN-1"))))).toBe(200);
    expect(await devices()).toHaveLength(1);
  });

  it.each([
    "{",
    "null",
    "[]",
    '"text"',
    "7",
    "{}",
    '{"deviceName": 7}',
    '{"deviceName": ["a"], "provisionDeviceKey": {}}',
    '{"deviceName": "", "provisionDeviceKey": "k", "provisionDeviceSecret": "s"}',
    '{"deviceName": "x", "provisionDeviceKey": "a\\u0000b", "provisionDeviceSecret": "s"}',
    '{"deviceName": "x", "provisionDeviceKey": {"$ne": null}, "provisionDeviceSecret": {"$ne": null}}',
    '{"deviceName": "x", "__proto__": {"provisionDeviceKey": "k"}}',
    `{"deviceName": "${"x".repeat(3_000)}"}`,
  ])("are refused for a payload that is no request: %s", async (payload) => {
    for (const [, by] of transports)
      expect(await by(payload)).toEqual({
        status: expect.stringMatching(/FAILURE|NOT_FOUND/),
        errorMsg: expect.any(String),
      });
  });

  it.each(transports)("without a secret are told by %s that it is missing", async (_name, by) => {
    const request = '{"deviceName": "SN-0002", "provisionDeviceKey": "k"}';
    expect(await by(request)).toMatchObject(refused("provisionDeviceSecret are missing"));
  });

  it.each(["a\u0000b", "a\nb", "\u202eetats", "\ud800", "x".repeat(65), " ", "\u200b"])(
    "may not be named %j",
    async (name) => {
      const key = await aProvisioningKey(world, owner);
      expect(await ask(requestOf(key, name))).toEqual(refused("deviceName"));
    },
  );

  it.each([
    "Насос №4",
    "ポンプ 😀",
    "'; DROP TABLE devices; --",
    "<b>pump</b>",
    "../../etc",
    "%00",
    "__proto__",
    "x".repeat(64),
  ])("may be named %j", async (name) => {
    const key = await aProvisioningKey(world, owner);
    expect(await report(tokenIn(await ask(requestOf(key, name))))).toBe(200);
    expect((await devices()).map(({ device_name }) => device_name)).toEqual([name]);
  });

  it("register as 300 at once, by MQTT and HTTP, from one address", async () => {
    const key = await aProvisioningKey(world, owner);
    const names = Array.from({ length: 310 }, (_, at) => `SN-${at}`);
    const bys = transports.map(([, by]) => patiently(by));
    const answers = await Promise.all(names.map((name, at) => (bys[at % 3] ?? ask)(requestOf(key, name))));
    const made = answers.filter(({ status }) => status === "SUCCESS").map(tokenIn);
    expect(new Set(made).size).toBe(300);
    expect(answers.filter(({ status }) => status === "FAILURE")).toHaveLength(10);
    expect(await rowOf(key)).toMatchObject({ deviceCount: 300 });
    expect(await devices()).toHaveLength(300);
    expect(await Promise.all(made.slice(0, 20).map(report))).toEqual(Array(20).fill(200));
  }, 120_000);

  it("at once under one name are one device, of which the last token works", async () => {
    const key = await aProvisioningKey(world, owner);
    const tokens = (await Promise.all(Array.from({ length: 10 }, () => ask(requestOf(key, "SN-1"))))).map(tokenIn);
    expect(await devices()).toHaveLength(1);
    expect((await Promise.all(tokens.map(report))).filter((status) => status === 200)).toHaveLength(1);
  });

  it("are not looked up any more after many wrong requests from their address; others are", async () => {
    const key = await aProvisioningKey(world, owner);
    const guesser = byHttp("198.51.100.7");
    for (let n = 0; n < 100; n += 1)
      expect(await guesser(requestOf({ ...key, secret: `guess ${n}` }, "SN-1"))).toMatchObject({ status: "NOT_FOUND" });
    expect(await guesser(requestOf(key, "SN-1"))).toEqual(refused("Too many tries"));
    tokenIn(await byHttp("198.51.100.8")(requestOf(key, "SN-1")));
    expect(await rowOf(key)).toMatchObject({ refusedCount: 100, deviceCount: 1 });
    world.clock.pass(300_000);
    tokenIn(await guesser(requestOf(key, "SN-2")));
  });

  it("can't use a key of a demonstration that is closed", async () => {
    const key = await aProvisioningKey(world, owner);
    const closed = { ...world.closed, userIds: new Set([owner.userId]) };
    const { refusals } = world.telemetry;
    const registration = createRegistration({ ...world, closed, refusals });
    expect(await registration.answer(requestOf(key, "SN-1"), "127.0.0.1")).toEqual(
      refused("no such provisioning key", "NOT_FOUND"),
    );
  });

  it("are limited for each key", async () => {
    const key = await aProvisioningKey(world, owner, { deviceLimit: 1 });
    const answers: ProvisionAnswer[] = [];
    for (let n = 0; n < 1_001; n += 1) answers.push(await ask(requestOf(key, `SN-${n}`)));
    expect(answers.at(-2)).toEqual(refused("all of its devices"));
    expect(answers.at(-1)).toEqual(refused("Too many tries"));
  }, 120_000);

  it("that have their token are told so", async () => {
    const { accessToken } = await world.device();
    const client = await world.mqtt(accessToken);
    await client.subscribeAsync(topics.provision.response);
    const answer = new Promise((resolve) =>
      client.once("message", (_topic, payload) => resolve(JSON.parse(`${payload}`))),
    );
    await client.publishAsync(topics.provision.request, "{}", { qos: 1 });
    expect(await answer).toEqual(refused("has its access token"));
  });
});
