import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { httpPath, type RefusalReason } from "@telltale/contract/device-api";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { anUnclaimedDevice, type TestDevice } from "../test/test-devices.ts";
import { requestTimeout } from "./thingsboard-http/devices.ts";

describe("devices over HTTP", () => {
  let world: DeviceWorld;
  let app: FastifyInstance;
  beforeAll(async () => {
    world = await createDeviceWorld();
    app = Fastify();
    await app.register(world.gateway.http);
  });
  afterAll(async () => {
    await app.close();
    await world.close();
  });

  const post = (url: string, payload?: string | Buffer) =>
    app.inject({ method: "POST", url, ...(payload === undefined ? {} : { payload }) });
  const send = async (token: string, kind: "telemetry" | "attributes", payload?: string | Buffer) =>
    (await post(httpPath(encodeURIComponent(token), kind), payload)).statusCode;
  /** Status and body of the answer to a device API call. */
  const ask = async (method: "GET" | "POST", device: TestDevice, path: string, payload?: string) => {
    const url = `/api/v1/${device.accessToken}/${path}`;
    const answer = await app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
    return { status: answer.statusCode, body: answer.body === "" ? undefined : answer.json() };
  };
  const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;

  it("are answered 200 when it is in the database", async () => {
    const device = await world.device();
    expect(await send(device.accessToken, "telemetry", '{"ts":1763700000000,"values":{"AI1":4.2}}')).toBe(200);
    expect(await world.readings(device, "AI1")).toEqual([{ ts: 1_763_700_000_000, value: 4.2, status: 1 }]);
    expect(await send(device.accessToken, "attributes", '{"power":80,"nonsense":1}')).toBe(200);
    const { rows } = await world.pool.query("SELECT power FROM devices WHERE device_id = $1", [device.deviceId]);
    expect(rows).toEqual([{ power: 80 }]);
  });

  it.each(["json", "", "text/plain", "application/json, application/json"])(
    "are stored whatever they call the type of their body: '%s'",
    async (type) => {
      const device = await world.device();
      const headers = { "content-type": type };
      const url = httpPath(device.accessToken, "telemetry");
      const answer = await app.inject({ method: "POST", url, payload: '{"AI1": 4.2}', headers });
      expect(answer.json()).toEqual({ stored: 1, refused: 0 });
    },
  );

  it("get an error for an unknown token, invalid telemetry and too large a body", async () => {
    const { accessToken } = await world.device();
    for (const token of ["nobody", "a\u0000b", "__proto__", "a/b"])
      expect(await send(token, "telemetry", '{"AI1":1}')).toBe(401);
    for (const payload of ["null", "1", '"text"', "{", Buffer.from([0xff, 0xfe]), gzipSync('{"AI1":1}')])
      expect(await send(accessToken, "telemetry", payload)).toBe(400);
    for (const payload of ["null", "[]", "{", undefined])
      expect(await send(accessToken, "attributes", payload)).toBe(400);
    expect(await send(accessToken, "telemetry")).toBe(400);
    expect(await send(accessToken, "telemetry", `{"AI1":1,"pad":"${"x".repeat(300_000)}"}`)).toBe(413);
  });

  it("get the number of stored and refused values, and the reason", async () => {
    const device = await world.device();
    const telemetry = (payload: object) => ask("POST", device, "telemetry", JSON.stringify(payload));
    expect(await telemetry({ AI1: 4, AI2: 5 })).toEqual({ status: 200, body: { stored: 2, refused: 0 } });
    expect(await telemetry({ AI1: 4, AI9: 5, x: 1 })).toEqual({
      status: 200,
      body: { stored: 1, refused: 2, message: "2 of 3 values refused: the key is not known for this device" },
    });
    expect(await telemetry({ Temperature: 4, x: 1 })).toEqual({
      status: 400,
      body: {
        status: 400,
        stored: 0,
        refused: 2,
        message: "Nothing stored: none of the keys is known for this device",
      },
    });
    expect(await telemetry({ AI1: "four" })).toMatchObject({
      status: 400,
      body: { message: "Nothing stored: the value is no number" },
    });
    // Clients check with an empty message whether the server is reachable.
    expect(await telemetry({})).toEqual({ status: 200, body: { stored: 0, refused: 0 } });
    expect(await ask("POST", device, "attributes", '{"power": 60, "rssi": -70}')).toMatchObject({
      status: 200,
      body: { stored: 1, refused: 1 },
    });
  });

  it("get no 400 for a message that is refused only because of the device's state", async () => {
    const device = await anUnclaimedDevice(world);
    expect(await ask("POST", device, "telemetry", '{"AI1": 4}')).toEqual({
      status: 200,
      body: { stored: 0, refused: 1, message: "Nothing stored: the device has not been added to an account" },
    });
  });

  it("get the attributes they name, their own and those that are set for them", async () => {
    const device = await world.device();
    await ask("POST", device, "attributes", '{"power": 60, "firmwareVersion": "1.2"}');
    expect(await ask("GET", device, "attributes?clientKeys=power,humidity&sharedKeys=reportInterval")).toEqual({
      status: 200,
      body: { client: { power: 60 }, shared: { reportInterval: 60 } },
    });
    expect((await ask("GET", device, "attributes?clientKeys=firmwareVersion")).body).toEqual({
      client: { firmwareVersion: "1.2" },
    });
    expect((await ask("GET", device, "attributes")).body).toMatchObject({
      client: { power: 60, firmwareVersion: "1.2" },
      shared: { reportInterval: 60, settingsVersion: 1 },
    });
  });

  it("long-poll for a command, answer it, and poll again after a timeout", async () => {
    const device = await world.device();
    const known = await world.telemetry.registry.find({ deviceId: device.deviceId });
    if (!known) throw new Error("unknown device");
    expect(await ask("GET", device, "rpc?timeout=20")).toMatchObject({ status: 408 });
    const ready = new Promise((resolve) => world.bus.on("deviceReady", resolve));
    const polled = ask("GET", device, "rpc?timeout=20000");
    await ready;
    const called = world.gateway.callDevice(device.deviceId, "restart", {});
    const { status, body } = await polled;
    expect({ status, body }).toMatchObject({ status: 200, body: { method: "restart", params: {} } });
    expect(await ask("POST", device, `rpc/${body.id}`, '{"success": true}')).toMatchObject({ status: 200 });
    expect(await called).toEqual({ success: true });
  });

  it("that poll more often at once than they may are asked to poll again, and nothing is looked for", async () => {
    const device = await world.device();
    const ready: unknown[] = [];
    const off = world.bus.on("deviceReady", (event) => ready.push(event));
    const polled = Array.from({ length: 6 }, () => ask("GET", device, "rpc?timeout=300"));
    const answers = await Promise.all(polled);
    off();
    expect(answers.map(({ status }) => status)).toEqual(polled.map(() => 408));
    expect(ready).toEqual(Array.from({ length: 4 }, () => ({ deviceId: device.deviceId, isPoll: true })));
  });

  it("wait for changed settings", async () => {
    const device = await world.device();
    const polled = ask("GET", device, "attributes/updates?timeout=20000");
    const change = () => world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    const repeat = setInterval(change, 50);
    expect(await polled).toMatchObject({ status: 200, body: { settingsVersion: 1 } });
    clearInterval(repeat);
  });

  it("get an error for unsupported calls, which are counted", async () => {
    const device = await world.device();
    const before = { unsupported: totalOf("not_supported"), notOffered: totalOf("firmware_not_offered") };
    expect(await ask("POST", device, "claim", '{"secretKey": "x"}')).toMatchObject({
      status: 501,
      body: { message: expect.stringContaining("added in the console") },
    });
    expect(await ask("POST", device, "rpc", '{"method": "getTime", "params": {}}')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("getSessionLimits") },
    });
    expect(await ask("GET", device, "software?chunk=0")).toMatchObject({ status: 404 });
    expect(await ask("GET", device, "firmware?chunk=0")).toMatchObject({ status: 404 });
    expect(await ask("GET", device, "nonsense")).toMatchObject({ status: 404, body: { status: 404 } });
    expect((await post("/api/v1/provision", '{"deviceName": "x"}')).json()).toMatchObject({
      status: "FAILURE",
      errorMsg: expect.stringContaining("provisionDeviceKey and provisionDeviceSecret are missing"),
    });
    expect(totalOf("not_supported")).toBe(before.unsupported + 2);
    expect(totalOf("firmware_not_offered")).toBe(before.notOffered + 2);
    expect(await ask("POST", device, "rpc", '{"method": "getSessionLimits"}')).toMatchObject({
      status: 200,
      body: { maxPayloadSize: 262_144 },
    });
  });

  it("get 503 when the database is unavailable, instead of waiting", async () => {
    const device = await world.device();
    let back = () => {};
    const away = new Promise<void>((resolve) => {
      back = resolve;
    });
    void world.telemetry.writer.exclusively(() => away);
    const began = Date.now();
    const answers = await Promise.all([
      send(device.accessToken, "telemetry", '{"AI1":1}'),
      send(device.accessToken, "attributes", '{"power":1}'),
    ]);
    back();
    expect(answers).toEqual([503, 503]);
    expect(Date.now() - began).toBeLessThan(requestTimeout + 2_000);
  });

  it("get HTTP 404 at every unknown address, never a success", async () => {
    const { accessToken: token } = await world.device();
    const site = await buildApp(world, { deviceApi: world.gateway.http });
    for (const path of [
      "/api/v1/%ff/telemetry",
      `/api/v1/${token}/telemetry%`,
      `/api/v1/${token}/%ff`,
      `/api/v1/${token}`,
      `/api/v1/${token}/telemetry/more`,
      "/api/v1",
      "/api/v1/",
      "/api/v2",
      `/api/v2/${token}/telemetry`,
    ]) {
      const answer = await site.inject({ method: "POST", url: path, payload: '{"AI1":1}' });
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
    for (const url of [`/api/v1/${"x".repeat(400)}/telemetry`, `/api/v1/${"x".repeat(700)}/telemetry`])
      expect([401, 404]).toContain((await site.inject({ method: "POST", url, payload: "{}" })).statusCode);
    await site.close();
  });

  it("are authenticated independently of unauthenticated requests at the same time", async () => {
    const good = await Promise.all(Array.from({ length: 20 }, () => world.device()));
    const large = "x".repeat(300_000);
    const answers = await Promise.all(
      good.flatMap(({ accessToken }) => [
        post("/api/v1/provision", large),
        post("/api/v1/nothing", large),
        send(accessToken, "telemetry", '{"AI1":1}'),
      ]),
    );
    expect(answers.map((answer) => (typeof answer === "number" ? answer : answer.statusCode))).toEqual(
      good.flatMap(() => [413, 404, 200]),
    );
  });

  it("without a valid token are refused before their body is read", async () => {
    const unread = new Readable({ read: () => {} });
    const headers = { "content-length": "200000", "content-type": "application/json" };
    const url = httpPath("nobody", "telemetry");
    const answer = await app.inject({ method: "POST", url, headers, payload: unread });
    expect(answer.statusCode).toBe(401);
  });

  it("have limited concurrent fetches: more get 429, are counted, and block no one", async () => {
    const [greedy, other] = [await world.device(), await world.device()];
    const before = totalOf("too_many_requests");
    const fetchFirmware = () => ask("GET", greedy, "firmware?title=a&version=1");
    const [answers, its] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, fetchFirmware)),
      send(other.accessToken, "telemetry", '{"AI1":1}'),
    ]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(its).toBe(200);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(100 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    expect(totalOf("too_many_requests") - before).toBe(refused.length);
    expect((await fetchFirmware()).status, "and afterwards again").toBe(404);
  });
});
