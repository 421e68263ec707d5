import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { environmentFor } from "./launch.mjs";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** A whole run of tests needs some 3 GB there, at most; as much again stays for the programs. */
const needed = 8 * 2 ** 30;

/** Whether programs may be started from a folder: a data directory contains those of its PostgreSQL. */
const canRunIn = (folder) => {
  const file = join(folder, `telltale-can-run-${process.pid}`);
  try {
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
    return spawnSync(file).status === 0;
  } finally {
    rmSync(file, { force: true });
  }
};

/**
 * Keeps the tests' databases in memory where there is enough: they are many and short-lived, and creating their files on a disk takes a tenth of the
 * time of a run.
 */
const temporaryFolder = () => {
  if (process.env.TMPDIR) return {};
  try {
    const { bavail, bsize } = statfsSync(memory);
    const hasRoom = bavail * bsize > needed && freemem() > needed;
    return hasRoom && canRunIn(memory) ? { TMPDIR: memory } : {};
  } catch {
    return {};
  }
};

/** The environment of test runs. */
export const testEnvironment = (node, more = {}) => environmentFor(node, { ...temporaryFolder(), ...more });
