import { createHash } from "node:crypto";
import { alerts } from "@telltale/contract/domains/alerts";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { DeviceStatus, devices, Model } from "@telltale/contract/domains/devices";
import { firmware } from "@telltale/contract/domains/firmware";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { history } from "@telltale/contract/domains/readings/history";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { createDemonstration } from "./create.ts";
import { demonstrationFleet, isDemonstration } from "./plants/fleet.ts";
import { demonstrationPassword, unclaimed, users } from "./plants/plants.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  expect(await isDemonstration(server.world.db)).toBe(false);
  expect(await createDemonstration(server.world)).toBe(true);
});
afterAll(() => server.close());

const signIn = (name: string) =>
  server.as()(accounts.login, { email: `${name}@telltale.local`, password: demonstrationPassword });

test("is created once", async () => {
  expect(await createDemonstration(server.world)).toBe(false);
  expect(await isDemonstration(server.world.db)).toBe(true);
});

test("every user signs in with the printed password, in the role of the name", async () => {
  for (const { email, roleType } of users) {
    const info = await server.as()(accounts.login, { email, password: demonstrationPassword });
    expect(info.hasInfo).toBe(true);
    expect(info.accounts.some((account) => account.roleType === roleType)).toBe(true);
  }
});

test("a user who has two accounts can change between them", async () => {
  const owner = await signIn("owner");
  expect(owner.accounts.map(({ alias, roleName, createdBy }) => [alias, roleName, createdBy])).toEqual([
    ["Riverside Works", "Owner", ""],
    ["Hillside Cold Storage", "Device manager", "Jonas Lind"],
  ]);
  const changed = await server.as(owner)(accounts.change, { accountId: owner.accounts[1]?.accountId ?? 0 });
  expect((await server.as(changed)(dashboards.tiles)).length).toBe(4);
});

describe("Riverside Works", () => {
  test("has a dashboard with tiles of every kind, whose unit parts can be loaded", async () => {
    const as = server.as(await signIn("owner"));
    const tiles = await as(dashboards.tiles);
    expect(new Set(tiles.map((tile) => tile.kind))).toEqual(new Set(Object.values(TileKind)));
    const wholes = tiles.filter((tile) => tile.kind !== TileKind.channel).map((tile) => tile.deviceChannelId);
    const parts = await as(dashboards.unitPart, { deviceChannelIds: wholes });
    expect(parts?.map((part) => part.modbusChannels.length).toSorted((a, b) => a - b)).toEqual([3, 27]);
  });

  test("has contacts in every state, and notifies only the verified ones", async () => {
    const known = await server.as(await signIn("owner"))(contacts.choices);
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set(Object.values(ContactStatus)));
    const received = await server.world.db
      .selectFrom("alarm_recipients")
      .innerJoin("contacts", "contacts.contact_id", "alarm_recipients.contact_id")
      .select("status")
      .execute();
    expect(received.map(({ status }) => status)).toEqual(received.map(() => ContactStatus.verified));
    expect(received.length).toBeGreaterThan(0);
  });

  test("shows a viewer the dashboard that is assigned", async () => {
    const as = server.as(await signIn("viewer"));
    expect((await as(dashboards.tiles)).map((tile) => tile.channelName)).toContain("Pump house door");
    const { data } = await as(devices.onDashboard, { page: 1 });
    expect(data.map((device) => device.deviceName).toSorted()).toEqual(["Control building", "Pump house 2"]);
  });

  test("has devices of every model, one never heard", async () => {
    const { data } = await server.as(await signIn("owner"))(devices.list, { size: 200 });
    const all = data.flatMap((device) => [device, ...device.subDevices]);
    expect(new Set(all.map((device) => device.typeId))).toEqual(new Set(Object.values(Model)));
    const statusOf = (name: string) => all.find((device) => device.deviceName === name)?.status;
    expect(statusOf("Tank farm")).toBe(DeviceStatus.inactive);
  });

  test("has a payment due as soon as the device is heard", async () => {
    const { db, clock } = server.world;
    await db
      .updateTable("devices")
      .set({ last_seen_time: clock.date(), is_online: true })
      .where("device_name", "=", "Compressor A")
      .execute();
    const { data } = await server.as(await signIn("owner"))(devices.list, { deviceName: "Compressor A" });
    expect(data.map((device) => device.status)).toEqual([DeviceStatus.paymentDue]);
  });

  test("has had other settings before, without a gap between the periods", async () => {
    const as = server.as(await signIn("owner"));
    const [tile] = await as(dashboards.tiles);
    const { data } = await as(history.periods, { channelId: tile?.deviceChannelId ?? 0 });
    expect(data).toHaveLength(4);
    expect(data[0]?.endTime).toBeNull();
    expect(data[1]?.endTime).toEqual(data[0]?.startTime);
    expect(data[2]?.endTime).toEqual(data[1]?.startTime);
  });

  test("has not heard of any device for the first time today", async () => {
    const { data } = await server.as(await signIn("owner"))(alerts.notifications, { size: 200 });
    const first = data.filter(({ msg }) => msg === "Online for the first time");
    expect(first.length).toBeGreaterThan(8);
    const yesterday = server.world.clock.now() - 86_400_000;
    expect(first.filter(({ createdTime }) => createdTime.getTime() > yesterday)).toEqual([]);
  });
});

test("one device can be updated, and its image is the announced one", async () => {
  const as = server.as(await signIn("owner"));
  const { data } = await as(firmware.list, { size: 200 });
  await server.world.db.updateTable("devices").set({ firmware_version: "2.4.1" }).execute();
  const run = (await as(firmware.list, { size: 200 })).data;
  expect(data.length).toBe(run.length);
  expect(
    run.filter(({ versionStatus }) => versionStatus === "NEW").map((row) => [row.deviceName, row.latestVersion]),
  ).toEqual([["Pump house 2", "2.5.0"]]);
  for (const image of await server.world.db.selectFrom("firmware_images").selectAll().execute()) {
    const bytes = await server.world.files.readPart(image.file, 0, image.size);
    expect(
      createHash("sha256")
        .update(bytes ?? "")
        .digest("hex"),
    ).toBe(image.sha256);
  }
});

describe("the units to try the add-device dialog with", () => {
  test("are found by their IDs", async () => {
    const as = server.as(await signIn("installer"));
    for (const { deviceSnId, model } of unclaimed)
      expect(await as(devices.lookUp, { deviceSnId })).toMatchObject({ deviceSnId, typeId: model });
  });
});

describe("the simulated fleet", () => {
  test("is every device that is to be heard, with credentials; a sub-device knows its master", async () => {
    const fleet = await demonstrationFleet(server.world.db, server.world.clock.date());
    const names = fleet.map((device) => device.deviceName);
    expect(names).toContain("Pump house 2");
    expect(names, "went silent and is not simulated any more").not.toContain("Cold store 4");
    expect(names).not.toContain("Tank farm");
    expect(fleet.map((device) => device.deviceSnId)).toEqual(
      expect.arrayContaining(unclaimed.map((unit) => unit.deviceSnId)),
    );
    const ids = new Set(fleet.map((device) => device.deviceSnId));
    expect(
      fleet.filter((device) => device.parentDeviceSnId).every((device) => ids.has(device.parentDeviceSnId ?? "")),
    ).toBe(true);
    expect(fleet.every((device) => device.accessToken.length === 20 && device.channels.length > 0)).toBe(true);
  });
});
