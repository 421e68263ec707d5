import { userInfo } from "node:os";
import { modelPrefixes } from "@telltale/contract/domains/devices";
import { Command, InvalidArgumentError } from "commander";
import { resetIdentity, resetSecondFactor, supportLink } from "./accounts.ts";
import { type AddDevices, addDevices } from "./devices-add.ts";
import { type AddFirmware, addFirmware, listFirmware, type WithdrawFirmware, withdrawFirmware } from "./firmware.ts";
import { type PrintLabels, printLabels, sheetNames } from "./labels.ts";
import { listBridges, listDevices, listNodes, listOutbox, showDisk } from "./lists.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";
import { createSqlUser, dropSqlUser, type NewSqlUser, showSqlUsers } from "./sql-users.ts";
import { type AddUser, addUser, rolesByLabel } from "./users-add.ts";

export interface Output {
  json?: boolean;
}

/** Runs a command's work and prints the result. */
export type Answer = (output: Output, work: (operator: Operator) => Promise<Row[]>) => Promise<void>;

const count = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new InvalidArgumentError("It is a whole number from 1 to 100000.");
  return number;
};

const skipped = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 47)
    throw new InvalidArgumentError("It is a whole number from 0 to 47.");
  return number;
};

/** Name of the user who runs the command, before sudo. In a container only the numeric id may be known. */
const operatorName = (): string => {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
};

export const json = ["--json", "answer in JSON"] as const;
const by = ["--by <name>", "your name for the audit log", operatorName()] as const;

/** Options of commands about one user. */
interface Personal extends Output {
  email: string;
  by: string;
}

const addDeviceCommands = (program: Command, answer: Answer): void => {
  const devices = program.command("devices").description("units and their credentials");
  devices
    .command("add")
    .description("create units: prints device IDs, P/Ns and access tokens")
    .requiredOption("--model <model>", Object.values(modelPrefixes).join(", "))
    .option("--count <n>", "how many", count, 1)
    .option("--main", "as main devices")
    .option("--sub", "as sub-devices")
    .option("--owner <email>", "add them to this owner's plant")
    .option("--plant <name>", "the plant, if the owner has several")
    .option("--name <name>", "device name, numbered if there are several devices")
    .option("--parent <deviceId>", "the main device that sub-devices report through")
    .option(...json)
    .action((options: AddDevices & Output) => answer(options, (operator) => addDevices(operator, options)));
  devices
    .command("list")
    .description("all units with plant, status and access token, and the node of a cluster that heard each last")
    .option("--owner <email>", "only those of this owner's plants")
    .option(...json)
    .action((options: { owner?: string } & Output) =>
      answer(options, (operator) => listDevices(operator, options.owner)),
    );
  devices
    .command("labels")
    .description("write labels with QR codes as PDF, for units that no plant has, or for these; prints which")
    .argument("<file>", "a new file")
    .argument("[deviceId...]", "device IDs")
    .option("--sheet <labels>", `labels of an A4 sheet: ${sheetNames}`, "21")
    .option("--skip <n>", "labels of the first sheet that are used already", skipped, 0)
    .option(...json)
    .action((file: string, deviceSnIds: string[], options: PrintLabels & Output) =>
      answer(options, (operator) => printLabels(operator, { ...options, file, deviceSnIds })),
    );
};

const addUserCommands = (program: Command, answer: Answer): void => {
  const users = program.command("users").description("people and their accounts");
  users
    .command("add")
    .description("create a user with a new plant, or with a role in an existing plant")
    .requiredOption("--email <email>")
    .option("--password <password>", "at least 8 characters; default: one is generated and printed")
    .option("--first-name <name>")
    .option("--last-name <name>")
    .option("--owner", "as the owner of a new plant")
    .option("--plant <name>", "name of the new plant, or of the one to join")
    .option("--plant-of <email>", "join the plant of this owner")
    .option("--role <role>", Object.keys(rolesByLabel).join(", "))
    .option("--invite", "mail an invitation to that plant instead of setting a password")
    .option(...json)
    .action(({ plantOf, ...options }: AddUser & Output & { plantOf?: string }) =>
      answer(options, (operator) => addUser(operator, { ...options, ...(plantOf ? { ownerEmail: plantOf } : {}) })),
    );
  users
    .command("reset-second-factor")
    .description("turn off the second factor of a user who lost phone and recovery codes")
    .requiredOption("--email <email>")
    .option(...by)
    .option(...json)
    .action((options: Personal) =>
      answer(options, (operator) => resetSecondFactor(operator, options.email, options.by)),
    );
  users
    .command("reset-single-sign-on")
    .description("let a user who got a new user at the provider sign in with that one")
    .requiredOption("--email <email>")
    .option(...by)
    .option(...json)
    .action((options: Personal) => answer(options, (operator) => resetIdentity(operator, options.email, options.by)));
};

