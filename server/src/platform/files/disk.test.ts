import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDisk } from "./disk.ts";

test("a folder that can be written to passes and is left as it was; one that can't does not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-disk-"));
  await expect(checkDisk(folder)).resolves.toSatisfy(
    (words) => words === undefined || String(words).startsWith("low: "),
  );
  expect(await readdir(folder)).toEqual([]);
  const file = join(folder, "file");
  await writeFile(file, "");
  await expect(checkDisk(join(file, "below"))).rejects.toThrow(
    "Nothing can be written to DATA_DIR (ENOTDIR): look at its disk and its owner",
  );
  await rm(folder, { recursive: true });
});
