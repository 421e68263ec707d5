import { plans, rosters, type Shift, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { audit } from "@telltale/contract/domains/audit";
import { users } from "@telltale/contract/domains/people/users";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aRoster as aStoredRoster, aSwap } from "../../test/test-escalation.ts";
import {
  aDeviceManager,
  anAdmin,
  anInstaller,
  anOwner,
  aSupportView,
  aViewer,
  type Person,
} from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let manager: Person;
let installer: Person;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  manager = await aDeviceManager(server.world, owner);
  installer = await anInstaller(server.world, owner);
});

const refusal = (code: number, message?: string) => expect.objectContaining(message ? { code, message } : { code });
const hour = 3_600_000;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const shift = (from: number, to: number, { accountId }: Person, days = everyDay): Shift => ({
  ...{ days, from: from * 60, to: to * 60, accountId },
});
const fields = (shifts: Shift[] = []) => ({ rosterName: "Duty electrician", timeZoneId: "UTC", shifts });
/** The installer by day, 6 to 18, the device manager from 18 to midnight; nobody afterwards. */
const aRoster = async () =>
  (await server.as(owner)(rosters.add, fields([shift(6, 18, installer), shift(18, 24, manager)]))).rosterId;
/** A time of tomorrow. */
const tomorrow = (hours: number): Date => {
  const midnight = Math.ceil(server.world.clock.now() / (24 * hour)) * 24 * hour;
  return new Date(midnight + hours * hour);
};
const swap = (rosterId: number, { accountId }: Person, [from, to]: [number, number], by: Person = owner) =>
  server.as(by)(rosters.swap, { rosterId, accountId, from: tomorrow(from), to: tomorrow(to) });
const onCall = async (rosterId: number, by: Person = owner) =>
  (await server.as(by)(rosters.onCall, { rosterId, from: tomorrow(0), to: tomorrow(24) })).map((span) => [
    ...[(span.from.getTime() - tomorrow(0).getTime()) / hour, (span.to.getTime() - tomorrow(0).getTime()) / hour],
    ...[span.name, span.insteadOf],
  ]);
const audited = async () =>
  (await server.as(owner)(audit.list)).data.filter(({ action }) => action.startsWith("roster."));

describe("a roster", () => {
  test("tells who is on call, with the gaps; its changes are kept and recorded", async () => {
    const rosterId = await aRoster();
    expect(await onCall(rosterId)).toEqual([
      [0, 6, "", null],
      [6, 18, "Ines Tester", null],
      [18, 24, "Dmitri Tester", null],
    ]);
    const changed = { ...fields([shift(0, 24, manager)]), rosterName: "Standby", timeZoneId: "Europe/Budapest" };
    await server.as(manager)(rosters.update, { rosterId, ...changed, version: 1 });
    expect(await server.as(installer)(rosters.list)).toEqual([{ rosterId, ...changed, swaps: [], version: 2 }]);
    await expect(server.as(owner)(rosters.update, { rosterId, ...changed, version: 1 })).rejects.toEqual(refusal(409));
    await server.as(owner)(rosters.remove, { rosterId });
    expect(await server.as(owner)(rosters.list)).toEqual([]);
    const [removed, edited, added] = await audited();
    expect([removed, edited, added].map((row) => row?.action)).toEqual(["roster.delete", "roster.edit", "roster.add"]);
    expect(edited?.changes).toContainEqual({ field: "rosterName", before: "Duty electrician", after: "Standby" });
    expect(JSON.stringify(edited?.changes)).toContain("Ines Tester, Mon Tue Wed Thu Fri Sat Sun, 06:00 to 18:00");
  });

  test("that a plan notifies is not deleted, and the refusal names the plan", async () => {
    const rosterId = await aRoster();
    const steps = [{ after: 0, to: [{ kind: TargetKind.roster, id: rosterId }] }];
    const plan = { planName: "Pump station", steps, repeat: null, backToNormal: true, backToNormalBySms: false };
    const { planId } = await server.as(owner)(plans.add, plan);
    await expect(server.as(owner)(rosters.remove, { rosterId })).rejects.toEqual(
      refusal(409, "The plan 'Pump station' notifies this roster. Take it out of the plan first"),
    );
    await server.as(owner)(plans.remove, { planId });
    await server.as(owner)(rosters.remove, { rosterId });
  });

  test("has only people of the plant, a known time zone, and whole shifts", async () => {
    const stranger = await anOwner(server.world);
    await expect(server.as(owner)(rosters.add, fields([shift(6, 18, stranger)]))).rejects.toEqual(refusal(404));
    const rosterId = await aRoster();
    await expect(server.as(stranger)(rosters.update, { rosterId, ...fields() })).rejects.toEqual(refusal(404));
    await expect(server.as(owner)(rosters.add, { ...fields(), timeZoneId: "Europe/Atlantis" })).rejects.toEqual(
      refusal(422, "Choose a time zone"),
    );
    await expect(server.as(owner)(rosters.add, fields([shift(6, 18, manager, [])]))).rejects.toEqual(
      refusal(422, "Choose the days of the shift"),
    );
  });

  test("has a gap where somebody has left the plant, as notifications have", async () => {
    const rosterId = await aRoster();
    await swap(rosterId, manager, [8, 9]);
    await server.as(owner)(users.remove, { accountId: manager.accountId });
    expect(await onCall(rosterId)).toEqual([
      [0, 6, "", null],
      [6, 18, "Ines Tester", null],
      [18, 24, "", null],
    ]);
    const [roster] = await server.as(owner)(rosters.list);
    expect(roster?.shifts).toHaveLength(2);
    expect(roster?.swaps).toEqual([]);
  });

  test("is asked about for 62 days at most, that end after they begin", async () => {
    const rosterId = await aRoster();
    const ask = (from: Date, to: Date) => server.as(owner)(rosters.onCall, { rosterId, from, to });
    await expect(ask(tomorrow(1), tomorrow(1))).rejects.toEqual(refusal(422, "To must be later than from"));
    const longer = tomorrow(62 * 24 + 1);
    await expect(ask(tomorrow(0), longer)).rejects.toEqual(refusal(422, "From and to are at most 62 days apart"));
    expect((await ask(tomorrow(0), tomorrow(62 * 24))).length).toBeGreaterThan(180);
  });
});