const addFirmwareCommands = (program: Command, answer: Answer): void => {
  const firmware = program.command("firmware").description("images that devices can be updated to");
  firmware
    .command("add")
    .description("store an image and offer it to all devices of a P/N")
    .argument("<file>", "the image as it goes to the device")
    .requiredOption("--model <P/N>", "the P/N that it is for, as `devices list` prints it")
    .requiredOption("--version <version>", "up to four numbers with points, such as 2.5.0")
    .option("--type <type>", "mesh for the radio module, mcu for the controller", "mcu")
    .option(...by)
    .option(...json)
    .action((file: string, options: AddFirmware & Output) =>
      answer(options, (operator) => addFirmware(operator, file, options)),
    );
  firmware
    .command("list")
    .description("the offered images, and how many devices are updating to each")
    .option(...json)
    .action((options: Output) => answer(options, listFirmware));
  firmware
    .command("withdraw")
    .description("withdraw an image; updates to it end, and their devices keep their current version")
    .requiredOption("--model <P/N>")
    .requiredOption("--version <version>")
    .option(...by)
    .option(...json)
    .action((options: WithdrawFirmware & Output) => answer(options, (operator) => withdrawFirmware(operator, options)));
};

const addSupportCommand = (program: Command, answer: Answer): void => {
  program
    .command("support-link")
    .description("a link to view the console as this user, for one use and read-only")
    .requiredOption("--email <email>")
    .option(...by)
    .option(...json)
    .action((options: Personal) => answer(options, (operator) => supportLink(operator, options.email, options.by)));
};

const addSqlUserCommands = (program: Command, answer: Answer): void => {
  const users = program
    .command("sql-user")
    .description("roles of PostgreSQL by which Grafana and other programs read one plant");
  users
    .command("add")
    .description("create one; prints its password, which is stored nowhere, and where to connect")
    .argument("<name>", "small letters, digits and _, such as grafana")
    .requiredOption("--plant <name>", "name of the plant, or its number")
    .option("--owner <email>", "the plant's owner, if several plants have the name")
    .option(...by)
    .option(...json)
    .action((name: string, options: NewSqlUser & Output) =>
      answer(options, (operator) => createSqlUser(operator, name, options)),
    );
  users
    .command("list")
    .description("all SQL users, their plants, and when and from where each was last used")
    .option(...json)
    .action((options: Output) => answer(options, showSqlUsers));
  users
    .command("remove")
    .description("remove one and end its sessions")
    .argument("<name>")
    .option(...by)
    .option(...json)
    .action((name: string, options: { by: string } & Output) =>
      answer(options, (operator) => dropSqlUser(operator, name, options.by)),
    );
};

const addOutboxCommand = (program: Command, answer: Answer): void => {
  program
    .command("outbox")
    .description("mail and SMS with time, recipient and status, and the links of those that were kept unsent")
    .option("--count <n>", "number of messages, newest first", count, 20)
    .option(...json)
    .action((options: { count: number } & Output) =>
      answer(options, (operator) => listOutbox(operator, options.count)),
    );
};

const addDiskCommand = (program: Command, answer: Answer): void => {
  program
    .command("disk")
    .description("how full the disk of DATA_DIR is, and when it will be full at the rate of the last day")
    .option(...json)
    .action((options: Output) => answer(options, showDisk));
};

const addNodesCommand = (program: Command, answer: Answer): void => {
  program
    .command("nodes")
    .description(
      "the nodes of a cluster, when each was heard last, and how many online devices it has; none for a server alone",
    )
    .option(...json)
    .action((options: Output) => answer(options, listNodes));
};

const addBridgesCommand = (program: Command, answer: Answer): void => {
  program
    .command("bridges")
    .description("the bridges of all plants to other MQTT brokers: state, how far each is behind, and the last fault")
    .option(...json)
    .action((options: Output) => answer(options, listBridges));
};

/** Creates the commands that work on a server's data, whether it runs or not; `answer` runs each. */
export const createProgram = (answer: Answer): Command => {
  const program = new Command("telltale").description("Telltale's commands for operators");
  addDeviceCommands(program, answer);
  addUserCommands(program, answer);
  addFirmwareCommands(program, answer);
  addSupportCommand(program, answer);
  addSqlUserCommands(program, answer);
  addOutboxCommand(program, answer);
  addBridgesCommand(program, answer);
  addNodesCommand(program, answer);
  addDiskCommand(program, answer);
  return program;
};
