import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { plans, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anEscalatingPlant, type EscalatingPlant, toAccount } from "../../test/test-escalating-plant.ts";
import { aPlan, aRoster } from "../../test/test-escalation.ts";
import { anAdmin } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let plant: EscalatingPlant;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  plant = await anEscalatingPlant(server);
});

describe("a plan", () => {
  test("says on the alert's page whom it notifies next, and when, until somebody confirms", async () => {
    const id = await aRoster(server.world, plant.owner);
    const ada = await anAdmin(server.world, plant.owner);
    await plant.plan([
      { after: 0, to: [toAccount(plant.owner)] },
      { after: 10, to: [{ kind: TargetKind.roster, id }] },
      { after: 30, to: [toAccount(ada)] },
    ]);
    await plant.raise();
    await plant.after(0);
    const at = server.world.clock.now();
    const alarmLogId = await plant.newest();
    const next = async () => (await server.as(plant.owner)(alertEntries.info, { alarmLogId })).next;
    expect(await next(), "nobody is on call").toEqual({ time: new Date(at + 600_000), to: ["Ada Tester"] });
    await server.as(plant.owner)(alerts.confirm, { alarmLogId });
    expect(await next()).toBeNull();
  });

  test("may go on naming somebody who has left, and is changed all the same", async () => {
    const ada = await anAdmin(server.world, plant.owner);
    const steps = [{ after: 0, to: [toAccount(plant.owner), toAccount(ada)] }];
    await plant.plan(steps);
    const gone = { removed_time: server.world.clock.date() };
    await server.world.db.updateTable("accounts").set(gone).where("account_id", "=", ada.accountId).execute();
    await plant.plan(steps, { planName: "Night shift" });
    const [plan] = await server.as(plant.owner)(plans.list);
    expect(plan).toMatchObject({ planName: "Night shift", steps: [{ to: [{ problem: "" }, { problem: "Removed" }] }] });
  });

  test("that is made the default is in the audit log with the one before", async () => {
    await server.as(plant.owner)(plans.makeDefault, { planId: await aPlan(server.world, plant.owner) });
    const [entry] = (await server.as(plant.owner)(audit.list)).data;
    expect(entry?.changes[0]).toMatchObject({ before: "Plant default", after: "Pump station" });
  });
});
