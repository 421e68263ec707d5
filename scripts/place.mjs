import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What the scripts keep for themselves: a newer Node, results of the tests. Git ignores it and `npm ci` leaves it alone. */
export const keep = join(root, ".node");

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
};

/** No installation takes that long: whoever holds the file since then is another program with the same number. */
const longestWork = 20 * 60_000;

const isHeld = (file) => {
  try {
    return isAlive(Number(readFileSync(file, "utf8"))) && Date.now() - statSync(file).mtimeMs < longestWork;
  } catch {
    return false;
  }
};

const take = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (cause) {
    if (cause.code !== "EEXIST") throw cause;
    return false;
  }
};

/** Does `work` while no other process of this checkout installs or builds; two `npm start` at once must not mix. */
export const alone = async (work) => {
  mkdirSync(keep, { recursive: true });
  const file = join(keep, "busy");
  for (let waits = 0; !take(file); ) {
    if (!isHeld(file)) rmSync(file, { force: true });
    else {
      if (waits === 5) process.stderr.write("Waiting for another start of this checkout, which installs or builds …\n");
      waits += 1;
      await sleep(200);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
};
