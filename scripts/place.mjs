import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Root folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folder for the scripts' own data: a newer Node, test results. Git ignores it and `npm ci` leaves it alone. */
export const keep = join(root, ".node");

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause.code === "EPERM";
  }
};

/** No installation takes this long: a lock file older than this belongs to another program with the same process id. */
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

/** Runs `work` under a lock against other installations or builds of this checkout, such as two `npm start` at once. */
export const alone = async (work) => {
  mkdirSync(keep, { recursive: true });
  const file = join(keep, "busy");
  for (let waits = 0; !take(file); ) {
    if (!isHeld(file)) rmSync(file, { force: true });
    else {
      if (waits === 5) process.stderr.write("Waiting for another process of this checkout that installs or builds …\n");
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
