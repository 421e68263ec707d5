import type { Fault } from "../fault.ts";
import { runFault } from "../fault.ts";
import type { Finding, Scenario } from "../finding.ts";
import { signalPostgres } from "../postgres-process.ts";
import { mountSmallDisk, type SmallDisk } from "../small-disk.ts";
import { runTrial, type Trial } from "../trial.ts";

const megabytes = 2_500;

const full = (disk: SmallDisk, lasts: number): Fault => ({
  name: "Disk full",
  begin: disk.fill,
  end: disk.empty,
  lasts,
});

/**
 * A disk turns read-only after an error. The kernel does so by itself; a remount is only possible while no process has a file open, so PostgreSQL is
 * killed first.
 */
const readOnly = ({ server }: Trial, disk: SmallDisk, lasts: number): Fault => ({
  name: "Disk read-only",
  begin: async () => {
    process.kill(server.pid(), "SIGSTOP");
    await signalPostgres(server.dataDir, "SIGKILL");
    await disk.setReadOnly(true);
    process.kill(server.pid(), "SIGCONT");
  },
  end: () => disk.setReadOnly(false),
  lasts,
});

const run = async (scale: number): Promise<Finding[]> => {
  const disk = await mountSmallDisk(megabytes);
  if (!disk)
    return [{ promise: "The server survives a full and a read-only disk", counted: "mounting a disk requires root" }];
  const lasts = Math.max(5_000, 60_000 * scale);
  try {
    const work = async (trial: Trial) => [
      ...(await runFault(trial, full(disk, lasts))),
      ...(await runFault(trial, readOnly(trial, disk, lasts))),
    ];
    return await runTrial(work, { dataDir: disk.folder });
  } finally {
    await disk.remove();
  }
};

export const disk: Scenario = {
  title: "Disk full, disk read-only",
  does: "DATA_DIR is on a separate small disk. Under full load it is full for a minute, and then read-only for a minute.",
  run,
};
