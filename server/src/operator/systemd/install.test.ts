import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { root } from "../../platform/installed.ts";
import { hiddenWarning, installService, refusal } from "./install.ts";
import { hiddenFrom, settingsFor, unitFor } from "./unit.ts";

let folder: string;
let template: string;
let readme: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-service-"));
  template = await readFile(join(root, "docs/operate/telltale.service"), "utf8");
  readme = await readFile(join(root, "README.md"), "utf8");
});
afterAll(() => rm(folder, { recursive: true }));

const packaged = { node: "/usr/bin/node", root: "/usr/lib/node_modules/telltale", isCheckout: false };

test("a folder that cannot be made is named, with what to do", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  for (const directory of [file, join(file, "below")])
    await expect(installService({ directory })).rejects.toThrow(
      /^--directory .*a-file.* cannot be made \(E(EXIST|NOTDIR)\): name a folder that you may write to$/,
    );
});

describe("the unit", () => {
  test("of a package starts its command in the state directory and may write nowhere else", () => {
    const unit = unitFor(template, packaged);
    expect(unit).toContain("\nExecStart=/usr/bin/node /usr/lib/node_modules/telltale/bin/telltale.mjs start\n");
    expect(unit).toContain("\nWorkingDirectory=/var/lib/telltale\n");
    expect(unit).not.toContain("ReadWritePaths");
    expect(unit.replace(/^ExecStart=.*$/m, "")).toBe(template.replace(/^ExecStart=.*$/m, ""));
  });

  test("of a checkout runs in it and may write there, because its start installs and builds", () => {
    const unit = unitFor(template, { node: "/usr/bin/node", root: "/opt/telltale", isCheckout: true });
    expect(unit).toContain("\nExecStart=/usr/bin/node /opt/telltale/bin/telltale.mjs start\n");
    expect(unit.match(/^(WorkingDirectory|ReadWritePaths)=.*$/gm)?.sort()).toEqual([
      "ReadWritePaths=/opt/telltale",
      "WorkingDirectory=/opt/telltale",
    ]);
  });

  test("lets Node ask for this machine's addresses, without which the server ends at its start", () => {
    expect(unitFor(template, packaged)).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
  });

  test("quotes paths as systemd reads them", () => {
    const unit = unitFor(template, { ...packaged, root: "/srv/my 100%/$x" });
    expect(unit).toContain('ExecStart=/usr/bin/node "/srv/my 100%%/$$x/bin/telltale.mjs" start');
  });

  test("cannot start what lies in a private folder", () => {
    expect(hiddenFrom(packaged)).toEqual([]);
    expect(hiddenFrom({ ...packaged, node: "/root/.nvm/node" })).toEqual(["/root/.nvm/node"]);
    expect(hiddenFrom({ ...packaged, root: "/tmp/site/telltale" })).toEqual(["/tmp/site/telltale"]);
    expect(hiddenWarning([])).toBeUndefined();
    expect(hiddenWarning(["/tmp/site/telltale"])).toContain("could not see /tmp/site/telltale, in a private folder");
  });
});

describe("the settings", () => {
  test("name every variable that the server reads and the unit does not set, all commented out", () => {
    const settings = settingsFor(readme, unitFor(template, packaged));
    const names = [...settings.matchAll(/^#([A-Z_0-9]+)=$/gm)].map(([, name]) => name);
    // A variable that is not given is undefined, and has its key.
    const read = Object.keys(readConfig({})).filter((name) => !["DATA_DIR", "TELLTALE_DEMO"].includes(name));
    expect(names.sort()).toEqual(read.sort());
    expect(settings.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  });
});

describe("telltale service install", () => {
  test("writes both files into a folder, the settings for their owner only, and keeps settings that are there", async () => {
    const directory = join(folder, "new");
    const files = { unit: join(directory, "telltale.service"), settings: join(directory, "telltale.env") };
    expect(await installService({ directory })).toContain(`${files.settings} is written`);
    expect((await stat(files.settings)).mode & 0o777).toBe(0o600);
    await writeFile(files.settings, "PORT=80\n");
    await writeFile(files.unit, "");
    expect(await installService({ directory })).toContain(`${files.settings} is kept as it was`);
    expect(await readFile(files.settings, "utf8")).toBe("PORT=80\n");
    expect(await readFile(files.unit, "utf8")).toContain("User=telltale");
  });

  test("prints both with --print", async () => {
    const text = await installService({ print: true });
    expect(text).toContain("# /etc/systemd/system/telltale.service\n");
    expect(text).toContain("# /etc/telltale.env\n");
  });

  test("refuses without systemd or root, and says what works there", () => {
    expect(refusal({ hasSystemd: true, isRoot: true })).toBeUndefined();
    expect(refusal({ hasSystemd: false, isRoot: true })).toMatch(/not run by systemd.* --print.* --directory DIR/);
    expect(refusal({ hasSystemd: true, isRoot: false })).toMatch(/use sudo.* --print.* --directory DIR/);
  });
});
