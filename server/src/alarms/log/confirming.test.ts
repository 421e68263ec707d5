import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { LiveCommand } from "@telltale/contract/live";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anInstaller, anOwner, aSupportView } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });

/** Creates an owner with a device, and a shortcut to write its alerts. */
const aPlant = async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const alert = (wanted: Partial<Parameters<typeof anAlert>[2]> = {}) =>
    anAlert(server.world, owner, { deviceId: device.deviceId, channelId: Number(device.channels.AI1), ...wanted });
  return { owner, device, alert };
};

describe("confirming", () => {
  test("records who and when, notifies the consoles once, and remains when the alert clears", async () => {
    const { owner, device, alert } = await aPlant();
    const alarmLogId = await alert();
    const heard: unknown[] = [];
    const off = server.world.bus.on("live", (event) => heard.push(event));
    const installer = await anInstaller(server.world, owner);
    await server.as(installer)(alerts.confirm, { alarmLogId });
    await server.as(owner)(alerts.confirm, { alarmLogId });
    off();
    expect(heard).toEqual([
      { plantId: owner.plantId, message: { cmd: LiveCommand.alertChange, deviceId: device.deviceId } },
    ]);
    await server.world.db
      .updateTable("alerts")
      .set({ status: 3, cleared_time: new Date() })
      .where("alert_id", "=", alarmLogId)
      .execute();
    const { data } = await server.as(owner)(alerts.log);
    expect(data[0]).toMatchObject({ status: 3, acceptName: "Ines Tester", acceptTime: server.world.clock.date() });
  });

  test("is in the audit log, one by one and all together, and only where something was confirmed", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    for (const _again of [1, 2]) await server.as(owner)(alerts.confirm, { alarmLogId });
    await alert();
    await alert();
    for (const _again of [1, 2]) await server.as(owner)(alerts.confirmAll);
    const { data } = await server.as(owner)(audit.list);
    const log = data.filter(({ action }) => action.startsWith("alert."));
    expect(
      log.map(({ action, name, changes }) => [action, name, changes.map(({ before, after }) => [before, after])]),
    ).toEqual([
      ["alert.confirmAll", "Olga Tester", [[null, "2"]]],
      [
        "alert.confirm",
        "Olga Tester",
        [
          ["Triggered", "Confirmed"],
          [null, String(alarmLogId)],
        ],
      ],
    ]);
  });

  test("a cleared alert changes nothing", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert({ status: 3 });
    await server.as(owner)(alerts.confirm, { alarmLogId });
    expect((await server.as(owner)(alerts.log)).data[0]).toMatchObject({
      status: 3,
      acceptTime: null,
      acceptName: null,
    });
  });

  test("another plant's alert, or an unknown one, is not found", async () => {
    const [one, other] = [await aPlant(), await aPlant()];
    const alarmLogId = await other.alert();
    await expect(server.as(one.owner)(alerts.confirm, { alarmLogId })).rejects.toEqual(refusal(404));
    await expect(server.as(one.owner)(alerts.confirm, { alarmLogId: 2_000_000_000 })).rejects.toEqual(refusal(404));
    expect((await server.as(other.owner)(alerts.log)).data[0]?.status).toBe(1);
  });

  test("is not for a support view", async () => {
    const { owner, alert } = await aPlant();
    const support = server.as(await aSupportView(server.world, owner));
    await expect(support(alerts.confirm, { alarmLogId: await alert() })).rejects.toEqual(refusal(403));
    await expect(support(alerts.confirmAll)).rejects.toEqual(refusal(403));
  });

  test("one alert twenty times at once has one confirmer and one message", async () => {
    const { owner, alert } = await aPlant();
    const alarmLogId = await alert();
    const people = [owner, await anInstaller(server.world, owner)];
    let heard = 0;
    const off = server.world.bus.on("live", () => {
      heard += 1;
    });
    await Promise.all(Array.from({ length: 20 }, (_, i) => server.as(people[i % 2])(alerts.confirm, { alarmLogId })));
    off();
    expect(heard).toBe(1);
  });

  test("all counts each alert once, however many confirm all at once, and tells of each device once", async () => {
    const { owner, alert } = await aPlant();
    for (let i = 0; i < 30; i += 1) await alert({ alarmClass: i % 2 ? 2 : 4, alarmType: i % 2 ? 1 : 3 });
    await alert({ status: 3 });
    let heard = 0;
    const off = server.world.bus.on("live", () => {
      heard += 1;
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.as(owner)(alerts.confirmAll)));
    off();
    expect(answers.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(30);
    expect(heard).toBeLessThanOrEqual(answers.filter(({ confirmed }) => confirmed > 0).length);
    expect(await server.as(owner)(alerts.unconfirmed)).toEqual([]);
    expect((await server.as(owner)(alerts.log, { status: [2] })).total).toBe(30);
  });

  test("all of one plant leaves the others alone", async () => {
    const [one, other] = [await aPlant(), await aPlant()];
    await Promise.all([one.alert(), other.alert()]);
    expect(await server.as(one.owner)(alerts.confirmAll)).toEqual({ confirmed: 1 });
    expect(await server.as(other.owner)(alerts.unconfirmed)).toHaveLength(1);
  });
});
