import { gzipSync } from "node:zlib";
import { httpPath } from "@telltale/contract/device-api";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { patience } from "./http-ingest.ts";

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

  const send = async (token: string, kind: "telemetry" | "attributes", payload?: string | Buffer) => {
    const answer = await app.inject({
      method: "POST",
      url: httpPath(encodeURIComponent(token), kind),
      ...(payload === undefined ? {} : { payload }),
    });
    return answer.statusCode;
  };

  it("are answered 200 when it is in the database", async () => {
    const device = await world.device();
    expect(await send(device.accessToken, "telemetry", '{"ts":1763700000000,"values":{"AI1":4.2}}')).toBe(200);
    expect(await world.readings(device, "AI1")).toEqual([{ ts: 1_763_700_000_000, value: 4.2, status: 1 }]);
    expect(await send(device.accessToken, "attributes", '{"power":80,"nonsense":1}')).toBe(200);
    const { rows } = await world.pool.query("SELECT power FROM devices WHERE device_id = $1", [device.deviceId]);
    expect(rows).toEqual([{ power: 80 }]);
  });

  it("are told what is wrong: an unknown token, no telemetry, too much of it", async () => {
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

  it("are not kept waiting for a database that is away, but told to come again", async () => {
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
    expect(Date.now() - began).toBeLessThan(patience + 2_000);
  });
});
