import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareIn } from "./prepared-data.ts";
import { preparedFolder } from "./server-process.ts";

/** Before a run of many files: prepares the data that its servers start with, unless `npm test` has done so beside the tests before. */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env[preparedFolder] !== "") return undefined;
  const folder = await mkdtemp(join(tmpdir(), "telltale-e2e-prepared-"));
  await prepareIn(folder);
  process.env[preparedFolder] = folder;
  return () => rm(folder, { recursive: true, force: true });
};
