import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "../proxies/program.ts";

const root = join(import.meta.dirname, "../..");

/** A Debian of its own that systemd runs, with this machine's Node and Telltale's package. */
export interface Machine {
  /** Its root folder, as this machine sees it. */
  folder: string;
  /** Runs a program there; resolves with its output, rejects with what it says when it fails. */
  ask(...command: string[]): Promise<string>;
  /** Sets a variable in a file of settings, in the place of its comment. */
  set(file: string, settings: Readonly<Record<string, string | number>>): Promise<void>;
  /** Installs the package for the whole machine, over an earlier one. */
  install(): Promise<void>;
  remove(): Promise<void>;
}

/** Why this cannot be tried on this machine; undefined when it can. */
export const missingForMachine = async (): Promise<string | undefined> => {
  for (const program of ["debootstrap", "unshare", "nsenter"])
    if (
      !(await run(program, ["--version"]).then(
        () => true,
        () => false,
      ))
    )
      return `${program} is not installed`;
  return process.getuid?.() === 0 ? undefined : "only root can start systemd";
};

/** Beside the smallest Debian. */
const packages = ["systemd", "systemd-sysv", "dbus", "procps", "ca-certificates"];
const namespaces = ["--mount", "--pid", "--ipc", "--uts", "--cgroup"];
const longestStart = 60_000;

/** The group of processes below which this systemd keeps its own. */
const ownGroup = async (): Promise<string> => {
  const isOfOneTree = await access("/sys/fs/cgroup/cgroup.controllers").then(
    () => true,
    () => false,
  );
  return join("/sys/fs/cgroup", isOfOneTree ? "" : "systemd", `telltale-${process.pid}`);
};

/** The process id of systemd: the child of `unshare`. */
const childOf = async (pid: number): Promise<number> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.trim().split(" ")[0] ?? 0);
};

/** Packs this checkout into `folder`; the package's file. */
const packInto = async (folder: string): Promise<string> => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
  });
  return join(folder, /"filename": "([^"]+)"/.exec(stdout)?.[1] ?? "");
};

/** Makes a Debian of Debian's packages, and has its systemd run. */
export const startMachine = async (): Promise<Machine> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-machine-"));
  const system = join(folder, "system");
  await run("debootstrap", ["--variant=minbase", `--include=${packages}`, "bookworm", system], {
    maxBuffer: 64 * 2 ** 20,
  });
  await copyFile(process.execPath, join(system, "usr/local/bin/node"));
  const archive = await packInto(folder);
  const group = await ownGroup();
  const starting = ["mkdir", "-p", group, "&&", "echo", "$$", ">", `${group}/cgroup.procs`, "&&", "exec", "unshare"];
  const command = [...starting, ...namespaces, "--fork", "--kill-child", "--propagation", "private"];
  const script = join(import.meta.dirname, "machine.sh");
  const child = spawn("/bin/sh", ["-c", [...command, "/bin/sh", script, system].join(" ")], { stdio: "ignore" });
  const ended = once(child, "exit");
  let systemd = 0;
  const ask = async (...asked: string[]): Promise<string> => {
    const into = ["--target", String(systemd), ...namespaces, "--root", "--wd"];
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
    return (await run("nsenter", [...into, ...asked], { env, maxBuffer: 64 * 2 ** 20 })).stdout.trim();
  };
  for (const patience = AbortSignal.timeout(longestStart); ; await sleep(250)) {
    systemd = await childOf(child.pid ?? 0).catch(() => 0);
    const state = systemd === 0 ? "" : await ask("systemctl", "is-system-running").catch(({ stdout = "" }) => stdout);
    if (/^(running|degraded)/.test(state)) break;
    if (patience.aborted) throw new Error(`systemd does not start: ${state}`);
  }
  return {
    folder: system,
    ask,
    set: async (file, settings) => {
      const path = join(system, file);
      let text = await readFile(path, "utf8");
      for (const [name, value] of Object.entries(settings))
        text = text.replace(new RegExp(`^#${name}=.*$`, "m"), `${name}=${value}`);
      await writeFile(path, text);
    },
    install: async () => {
      const options = ["--global", "--prefix", join(system, "usr/local"), "--no-audit", "--no-fund"];
      await run("npm", ["install", ...options, archive], { maxBuffer: 64 * 2 ** 20 });
    },
    remove: async () => {
      child.kill("SIGKILL");
      await ended;
      await sleep(500);
      await run("rmdir", [group]).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
