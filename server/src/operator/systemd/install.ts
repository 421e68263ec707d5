import { spawnSync } from "node:child_process";
import { access, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { codeOf } from "../../platform/fault.ts";
import { command, isCheckout, root, typedFile } from "../../platform/installed.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { hiddenFrom, settingsFor, unitFor } from "./unit.ts";

/** Options of the command. */
interface InstallOptions {
  /** Print the files instead of writing them. */
  print?: boolean;
  /** Write them into this folder instead of the system's. */
  directory?: string;
}

const own = { unit: "/etc/systemd/system/telltale.service", settings: "/etc/telltale.env" };

const compose = async () => {
  const installation = { node: await realpath(process.execPath), root: await realpath(root), isCheckout };
  const template = await readFile(join(root, "docs/operate/telltale.service"), "utf8");
  const unit = unitFor(template, installation);
  return { unit, settings: settingsFor(await readFile(join(root, "README.md"), "utf8"), unit), installation };
};

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Why the system's folders cannot be written, or would not be read; undefined when they can. */
export const refusal = ({ hasSystemd, isRoot }: { hasSystemd: boolean; isRoot: boolean }): string | undefined => {
  const instead = `\`${command} service install --print\` prints the files, and --directory DIR writes them into another folder`;
  if (!hasSystemd) return `This system is not run by systemd. ${instead}`;
  return isRoot ? undefined : `A service is installed by root: use sudo. ${instead}`;
};

const checkSystem = async (): Promise<void> => {
  const reason = refusal({ hasSystemd: await isThere("/run/systemd/system"), isRoot: process.getuid?.() === 0 });
  if (reason !== undefined) throw new OperatorError(reason);
};

/** Writes the settings, readable by their owner only, unless there are some already; resolves with whether it did. */
const writeSettings = (file: string, text: string): Promise<boolean> =>
  writeFile(file, text, { mode: 0o600, flag: "wx" }).then(
    () => true,
    (cause: unknown) => {
      if (codeOf(cause) === "EEXIST") return false;
      throw cause;
    },
  );

const hasUser = (): boolean => spawnSync("id", ["-u", "telltale"], { stdio: "ignore" }).status === 0;

const next = (): string[] => [
  ...(hasUser() ? [] : ["useradd --system --home-dir /var/lib/telltale --shell /usr/sbin/nologin telltale"]),
  "systemctl daemon-reload && systemctl enable --now telltale",
  "journalctl -u telltale -f",
];

/** What to do about programs that the service, in folders of its own, could not see; undefined when it sees all. */
export const hiddenWarning = (hidden: readonly string[]): string | undefined =>
  hidden.length === 0
    ? undefined
    : `The service could not see ${hidden.join(" and ")}, in a private folder: install both for the whole system, for example by npm install -g as root`;

/** Writes or prints systemd's unit and the file of its settings; resolves with what to tell the operator. */
export const installService = async ({ print = false, directory }: InstallOptions): Promise<string> => {
  const isOwn = !print && directory === undefined;
  if (isOwn) await checkSystem();
  const { unit, settings, installation } = await compose();
  const warning = hiddenWarning(hiddenFrom(installation));
  if (print)
    return `${warning === undefined ? "" : `# Warning: ${warning}\n`}# ${own.unit}\n${unit}\n# ${own.settings}\n${settings}`;
  if (isOwn && warning !== undefined) throw new OperatorError(warning);
  const folder = directory === undefined ? undefined : typedFile(directory);
  if (folder)
    await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
      throw new OperatorError(
        `--directory ${folder} cannot be made (${codeOf(cause)}): name a folder that you may write to`,
      );
    });
  const files = folder ? { unit: join(folder, "telltale.service"), settings: join(folder, "telltale.env") } : own;
  await writeFile(files.unit, unit, { mode: 0o644 });
  const isNew = await writeSettings(files.settings, settings);
  const written = [
    `${files.unit} is written`,
    isNew ? `${files.settings} is written: put your settings there` : `${files.settings} is kept as it was`,
  ];
  const warnings = warning === undefined ? [] : [`Warning: ${warning}`];
  return [...written, ...warnings, ...(folder ? [] : ["", "Now run:", ...next().map((line) => `  ${line}`)])].join(
    "\n",
  );
};

/** Adds the command that makes Telltale a service of this machine. */
export const addServiceCommand = (program: Command): void => {
  program
    .command("service")
    .description("Telltale as a service of systemd")
    .command("install")
    .description("write its unit and a file for its settings; the settings stay when it is run again")
    .option("--print", "print them instead")
    .option("--directory <dir>", "write them into this folder")
    .action(async (options: InstallOptions) => console.log(await installService(options)));
};