describe("a swap", () => {
  test("replaces who is on call for its time, is recorded, and can be taken back", async () => {
    const rosterId = await aRoster();
    const { swapId } = await swap(rosterId, owner, [16, 20]);
    expect(await onCall(rosterId)).toEqual([
      [0, 6, "", null],
      [6, 16, "Ines Tester", null],
      [16, 18, "Olga Tester", "Ines Tester"],
      [18, 20, "Olga Tester", "Dmitri Tester"],
      [20, 24, "Dmitri Tester", null],
    ]);
    const [roster] = await server.as(owner)(rosters.list);
    expect(roster?.swaps).toEqual([
      {
        ...{ swapId, accountId: owner.accountId, name: "Olga Tester", insteadOf: "Ines Tester, Dmitri Tester" },
        ...{ from: tomorrow(16), to: tomorrow(20), mayEnd: true },
      },
    ]);
    await server.as(manager)(rosters.endSwap, { swapId });
    expect(await onCall(rosterId)).toHaveLength(3);
    await expect(server.as(manager)(rosters.endSwap, { swapId })).rejects.toEqual(refusal(404));
    expect((await audited()).map(({ action }) => action)).toEqual(["roster.endSwap", "roster.swap", "roster.add"]);
  });

  test("tells whom it replaced when it was made, whatever becomes of the shifts", async () => {
    const rosterId = await aRoster();
    await swap(rosterId, owner, [16, 20]);
    await server.as(owner)(rosters.update, { rosterId, ...fields([shift(0, 24, owner)]) });
    const [listed] = (await server.as(owner)(rosters.list))[0]?.swaps ?? [];
    expect(listed?.insteadOf).toBe("Ines Tester, Dmitri Tester");
  });

  test("fills a gap; taken back in its midst, what was remains", async () => {
    const rosterId = await aRoster();
    const { swapId } = await swap(rosterId, owner, [1, 5]);
    expect((await onCall(rosterId)).slice(0, 3)).toEqual([
      [0, 1, "", null],
      [1, 5, "Olga Tester", null],
      [5, 6, "", null],
    ]);
    const day = tomorrow(0);
    server.world.clock.pass(tomorrow(2).getTime() - server.world.clock.now());
    // Shortly after midnight that is longer than a session lasts.
    const later = server.as(await anAdmin(server.world, owner));
    await later(rosters.endSwap, { swapId });
    const spans = await later(rosters.onCall, {
      rosterId,
      from: day,
      to: new Date(day.getTime() + 6 * hour),
    });
    expect(spans.map(({ name, to }) => [name, (to.getTime() - day.getTime()) / hour])).toEqual([
      ["", 1],
      ["Olga Tester", 2],
      ["", 6],
    ]);
  });

  test.each<[string, [number, number], string]>([
    ["ends after it begins", [8, 8], "To must be later than from"],
    ["is 62 days long at most", [0, 62 * 24 + 1], "From and to are at most 62 days apart"],
    ["does not lie in the past", [-72, -48], "To must be later than now"],
  ])("%s", async (_name, times, message) => {
    await expect(swap(await aRoster(), manager, times)).rejects.toEqual(refusal(422, message));
  });

  test("is for users of the plant who have joined", async () => {
    const rosterId = await aRoster();
    const stranger = await anOwner(server.world);
    await expect(swap(rosterId, stranger, [8, 9])).rejects.toEqual(refusal(404));
    const invited = { email: "not.joined@example.test", firstName: "Iris", lastName: "Berg", cellNumber: "", type: 5 };
    await server.as(owner)(users.add, invited as never);
    const people = await server.as(owner)(plans.people);
    const iris = people.find(({ problem }) => problem === "Has not joined yet");
    expect(iris).toBeDefined();
    await expect(swap(rosterId, { ...owner, accountId: Number(iris?.id) }, [8, 9])).rejects.toEqual(refusal(404));
  });

  test("by an installer is of their own shifts only, and so is taking it back", async () => {
    const rosterId = await aRoster();
    for (const others of [
      [16, 20],
      [19, 20],
      [4, 7],
    ] as [number, number][])
      await expect(swap(rosterId, owner, others, installer)).rejects.toEqual(
        refusal(403, "You can swap only shifts of your own"),
      );
    const own = await swap(rosterId, owner, [8, 12], installer);
    const other = await swap(rosterId, owner, [19, 20]);
    // Fill gaps, the second one beside a shift of theirs.
    const gaps = [await swap(rosterId, owner, [1, 2]), await swap(rosterId, owner, [4, 7])];
    const theirs = await swap(rosterId, owner, [14, 15]);
    // That time is no longer theirs.
    await expect(swap(rosterId, manager, [9, 10], installer)).rejects.toEqual(refusal(403));
    const listed = (await server.as(installer)(rosters.list))[0]?.swaps;
    expect(listed?.map(({ swapId, mayEnd }) => [swapId, mayEnd])).toEqual([
      ...gaps.map(({ swapId }) => [swapId, false]),
      [own.swapId, true],
      [theirs.swapId, true],
      [other.swapId, false],
    ]);
    for (const gap of gaps) await expect(server.as(installer)(rosters.endSwap, gap)).rejects.toEqual(refusal(403));
    await expect(server.as(installer)(rosters.endSwap, other)).rejects.toEqual(refusal(403));
    await server.as(installer)(rosters.endSwap, own);
  });
});

