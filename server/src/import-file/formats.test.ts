import { access, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { startImports, type TestImports } from "../test/test-imports.ts";
import { anOwner, type Person } from "../test/test-people.ts";

let imports: TestImports;
let owner: Person;
let pump: TestDevice;

beforeAll(async () => {
  imports = await startImports();
});
beforeEach(async () => {
  owner = await anOwner(imports.world);
  pump = await aDevice(imports.world, owner, { name: "Pump" });
});
afterAll(() => imports.close());

const stored = async (): Promise<string[]> =>
  (await imports.stored(owner, pump.deviceId)).map((line) => line.split(",").slice(0, 3).join(" "));

const imported = async (name: string, content: string | Buffer, ...options: string[]): Promise<string> => {
  const { out, err, code } = await imports.run(owner, "import", await imports.file(name, content), ...options);
  expect(err).toBe("");
  expect(code).toBe(0);
  return out;
};

const two = ["2026-01-02T03:04:05.000Z AI1 1.5", "2026-01-02T03:04:06.250Z AI2 -2"];

describe("CSV with a reading a line is stored", () => {
  test("with devices by name or ID, in quotes or not", async () => {
    const { deviceSnId } = pump;
    const text = `time,device,channel,value\n2026-01-02T03:04:05Z,Pump,AI1,1.5\n"2026-01-02T03:04:06.25Z","${deviceSnId}","AI2","-2"\n`;
    expect(await imported("long.csv", text)).toBe("2 readings read: 2 stored, 0 already there, 0 refused\n");
    expect(await stored()).toEqual(two);
  });

  test.each([
    ["offsets", "2026-01-02T05:04:05+02:00", "2026-01-02 03:04:06.25Z", []],
    ["local times of a time zone", "2026-01-02 04:04:05", "2026-01-02 04:04:06.250", ["--timezone", "Europe/Budapest"]],
    ["seconds", "1767323045", "1767323046.25", []],
    ["milliseconds", "1767323045000", "1767323046250", []],
    ["milliseconds with a fraction", "1767323045000.9", "1767323046250.25", []],
    ["milliseconds with a fraction that are named", "1767323045000.9", "1767323046250.5", ["--precision", "ms"]],
    ["microseconds", "1767323045000000", "1767323046250000", []],
    ["nanoseconds", "1767323045000000000", "1767323046250000000", []],
    ["seconds that are named", "1767323045", "1767323046.25", ["--precision", "s"]],
  ])("with times as %s", async (_how, first, second, options) => {
    await imported(
      "t.csv",
      `Timestamp;key;value\n${first};AI1;1.5\n${second};AI2;-2\n`,
      "--device",
      "Pump",
      ...options,
    );
    expect(await stored()).toEqual(two);
  });

  test("with statuses, also no data, and without a line break at the end, packed by gzip", async () => {
    const text = "time,channel,value,status\n2026-01-02T03:04:05Z,AI1,1.5,Alarm\n2026-01-02T03:04:06Z,AI1,2,Good";
    await imported("packed.csv.gz", gzipSync(text), "--device", "Pump");
    const lines = await imports.stored(owner, pump.deviceId);
    expect(lines.map((line) => line.split(",").at(-1))).toEqual(["Alarm", "Good"]);
  });
});

describe("CSV with a column a channel is stored", () => {
  test("with semicolons and decimal commas; an empty cell is no reading", async () => {
    const text = "\uFEFFDate;AI1;AI2\r\n2026-01-02T03:04:05Z;1,5;\r\n2026-01-02T03:04:06.25Z;;-2\r\n";
    expect(await imported("wide.csv", text, "--device", "Pump", "--decimal", ",")).toContain(
      "2 readings read: 2 stored",
    );
    expect(await stored()).toEqual(two);
  });

  test("with tabs, and devices in the header", async () => {
    await aDevice(imports.world, owner, { name: "Other" });
    const text = "ts\tPump/AI1\tPump/AI2\tOther/AI1\n1767323045000\t1.5\t\t9\n1767323046250\t\t-2\t9\n";
    expect(await imported("wide.tsv", text)).toContain("4 readings read: 4 stored");
    expect(await stored()).toEqual(two);
  });

  test("with a column of devices", async () => {
    const text = "time,Entity name,AI1,AI2\n1767323045000,Pump,1.5,\n1767323046250,Pump,,-2\n";
    await imported("entities.csv", text);
    expect(await stored()).toEqual(two);
  });

  test("with names of channels instead of codes", async () => {
    await imports.world.db
      .updateTable("channels")
      .set({ channel_name: "Discharge pressure" })
      .where("channel_id", "=", pump.channels.AI1 ?? 0)
      .execute();
    await imported("names.csv", "time,Discharge pressure\n2026-01-02T03:04:05Z,1.5\n", "--device", "Pump");
    expect(await stored()).toEqual(two.slice(0, 1));
  });
});

describe("line protocol is stored", () => {
  test("as InfluxDB 1 exports it: a field a line, below statements and comments", async () => {
    const text = [
      "# INFLUXDB EXPORT: 1677-09-21T00:12:43Z - 2262-04-11T23:47:16Z",
      "# DDL",
      "CREATE DATABASE plant WITH NAME autogen",
      "# DML",
      "# CONTEXT-DATABASE:plant",
      "# CONTEXT-RETENTION-POLICY:autogen",
      "# writing tsm data",
      "plc,device=Pump AI1=1.5 1767323045000000000",
      "plc,device=Pump AI2=-2i 1767323046250000000",
      "",
    ].join("\n");
    await imported("export.lp", text, "--format", "influx");
    expect(await stored()).toEqual(two);
  });

  test("with several fields, booleans, escapes, and the channel in the measurement", async () => {
    const hall = await aDevice(imports.world, owner, { name: "Pump, hall 2" });
    const text = [
      "AI1,device=Pump,site=north value=1.5 1767323045",
      "AI2,device=Pump,site=north value=-2 1767323046",
      "plc,device=Pump\\,\\ hall\\ 2,site=a\\=b AI1=true,AI2=F,AI3=3u 1767323046",
    ].join("\n");
    const out = await imported("more.lp", text, "--format", "influx", "--precision", "s", "--device-tag", "device");
    expect(out).toContain("5 readings read: 5 stored");
    expect((await stored()).map((line) => line.slice(25))).toEqual(["AI1 1.5", "AI2 -2"]);
    const lines = await imports.stored(owner, hall.deviceId);
    expect(lines.map((line) => line.split(",").slice(1, 3).join(" "))).toEqual(["AI1 1", "AI2 0", "AI3 3"]);
  });

  test("unless several tags could name the device: then they are named, and nothing is stored", async () => {
    const file = await imports.file("tags.lp", "plc,host=a,unit=b AI1=1 1767323045000000000\n");
    const { err, code } = await imports.run(owner, "import", file, "--format", "influx");
    expect(err).toContain("has the tags host, unit: say which of them names the device, as in --device-tag host");
    expect(code).toBe(1);
  });

  test("and a text is refused and named", async () => {
    const text = 'plc,device=Pump AI1=1.5,state="running, fast" 1767323045000000000\n';
    const { out, err, code } = await imports.run(
      owner,
      "import",
      await imports.file("text.lp", text),
      "--format",
      "influx",
    );
    expect(err).toBe('line 1: "running, fast" is a text and no number\n');
    expect(out).toBe("2 readings read: 1 stored, 0 already there, 1 refused\n");
    expect(code).toBe(1);
  });
});

describe("what ThingsBoard exports is stored", () => {
  const answer = { AI1: [{ ts: 1767323045000, value: "1.5" }], AI2: [{ ts: 1767323046250, value: -2 }] };

  test("the JSON of its API", async () => {
    await imported("tb.json", JSON.stringify(answer), "--format", "thingsboard", "--device", "Pump");
    expect(await stored()).toEqual(two);
  });

  test("the JSON of its API on one long line, packed by gzip", async () => {
    const AI1 = Array.from({ length: 30_000 }, (_, n) => ({ ts: 1767323045000 + n, value: `${n}` }));
    const packed = gzipSync(JSON.stringify({ AI1 }));
    const out = await imported("tb.json.gz", packed, "--format", "thingsboard", "--device", "Pump");
    expect(out).toContain("30,000 stored");
    expect(await stored()).toHaveLength(30_000);
  });

  test("several answers by device", async () => {
    await imported("all.json", JSON.stringify({ Pump: answer }), "--format", "thingsboard");
    expect(await stored()).toEqual(two);
  });

  test("the CSV of a widget, in local time", async () => {
    const text = "Timestamp;AI1;AI2\n2026-01-01 22:04:05;1.5;\n2026-01-01 22:04:06.250;;-2\n";
    const options = ["--format", "thingsboard", "--device", "Pump", "--timezone", "America/New_York"];
    await imported("widget.csv", text, ...options);
    expect(await stored()).toEqual(two);
  });

  test("and anything else is refused with an example", async () => {
    const file = await imports.file("odd.json", '{"AI1": 3}');
    const { err } = await imports.run(owner, "import", file, "--format", "thingsboard", "--device", "Pump");
    expect(err).toContain('is not what ThingsBoard\'s API answers: {"temperature": [{"ts"');
  });
});

test("a file that ends in .gz and is no gzip is named so", async () => {
  const file = await imports.file("plain.csv.gz", "time,AI1\n2026-01-02T03:04:05Z,1.5\n");
  const { err } = await imports.run(owner, "import", file, "--device", "Pump");
  expect(err).toContain("plain.csv.gz ends in .gz and cannot be unpacked: it is no gzip, or broken off");
});

test.each([
  ["1,5", [], '"1,5" is no number: --decimal , reads it'],
  ["1.5", ["--decimal", ","], '"1.5" is no number: --decimal . reads it'],
  ["1,5,0", [], '"1,5,0" is no number\n'],
])("of the value %s that is refused, the option that reads it is named", async (written, options, said) => {
  const file = await imports.file("comma.csv", `time;AI1\n2026-01-02T03:04:05Z;${written}\n`);
  const { err } = await imports.run(owner, "import", file, "--device", "Pump", ...options);
  expect(err).toContain(`line 2: ${said}`);
});

test("readings are not saved as CSV under the name of a spreadsheet", async () => {
  const file = imports.path("readings.xlsx");
  const { err, code } = await imports.run(owner, "readings", file, "--device", "Pump", "--from", "2026-01-01");
  expect(err).toContain("says no format: end it in .csv or .parquet, or name the format, as in --format csv");
  expect(code).toBe(1);
  await expect(access(file)).rejects.toThrow("ENOENT");
});

test("local times of an hour that the clocks skip are refused, those around it are stored", async () => {
  const rows = "2026-03-29 01:59:59,1\n2026-03-29 02:30,2\n2026-03-29 03:00,3\n";
  const file = await imports.file("spring.csv", `time,AI1\n${rows}`);
  const { err } = await imports.run(owner, "import", file, "--device", "Pump", "--timezone", "Europe/Budapest");
  expect(err).toBe('line 3: "2026-03-29 02:30" is no time\n');
  expect(await stored()).toEqual(["2026-03-29T00:59:59.000Z AI1 1", "2026-03-29T01:00:00.000Z AI1 3"]);
});

test("a broken-off gzip, a folder and two columns of one name are told in one line", async () => {
  const whole = gzipSync(`time,AI1\n${"2026-01-02T03:04:05Z,1\n".repeat(20_000)}`);
  const said = async (file: string) => (await imports.run(owner, "import", file, "--device", "Pump", "--dry-run")).err;
  expect(await said(await imports.file("half.csv.gz", whole.subarray(0, whole.length / 2)))).toMatch(
    /it is no gzip, or broken off\n$/,
  );
  expect(await said(imports.path("."))).toMatch(/ is a folder: name a file\n$/);
  const twice = await imports.file("twice.csv", "time,AI1,AI1\n2026-01-02T03:04:05Z,1,2\n");
  expect(await said(twice)).toContain("twice.csv:1: two columns are called AI1: name each otherwise");
});

test("a dry run writes all refused lines to a file, and ends as the import would", async () => {
  const errors = imports.path("rehearsed.csv");
  const rows = Array.from({ length: 25 }, (_, n) => `2026-01-02T03:00:00Z,bad ${n}\n`).join("");
  const file = await imports.file("bad.csv", `time,AI1\n${rows}`);
  const { code } = await imports.run(owner, "import", file, "--device", "Pump", "--dry-run", "--errors", errors);
  expect(code).toBe(1);
  expect((await readFile(errors, "utf8")).trimEnd().split("\n")).toHaveLength(26);
});

test("an import whose refused lines cannot be noted says so", async () => {
  const lines = Array.from({ length: 50 }, (_, n) => `${1767323045 + n},AI1,${n % 2 ? "much" : n}`);
  const file = await imports.file("unnoted.csv", `time,channel,value\n${lines.join("\n")}\n`);
  const { err, code } = await imports.run(owner, "import", file, "--device", "Pump", "--errors", "/nowhere/at/all.csv");
  expect(code).toBe(1);
  expect(err).toContain("/nowhere/at/all.csv cannot be written: name another one by --errors");
});
