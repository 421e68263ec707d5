import { Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { readDevicesCsv } from "./read-csv.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const read = (text: string) => readDevicesCsv("devices.csv", text);

test("a CSV adds devices, sets their channels, and changes nothing when it is applied again", async () => {
  const owner = await anOwner(server.world);
  for (const deviceSnId of ["C1", "C2"]) await anUnclaimedDevice(server.world, { model: Model.mixed, deviceSnId });
  const client = await keyOf(server, owner);
  const file = read(
    [
      "name,id,offline-after,AI1 name,AI1 Higher Alarm,AI1 Higher Alarm Hysteresis,AI2 Higher Alarm,AI2 Higher Alarm Hysteresis,DI1 on",
      '"Pump, old",C1,20,"Pressure ""in""",7.5,0.5,none,none,off',
      "Mill,C2,,,,,,,",
    ].join("\n"),
  );
  expect(await apply(client, file)).toEqual({ changed: 2, partly: 0, refused: [] });
  expect(await planOf(client, file)).toEqual([]);
  const text = await exported(client);
  for (const part of ["Pump, old:", "offlineAfter: 20", 'name: Pressure "in"', "Higher Alarm: 7.5", "Mill:"])
    expect(text).toContain(part);
  const changed = read("id;NAME;AI1 higher alarm\nC1;Pump, old;8,25\n");
  expect(await planOf(client, changed)).toEqual([
    "~ devices / Pump, old / channels / AI1 / settings / Higher Alarm: 7.5 -> 8.25",
  ]);
  expect(await apply(client, changed)).toEqual({ changed: 1, partly: 0, refused: [] });
});

test("columns of a CSV are the fields of a plant file", () => {
  const { file } = read(
    "\ufeffname;id;master;report-every;group;I A Lower Alarm Delay;AI1 UNIT\n\nMotor;M1;Pump;60;Currents: I A | I B;3;bar\n",
  );
  expect(file).toEqual({
    devices: {
      Motor: {
        ...{ id: "M1", master: "Pump", reportEvery: 60, groups: { Currents: { channels: ["I A", "I B"] } } },
        channels: { "I A": { settings: { "Lower Alarm Delay": 3 } }, AI1: { settings: { UNIT: "bar" } } },
      },
    },
  });
});

describe("a CSV that is not right names line and column:", () => {
  test.each([
    ["nothing", "", "devices.csv:1: it is empty"],
    [
      "an unknown column",
      "name,id,Colour\n",
      "devices.csv:1: there is no column Colour: name, id, serial, model, group, ",
    ],
    ["a column without a name", "name,id,\n", "devices.csv:1: there is no column without a name"],
    ["a column twice", "name,id,ID\n", "devices.csv:1: the column ID stands twice"],
    ["no IDs", "name\nPump\n", "devices.csv:1: the column id is missing"],
    ["a cell too many", "name,id\nPump,A1,B\n", /^devices\.csv:2: /],
    ["a quotation mark without end", 'name,id\n"Pump,A1\n', /^devices\.csv:\d: /],
    [
      "no number",
      "name,id,offline-after\nMill,A2,3\nPump,A1,soon\n",
      "devices.csv:3: offline-after: soon is no number",
    ],
    ["no limit", "name,id,AI1 Higher Alarm\nPump,A1,high\n", "devices.csv:2: AI1 Higher Alarm: high is no number"],
    ["no switch", "name,id,DI1 on\nPump,A1,perhaps\n", "devices.csv:2: DI1 on: it is on or off"],
    [
      "no switch, after a cell of two lines",
      'name,id,DI1 on\n\n"A\nB",A1,on\nPump,A2,perhaps\n',
      "devices.csv:5: DI1 on: ",
    ],
    ["no switch, beside a cell of two lines", 'name,id,DI1 on\n"A\nB",A1,perhaps\n', "devices.csv:2: DI1 on: "],
    ["no group", "name,id,group\nPump,A1,Currents\n", "devices.csv:2: group: write it as NAME: CODE | CODE"],
    ["a name twice", "name,id\nPump,A1\nPump,A2\n", "devices.csv:3: the device Pump stands in line 2 already"],
    ["an ID twice", "name,id\nPump,A1\nMill,A1\n", "devices.csv:3: devices / Mill / id: A1 is the ID of Pump already"],
    ["a line without a name", "name,id\n,A1\n", "devices.csv:2: name is missing"],
    [
      "a line without an ID",
      "name,id\nPump,\n",
      "devices.csv:2: devices / Pump: give it an id, or a serial number and its model",
    ],
  ])("%s", (_what, text, fault) => {
    expect(() => read(text)).toThrow(fault);
  });

  test("all of them at once", () => {
    expect(() => read("name,id,DI1 on,report-every\nPump,A1,perhaps,soon\nMill,,on,\n")).toThrow(
      [
        "devices.csv:2: DI1 on: it is on or off",
        "devices.csv:2: report-every: soon is no number",
        "devices.csv:3: devices / Mill: give it an id, or a serial number and its model",
      ].join("\n"),
    );
  });

  test("an unknown main device", async () => {
    const client = await keyOf(server, await anOwner(server.world));
    await expect(planOf(client, read("name,id,master\nMotor,M1,Nowhere\n"))).rejects.toThrow(
      "devices.csv:2: devices / Motor / master: there is no device Nowhere",
    );
  });
});
