import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../proxies/program.ts";

/** Podman with its own storage; nothing of it is left after `remove`. */
export interface Podman {
  /** Runs `podman …`; resolves with its output. */
  ask(...args: string[]): Promise<string>;
  /** The same with options of this machine, for `podman run`. */
  runContainer(...args: string[]): Promise<string>;
  /** A folder for what images are made of. */
  folder: string;
  /** Imports a folder as the only layer of an image. */
  importImage(name: string, folder: string): Promise<void>;
  remove(): Promise<void>;
}

/** Runtimes in the order of preference; without systemd the cgroups are made by the runtime itself. */
const runtimes = [
  [],
  ["--cgroup-manager", "cgroupfs"],
  ...["crun", "runc"].map((runtime) => ["--cgroup-manager", "cgroupfs", "--runtime", runtime]),
];

/** Processes that a container may have. */
const processes = 4_096;

/** Options of each container: the trial's ports are the machine's, and limits are within those of this process. */
const ownOptions = async (): Promise<string[]> => {
  const limits = await readFile("/proc/self/limits", "utf8");
  const files = /^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? "1024";
  return [
    ...["--network", "host"],
    ...["--ulimit", `nofile=${files}:${files}`],
    ...["--ulimit", `nproc=${processes}:${processes}`],
  ];
};

/** Why containers cannot be tried on this machine; undefined when they can. */
export const missingForContainers = async (): Promise<string | undefined> => {
  for (const program of ["podman", "debootstrap"])
    if (
      !(await run(program, ["--version"]).then(
        () => true,
        () => false,
      ))
    )
      return `${program} is not installed`;
  return process.getuid?.() === 0 ? undefined : "only root can make the base image";
};

/** Podman, to be used with images below `folder`. */
export const openPodman = async (): Promise<Podman> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-podman-"));
  const storage = ["--root", join(folder, "store"), "--runroot", join(folder, "run")];
  const ask = async (...args: string[]): Promise<string> =>
    (await run("podman", [...storage, ...args], { maxBuffer: 64 * 2 ** 20 })).stdout.trim();
  const options = await ownOptions();
  let runtime: Promise<string[]> | undefined;
  /** The first runtime by which a container of this image runs. */
  const findRuntime = async (image: string): Promise<string[]> => {
    const faults: string[] = [];
    for (const candidate of runtimes) {
      const args = [...candidate, "run", "--rm", ...options, "--entrypoint", "/bin/true", image];
      const fault = await ask(...args).then(
        () => undefined,
        (cause: Error) => cause.message,
      );
      if (fault === undefined) return candidate;
      faults.push(fault);
    }
    throw new Error(`Podman runs no container here: ${faults.join("\n")}`);
  };
  await mkdir(join(folder, "run"));
  return {
    folder,
    ask,
    importImage: async (name, from) => {
      const archive = join(folder, "image.tar");
      await run("tar", ["--create", "--file", archive, "--directory", from, "."]);
      await ask("import", "--quiet", archive, name);
      await rm(archive);
    },
    runContainer: async (...args) => {
      runtime ??= findRuntime(args.at(-1) ?? "");
      return ask(...(await runtime), "run", ...options, ...args);
    },
    remove: async () => {
      await ask("rm", "--all", "--force").catch(() => undefined);
      await run("umount", [join(folder, "store/overlay")]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