test("a plant has at most 20 rosters, and a roster at most 50 swaps that have not ended", async () => {
  const rosterId = await aRoster();
  for (let each = 0; each < 48; each += 1) await aSwap(server.world, owner, rosterId);
  const ofNow = { rosterId, accountId: owner.accountId, from: server.world.clock.date() };
  const swapFor = (minutes: number) =>
    server.as(owner)(rosters.swap, { ...ofNow, to: new Date(ofNow.from.getTime() + minutes * 60_000) });
  await swapFor(30);
  await swapFor(90);
  await expect(swapFor(90)).rejects.toEqual(
    refusal(409, "A roster has at most 50 swaps that have not ended. Take one back first"),
  );
  server.world.clock.pass(45 * 60_000);
  await swapFor(90);
  for (let each = 0; each < 18; each += 1) await aStoredRoster(server.world, owner);
  const added = await Promise.allSettled([aRoster(), aRoster()]);
  expect(added.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(aRoster()).rejects.toEqual(refusal(409, "A plant has at most 20 rosters. Delete one first"));
});

test("a plant has at most 100 plans, also when several are added at once", async () => {
  await server.world.pool.query(
    `INSERT INTO plans (plant_id, plan_name, steps, created_time)
     SELECT $1, 'Plan ' || number, '[]', now() FROM generate_series(1, 99 - (SELECT count(*) FROM plans WHERE plant_id = $1)) AS number`,
    [owner.plantId],
  );
  const steps = [{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }];
  const plan = { planName: "Night", steps, repeat: null, backToNormal: false, backToNormalBySms: false };
  const added = await Promise.allSettled([1, 2, 3, 4].map(() => server.as(owner)(plans.add, plan)));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(added.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))).toEqual(
    Array(3).fill(refusal(409, "A plant has at most 100 plans. Delete one first")),
  );
});

describe("who may do what", () => {
  test("device managers write rosters, installers read and swap, viewers and support views change nothing", async () => {
    const rosterId = await aRoster();
    await server.as(await anAdmin(server.world, owner))(rosters.update, { rosterId, ...fields() });
    await expect(server.as(installer)(rosters.update, { rosterId, ...fields() })).rejects.toEqual(refusal(403));
    const viewer = await aViewer(server.world, owner);
    await expect(server.as(viewer)(rosters.list)).rejects.toEqual(refusal(403));
    const support = await aSupportView(server.world, owner);
    await expect(swap(rosterId, owner, [8, 9], support)).rejects.toEqual(refusal(403));
    await swap(rosterId, owner, [8, 9]);
    expect((await server.as(support)(rosters.list))[0]?.swaps[0]?.mayEnd).toBe(false);
  });
});
