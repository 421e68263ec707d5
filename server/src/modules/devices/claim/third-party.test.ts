import type { Client } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { topics } from "@telltale/contract/device-api";
import { deviceConfiguration, ModbusCheck } from "@telltale/contract/domains/device-configuration";
import { DeviceStatus, DeviceType, devices, Model } from "@telltale/contract/domains/devices";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../../../app.ts";
import { CallFailed } from "../../../platform/device-calls.ts";
import { createDeviceWorld, type DeviceWorld } from "../../../test/device-world.ts";
import { rpcDevice } from "../../../test/rpc-device.ts";
import { aDevice, type TestDevice } from "../../../test/test-devices.ts";
import { anOwner, type Person } from "../../../test/test-people.ts";
import { clientsOf } from "../../../test/test-server.ts";

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
let as: Client;
let station: TestDevice;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { callDevice: world.gateway.callDevice });
});
beforeEach(async () => {
  owner = await anOwner(world);
  as = clientsOf(app)(owner);
  station = await aDevice(world, owner, { name: "Pump house", model: Model.mixed });
});
afterAll(async () => {
  await app.close();
  await world.close();
});

const rowOf = async ({ deviceId }: { deviceId: number }) => {
  const { data } = await as(devices.list);
  return data.flatMap((row) => [row, ...row.subDevices]).find((row) => row.deviceId === deviceId);
};
const input = () => ({
  deviceSn: "MPA2-240-32" as const,
  address: 7,
  deviceName: "Drive",
  parentDeviceId: station.deviceId,
});

test("a third-party device is added at an address that no other has, by name and master", async () => {
  const { deviceId, deviceSnId } = await as(deviceConfiguration.addThirdParty, input());
  expect(await rowOf({ deviceId })).toMatchObject({
    deviceSnId,
    typeId: Model.motorController,
    deviceType: DeviceType.sub,
    parentDeviceName: "Pump house",
    status: DeviceStatus.inactive,
  });
  await expect(as(deviceConfiguration.addThirdParty, { ...input(), deviceName: "Other" })).rejects.toEqual(
    refusal(Code.conflict, "Address 7 of this master belongs to Drive"),
  );
  const master = { parentDeviceId: deviceId, address: 8 };
  await expect(as(deviceConfiguration.addThirdParty, { ...input(), ...master })).rejects.toEqual(refusal(Code.invalid));
});

test("of ten who add one at the same address, one does", async () => {
  const tries = Array.from({ length: 10 }, () => as(deviceConfiguration.addThirdParty, input()));
  const answers = await Promise.allSettled(tries);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a third-party device asks for address, name and master", async () => {
  const post = async (fields: Record<string, string>) =>
    (
      await app.inject({
        method: "POST",
        url: `${deviceConfiguration.addThirdParty.path}?token=${owner.token}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams({ deviceSn: "MPA2-240-32", ...fields }).toString(),
      })
    ).json<{ msg: string }>().msg;
  const given = { address: "7", deviceName: "Drive", parentDeviceId: String(station.deviceId) };
  expect(await post({ ...given, address: "" })).toBe("Address cannot be blank");
  expect(await post({ ...given, address: "248" })).toBe("Enter an address from 1 to 247");
  expect(await post({ ...given, deviceName: "" })).toBe("DEVICE NAME Cannot be blank");
  expect(await post({ ...given, parentDeviceId: "" })).toBe("Please select a Master device");
  expect(await post({ ...given, deviceSn: "MPA3" })).toBe("The P/N is MPA2-240-32");
});

test("a third-party device is checked by its master: found, not answering, or the master is offline", async () => {
  const { deviceId } = await as(deviceConfiguration.addThirdParty, input());
  const check = () => as(deviceConfiguration.checkThirdParty, { deviceId });
  expect(await check()).toMatchObject({ state: ModbusCheck.masterNotConnected, address: 7, baudRate: 9600 });
  let isThere = true;
  const asks: unknown[] = [];
  await rpcDevice(world, station, (method, params) => {
    asks.push([method, params]);
    return isThere ? { success: true } : { success: false, error: "No answer" };
  });
  expect(await check()).toMatchObject({ state: ModbusCheck.found, msg: "Drive answers at address 7" });
  expect(asks).toEqual([["modbusCheck", expect.objectContaining({ address: 7, baudRate: 9600 })]]);
  isThere = false;
  expect(await check()).toMatchObject({
    state: ModbusCheck.notAnswering,
    msg: expect.stringMatching(/^Drive does not answer at address 7.*\(No answer\)$/),
  });
});

test("a third-party device whose master is silent is neither found nor missing", async () => {
  const silent = await buildApp(
    { ...world, metrics: new Registry() },
    { callDevice: () => Promise.reject(new CallFailed("no-answer")) },
  );
  const { deviceId } = await as(deviceConfiguration.addThirdParty, input());
  const found = await clientsOf(silent)(owner)(deviceConfiguration.checkThirdParty, { deviceId });
  expect(found).toMatchObject({ state: ModbusCheck.masterSilent });
  await silent.close();
});

test("a third-party device reports through its master, under the ID that the server made", async () => {
  const { deviceId, deviceSnId } = await as(deviceConfiguration.addThirdParty, input());
  const master = await world.mqtt(station.accessToken);
  const telemetry = { [deviceSnId]: [{ ts: world.clock.now(), values: { "I A": 12.5 } }] };
  await master.publishAsync(topics.gateway.telemetry, JSON.stringify(telemetry), { qos: 1 });
  expect(await rowOf({ deviceId })).toMatchObject({ status: DeviceStatus.normal });
});

test("a third-party device that was claimed by its own ID has no address to check", async () => {
  const motor = await aDevice(world, owner, {
    model: Model.motorController,
    deviceType: DeviceType.sub,
    parentDeviceId: station.deviceId,
  });
  await expect(as(deviceConfiguration.checkThirdParty, { deviceId: motor.deviceId })).rejects.toEqual(
    refusal(Code.invalid),
  );
});
