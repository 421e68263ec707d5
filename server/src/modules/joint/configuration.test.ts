import type { Client } from "@telltale/contract/call/client";
import { Message } from "@telltale/contract/call/codes";
import { AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { Model } from "@telltale/contract/domains/devices";
import { JointEnding, joint } from "@telltale/contract/domains/joint";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let ask: Client;
let pump: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  ask = server.as(owner);
  const settings = { zero: 0, span: 100, higherAlarm: 80, lowerAlarm: 10 };
  pump = await aDevice(server.world, owner, { name: "Pump 3", model: Model.mixed, channels: { AI1: { settings } } });
});
afterAll(() => server.close());

const channel = (code: string): number => Number(pump.channels[code]);
const rowOf = (jointId: number) => ask(joint.info, { jointId });
const aRule = () => ({
  name: "Beacon",
  sourceChannelId: channel("AI1"),
  alarmType: AlertType.high,
  outputChannelId: channel("DO2"),
  level: 1,
});
const add = async (more: object = {}): Promise<number> =>
  (await ask(joint.edit, { ...aRule(), ...more } as never)).jointId;

describe("a change", () => {
  it("leaves as it was whether the rule is enabled and what happens afterwards, unless it says so", async () => {
    const jointId = await add({ enabled: false, ending: JointEnding.stay });
    await add({ jointId, name: "Red beacon" });
    expect(await rowOf(jointId)).toMatchObject({ name: "Red beacon", enabled: false, ending: JointEnding.stay });
    await add({ jointId, enabled: true, ending: JointEnding.back });
    expect(await rowOf(jointId)).toMatchObject({ enabled: true, ending: JointEnding.back });
    await add({ jointId });
    expect(await rowOf(jointId)).toMatchObject({ enabled: true, ending: JointEnding.back });
  });

  it("that makes a rule enables it, and lets the output go back", async () => {
    expect(await rowOf(await add())).toMatchObject({ enabled: true, ending: JointEnding.back });
  });
});

describe("what is refused", () => {
  const refusal = (code: number, message?: string) =>
    expect.objectContaining({ code, ...(message ? { message: expect.stringContaining(message) } : {}) });

  it("a rule that drives an output to another level than an enabled one", async () => {
    const first = await add();
    await expect(add({ name: "Dark", level: 0 })).rejects.toEqual(refusal(422, "“Beacon” drives this output ON"));
    const dark = await add({ name: "Dark", level: 0, enabled: false });
    await expect(ask(joint.enable, { jointId: dark, enabled: true })).rejects.toEqual(refusal(422, "“Beacon”"));
    await ask(joint.enable, { jointId: first, enabled: false });
    await ask(joint.enable, { jointId: dark, enabled: true });
    expect((await rowOf(dark)).enabled).toBe(true);
  });

  it.each([
    [{ name: " " }, 422, "Joint control name cannot be blank"],
    [{ sourceChannelId: undefined }, 422, "Choose what triggers it"],
    [{ level: 2 }, 422, "Choose ON or OFF"],
    [{ alarmType: AlertType.counting }, 422, "This limit is not set"],
  ])("%j", async (wrong, code, message) => {
    const answer = await server.app.inject({
      method: "POST",
      url: `${joint.edit.path}?token=${owner.token}`,
      payload: { ...aRule(), ...wrong },
    });
    expect(answer.json()).toMatchObject({ code, msg: expect.stringContaining(message) });
  });

  it("an input as output, and another plant's channels", async () => {
    await expect(add({ outputChannelId: channel("AI2") })).rejects.toEqual(refusal(404));
    const jointId = await add();
    const stranger = server.as(await anOwner(server.world));
    await expect(stranger(joint.info, { jointId })).rejects.toEqual(refusal(404));
    await expect(stranger(joint.remove, { jointId })).rejects.toEqual(refusal(404));
    expect((await stranger(joint.sources, {})).data).toEqual([]);
    expect((await stranger(joint.outputs, {})).data).toEqual([]);
  });

  it("a change based on an outdated version", async () => {
    const jointId = await add();
    await add({ jointId, name: "First", version: 1 });
    await expect(add({ jointId, name: "Second", version: 1 })).rejects.toEqual(refusal(409, Message.changedMeanwhile));
    expect(await rowOf(jointId)).toMatchObject({ name: "First", version: 2 });
  });
});

it("finds sources that are set and outputs, by channel and device, with who drives them", async () => {
  await add();
  const { data } = await ask(joint.sources, { name: "AI1" });
  expect(data.map(({ alarmType, threshold }) => [alarmType, threshold])).toEqual([
    [AlertType.high, 80],
    [AlertType.low, 10],
  ]);
  const outputs = await ask(joint.outputs, { name: "pump 3" });
  expect(outputs.data.map(({ channelCn, drivenBy }) => [channelCn, drivenBy])).toEqual([
    ["DO1", []],
    ["DO2", ["Beacon"]],
  ]);
});

it("is in the audit log, with what was before and after", async () => {
  const jointId = await add();
  await add({ jointId, name: "Lamp" });
  await ask(joint.enable, { jointId, enabled: false });
  await ask(joint.remove, { jointId });
  const { data } = await ask(audit.list, { action: "joint" });
  expect(data.map(({ action }) => action)).toEqual(["joint.delete", "joint.disable", "joint.edit", "joint.add"]);
  expect(data[2]?.changes).toEqual([{ field: "name", before: "Beacon", after: "Lamp" }]);
});
