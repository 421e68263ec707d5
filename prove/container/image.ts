import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../proxies/program.ts";
import type { Podman } from "./podman.ts";

const root = join(import.meta.dirname, "../..");

/** Names of the images: the bases that deploy/Containerfile takes as arguments, and Telltale's. */
const names = { system: "localhost/prove-system", node: "localhost/prove-node", telltale: "localhost/telltale" };

/** What Debian's slim images leave out. */
const unneeded = ["usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt", "var/lib/apt/lists"];

/** A small Debian 12, made of Debian's packages. */
const makeSystem = async (podman: Podman): Promise<void> => {
  const folder = join(podman.folder, "system");
  await run("debootstrap", ["--variant=minbase", "bookworm", folder], { maxBuffer: 64 * 2 ** 20 });
  for (const part of unneeded) await rm(join(folder, part), { recursive: true, force: true });
  await podman.importImage(names.system, folder);
};

/** The value of a setting of npm, as this machine's packages come by it; undefined when it is not set. */
const npmSetting = async (name: string): Promise<string | undefined> => {
  const { stdout } = await run("npm", ["config", "get", name], { cwd: root });
  return ["", "null", "undefined"].includes(stdout.trim()) ? undefined : stdout.trim();
};

/** npm's settings of an image by which it reaches the registry that this machine reaches. */
const writeNpmSettings = async (folder: string): Promise<void> => {
  const registry = await npmSetting("registry");
  const authority = (await npmSetting("cafile")) ?? process.env.NODE_EXTRA_CA_CERTS;
  await mkdir(folder, { recursive: true });
  if (authority) await copyFile(authority, join(folder, "registry-ca.pem"));
  const lines = [
    ...(registry ? [`registry=${registry}`] : []),
    ...(authority ? ["cafile=/usr/local/etc/registry-ca.pem"] : []),
  ];
  await writeFile(join(folder, "npmrc"), `${lines.join("\n")}\n`);
};

/** The same with this process's Node, and npm. */
const makeNode = async (podman: Podman): Promise<void> => {
  const folder = join(podman.folder, "node");
  const local = join(folder, "usr/local");
  await mkdir(join(local, "bin"), { recursive: true });
  await copyFile(process.execPath, join(local, "bin/node"));
  await run("npm", ["install", "--global", "--prefix", local, "--no-audit", "--no-fund", "npm@11"]);
  await writeNpmSettings(join(local, "etc"));
  const containerfile = join(podman.folder, "node.containerfile");
  await writeFile(containerfile, `FROM ${names.system}\nCOPY . /\n`);
  await podman.ask("build", "--isolation", "chroot", "--tag", names.node, "--file", containerfile, folder);
};

/** What is known of an image. */
export interface Image {
  name: string;
  /** Bytes, with its base. */
  size: number;
  baseSize: number;
  /** Who its processes are. */
  user: string;
  /** Seconds that its build took, without its bases. */
  seconds: number;
}

const inspect = (podman: Podman, name: string, what: string): Promise<string> =>
  podman.ask("image", "inspect", "--format", `{{${what}}}`, name);

/** Builds deploy/Containerfile on bases that are made of Debian's packages and this machine's Node. */
export const buildImage = async (podman: Podman): Promise<Image> => {
  await makeSystem(podman);
  await makeNode(podman);
  const bases = ["--build-arg", `NODE=${names.node}`, "--build-arg", `SYSTEM=${names.system}`, "--pull=never"];
  const how = ["--isolation", "chroot", "--network", "host", "--format", "docker"];
  const began = performance.now();
  await podman.ask(
    "build",
    ...how,
    ...bases,
    "--tag",
    names.telltale,
    "--file",
    join(root, "deploy/Containerfile"),
    root,
  );
  return {
    name: names.telltale,
    size: Number(await inspect(podman, names.telltale, ".Size")),
    baseSize: Number(await inspect(podman, names.system, ".Size")),
    user: await inspect(podman, names.telltale, ".Config.User"),
    seconds: (performance.now() - began) / 1000,
  };
};
