import { Code } from "@telltale/contract/call/codes";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices, Model } from "@telltale/contract/domains/devices";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";
import { anAdmin, anInstaller, anOwner, type Person } from "../test/test-people.ts";
import { aProvisioningKey } from "../test/test-provisioning.ts";
import { clientsOf } from "../test/test-server.ts";

let world: DeviceWorld;
let app: FastifyInstance;
let owner: Person;
beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world, { deviceApi: world.gateway.http });
});
beforeEach(async () => {
  owner = await anOwner(world);
});
afterAll(async () => {
  await app.close();
  await world.close();
});

type Key = Awaited<ReturnType<typeof aProvisioningKey>>;
const as = (person = owner) => clientsOf(app)(person);
const expectOne = (serial: string, more: object = {}, person = owner) =>
  as(person)(provisioning.expect, { serial, deviceName: `Pump ${serial}`, model: Model.mixed, ...more });
const register = async (serial: string, { provisionKey, secret }: Key) => {
  const payload = { deviceName: serial, provisionDeviceKey: provisionKey, provisionDeviceSecret: secret };
  return (await app.inject({ method: "POST", url: "/api/v1/provision", payload })).json();
};
const publish = async (token: string) =>
  (await app.inject({ method: "POST", url: `/api/v1/${token}/telemetry`, payload: { AI1: 4 } })).statusCode;

test("a device is configured before it registers itself, and then sends by the token that it gets", async () => {
  const key = await aProvisioningKey(world, owner, { model: Model.mixed });
  const { deviceId } = await expectOne("SN-1");
  const { channels } = await as()(channelSettings.setup, { deviceId });
  const channelId = channels.find(({ channelCn }) => channelCn === "AI1")?.deviceChannelId ?? 0;
  await as()(channelSettings.modify, { deviceId, payload: [{ channelId, channelName: "Level", channelKeys: {} }] });
  expect((await as()(provisioning.serials, {})).data).toEqual([{ deviceId, serial: "SN-1", isExpected: true }]);
  const answer = await register("SN-1", key);
  expect(answer).toMatchObject({ status: "SUCCESS" });
  expect(await publish(answer.credentialsValue)).toBe(200);
  expect((await as()(devices.list, {})).data).toMatchObject([{ deviceId, deviceName: "Pump SN-1" }]);
  expect((await as()(provisioning.serials, {})).data).toMatchObject([{ isExpected: false }]);
  expect((await as()(provisioning.list, {})).data).toMatchObject([{ deviceCount: 1 }]);
  expect(await register("SN-1", key)).toMatchObject({
    status: "FAILURE",
    errorMsg: expect.stringContaining("already"),
  });
});

test("one whose answer was lost asks again by the same key, and by no other", async () => {
  const [first, second] = [
    await aProvisioningKey(world, owner, { model: Model.mixed }),
    await aProvisioningKey(world, owner, { model: Model.mixed }),
  ];
  await expectOne("SN-1");
  const lost = await register("SN-1", first);
  expect(await register("SN-1", second)).toMatchObject({ status: "FAILURE" });
  const again = await register("SN-1", first);
  expect(await publish(lost.credentialsValue)).toBe(401);
  expect(await publish(again.credentialsValue)).toBe(200);
  expect((await as()(provisioning.list, {})).data.map(({ deviceCount }) => deviceCount)).toEqual([0, 1]);
});

test("a key of another model, of another plant, or that is used up gives it nothing", async () => {
  await expectOne("SN-1");
  const analog = await aProvisioningKey(world, owner, { model: Model.analog });
  expect(await register("SN-1", analog)).toMatchObject({ errorMsg: expect.stringContaining("expects a MIX") });
  const full = await aProvisioningKey(world, owner, { model: Model.mixed, deviceLimit: 1 });
  await register("SN-2", full);
  expect(await register("SN-1", full)).toMatchObject({ errorMsg: expect.stringContaining("added all") });
  const foreign = await aProvisioningKey(world, await anOwner(world), { model: Model.mixed });
  expect(await register("SN-1", foreign)).toMatchObject({ status: "SUCCESS" });
  expect((await as()(provisioning.serials, {})).data).toContainEqual(
    expect.objectContaining({ serial: "SN-1", isExpected: true }),
  );
});

test("a serial number is expected once, and one that has registered itself is not expected", async () => {
  const key = await aProvisioningKey(world, owner, { model: Model.mixed });
  await register("SN-2", key);
  await expectOne("SN-1");
  for (const serial of ["SN-1", "SN-2"])
    await expect(expectOne(serial)).rejects.toMatchObject({ message: expect.stringContaining(serial) });
  const installer = await anInstaller(world, owner);
  await expect(expectOne("SN-3", {}, installer)).rejects.toMatchObject({ code: Code.notAllowed });
  await expect(expectOne("SN-3", { model: Model.motorController })).rejects.toMatchObject({ code: Code.invalid });
});

test("owner and admins see which devices are awaited, since when and by whom, until they register", async () => {
  const key = await aProvisioningKey(world, owner, { model: Model.mixed });
  const since = world.clock.date();
  const first = await expectOne("SN-1");
  world.clock.pass(60_000);
  await expectOne("SN-2", { deviceName: "Feed pump" }, await anAdmin(world, owner));
  const awaited = async (person = owner) => as(person)(provisioning.expected, { page: 1, size: 1 });
  expect(await awaited()).toEqual({
    ...{ page: 1, total: 2, total_pages: 2 },
    data: [
      {
        ...{ deviceId: first.deviceId, serial: "SN-1", deviceName: "Pump SN-1", deviceSn: "MIX-420-10" },
        ...{ expectedTime: since, announcedBy: "Olga Tester", apiKeyName: "" },
      },
    ],
  });
  await register("SN-1", key);
  expect(await awaited()).toMatchObject({ total: 1, data: [{ serial: "SN-2", deviceName: "Feed pump" }] });
  expect((await awaited(await anOwner(world))).data).toEqual([]);
  await expect(awaited(await anInstaller(world, owner))).rejects.toMatchObject({ code: Code.notAllowed });
});

test("a device that was only awaited leaves nothing behind when it is removed, and can be awaited again", async () => {
  const { deviceId } = await expectOne("SN-1");
  const [{ deviceSnId } = { deviceSnId: "" }] = (await as()(devices.list, {})).data;
  await as()(deviceConfiguration.remove, { deviceId });
  expect((await as()(provisioning.expected, {})).data).toEqual([]);
  await expect(as()(devices.lookUp, { deviceSnId })).rejects.toMatchObject({ code: Code.notFound });
  await expectOne("SN-1", { deviceName: "Pump again" });
  expect((await as()(provisioning.expected, {})).data).toMatchObject([{ serial: "SN-1", deviceName: "Pump again" }]);
});
