import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { runQuietly } from "./launch.mjs";

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The first of these programs on the PATH, or where Debian keeps those of the system; undefined when there is none. */
export const programOf = (...names) =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

/** Installs Debian packages; the first alternative that can be installed of each list. Does nothing without root or apt. */
export const installFromDebian = async (...alternatives) => {
  if (process.getuid?.() !== 0 || !isProgram("/usr/bin/apt-get")) return;
  const env = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin:/usr/bin:/sbin:/bin`,
    DEBIAN_FRONTEND: "noninteractive",
  };
  const aptGet = (args, timeout) => runQuietly("/usr/bin/apt-get", args, { env, timeout });
  await aptGet(["update"], 300_000);
  for (const packages of alternatives)
    if ((await aptGet(["install", "--yes", "--no-install-recommends", ...packages], 900_000)).code === 0) return;
};
