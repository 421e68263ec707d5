import { alarms } from "@telltale/contract/domains/alarms";
import { TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { ContactType } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../../test/test-contacts.ts";
import { anEscalatingPlant, type EscalatingPlant } from "../../test/test-escalating-plant.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createSilenceEnds } from "../index.ts";

let server: TestServer;
let plant: EscalatingPlant;
let phone: number;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  plant = await anEscalatingPlant(server);
  phone = await aContact(server.world, plant.owner, { type: ContactType.phone });
});

/** The plan's steps go to the phone by SMS every five minutes, and that the alert has cleared. */
const textEveryFiveMinutes = () =>
  plant.plan([{ after: 0, to: [{ kind: TargetKind.contact, id: phone }] }], {
    repeat: { every: 5, times: 12 },
    backToNormalBySms: true,
  });
const texts = () =>
  server.world.db.selectFrom("outbox").selectAll().where("plant_id", "=", plant.owner.plantId).execute();

describe("a phone gets at most 6 SMS about an alert", () => {
  test("by the steps of its plan", async () => {
    await textEveryFiveMinutes();
    await plant.raise();
    for (let step = 0; step < 14; step++) await plant.after(5);
    expect(await texts()).toHaveLength(6);
  });

  test("with the one that it is back to normal, which comes as long as there were fewer", async () => {
    await textEveryFiveMinutes();
    const [long, short] = [await plant.raise(), await plant.raise()];
    for (let step = 0; step < 3; step++) await plant.after(5);
    await plant.clear(short);
    await plant.after(0);
    for (let step = 0; step < 10; step++) await plant.after(5);
    await plant.clear(long);
    await plant.after(0);
    const rows = await texts();
    expect(rows.filter(({ round }) => round === -1)).toHaveLength(1);
    const counts = Array.from(Map.groupBy(rows, ({ alert_id }) => alert_id).values(), (ofAlert) => ofAlert.length);
    expect(Math.max(...counts)).toBe(6);
  });

  test("with those of its rule each time a silence returns", async () => {
    const { owner, device } = plant;
    await plant.plan([{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }]);
    const rule = { alarmName: "Limits", alarmClass: AlertClass.threshold, deviceId: device.deviceId };
    await server.as(owner)(alarms.add, { ...rule, notifyUserIds: [phone] });
    await plant.raise();
    const shelf = { kind: SilenceKind.shelf, minutes: 15, reason: "Cleaning", alarmLogId: await plant.newest() };
    for (let time = 0; time < 8; time++) {
      await server.as(owner)(silences.add, shelf);
      server.world.clock.pass(16 * 60_000);
      await createSilenceEnds(plant.needs()).run();
    }
    const toPhone = (await texts()).filter(({ kind }) => kind === ContactType.phone);
    expect(toPhone).toHaveLength(6);
  });
});
