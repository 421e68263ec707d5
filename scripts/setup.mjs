import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { environmentFor, giveUp, runQuietly, withProgress } from "./launch.mjs";
import { alone, keep, root } from "./place.mjs";

const oldest = [22, 18];

const isRecent = (version) => {
  const [major, minor] = version.split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
};

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
};

const isWritable = (folder) => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Runs the npm that started the script, or the one on the PATH; with its own cache if the home folder is not writable. */
const npm = (args, env) => {
  const script = process.env.npm_execpath ?? "";
  const cache = process.env.npm_config_cache ?? join(homedir(), ".npm");
  const quiet = [...args, "--loglevel=error", "--no-audit", "--no-fund", "--no-progress"];
  const options = { env: { ...env, ...(isWritable(cache) ? {} : { npm_config_cache: join(keep, "npm-cache") }) } };
  return /npm-cli\.[cm]?js$/.test(script)
    ? runQuietly(process.execPath, [script, ...quiet], options)
    : runQuietly("npm", quiet, options);
};

/** Node's builds as npm packages; the package `node` itself would need an install script, which npm no longer runs. */
const nodePackage = () => {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${process.platform}-${process.arch}`;
};

const fetchNode = async (name, program) => {
  mkdirSync(keep, { recursive: true });
  writeFileSync(join(keep, "package.json"), '{ "private": true }\n');
  const text = `Node ${process.versions.node} is too old: fetching Node 24 (once)`;
  const args = ["install", "--prefix", keep, "--no-save", "--no-package-lock", `${name}@24`];
  const { output } = await withProgress(text, () => npm(args, process.env));
  if (!existsSync(program))
    giveUp(`Node 24 could not be downloaded: install Node ${oldest.join(".")} or newer`, output);
};

/** The Node to run Telltale with: this one if it is recent enough, otherwise Node 24 from npm, stored in the checkout. */
const findNode = async () => {
  if (isRecent(process.versions.node)) return process.execPath;
  const name = nodePackage();
  const program = join(keep, "node_modules", name, "bin", "node");
  if (!existsSync(program)) await alone(() => (existsSync(program) ? undefined : fetchNode(name, program)));
  return program;
};

/** Whether node_modules matches the lock file. Packages for other platforms are expected to be missing. */
const isInstalled = () => {
  const wanted = readJson(join(root, "package-lock.json"))?.packages ?? {};
  const found = readJson(join(root, "node_modules/.package-lock.json"))?.packages;
  if (!found) return false;
  return Object.entries(wanted).every(([path, { version, link, optional, devOptional }]) => {
    if (!path.includes("node_modules/")) return true;
    const there = found[path];
    return there ? link || there.version === version : optional || devOptional;
  });
};

const installDependencies = async (node) => {
  const args = ["ci", "--include=dev", "--include=optional"];
  const { code, output } = await withProgress("Installing the dependencies (once)", () =>
    npm(args, environmentFor(node)),
  );
  if (code !== 0) giveUp("The dependencies could not be installed", output);
};

/** Installs what is missing; resolves with the Node to use. Silent and fast when everything is installed. */
export const setup = async () => {
  process.chdir(root);
  const node = await findNode();
  if (!isInstalled()) await alone(() => (isInstalled() ? undefined : installDependencies(node)));
  return node;
};
