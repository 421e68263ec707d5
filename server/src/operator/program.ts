import { userInfo } from "node:os";
import { modelPrefixes } from "@telltale/contract/domains/devices";
import { Command, InvalidArgumentError } from "commander";
import { resetSecondFactor, supportLink } from "./accounts.ts";
import { type AddDevices, addDevices } from "./devices-add.ts";
import { listDevices } from "./devices-list.ts";
import { type AddFirmware, addFirmware, listFirmware, type WithdrawFirmware, withdrawFirmware } from "./firmware.ts";
import type { Operator } from "./open.ts";
import { listOutbox } from "./outbox-list.ts";
import type { Row } from "./print.ts";
import { type AddUser, addUser, roleWords } from "./users-add.ts";

export interface Output {
  json?: boolean;
}

/** Does the work of a command and prints what it brought. */
export type Answer = (output: Output, work: (operator: Operator) => Promise<Row[]>) => Promise<void>;

const count = (text: string): number => {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new InvalidArgumentError("It is a whole number from 1 to 100000.");
  return number;
};

/** Who types the command: whoever has become root, or the machine's user. A container may know a number only. */
const operatorName = (): string => {
  if (process.env.SUDO_USER) return process.env.SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
};

export const json = ["--json", "answer in JSON"] as const;
const by = ["--by <name>", "who does it, as the audit log names them", operatorName()] as const;

/** What concerns one user's person. */
interface Personal extends Output {
  email: string;
  by: string;
}

const addDeviceCommands = (program: Command, answer: Answer): void => {
  const devices = program.command("devices").description("units and their credentials");
  devices
    .command("add")
    .description("make units: prints device IDs, P/Ns and access tokens")
    .requiredOption("--model <model>", Object.values(modelPrefixes).join(", "))
    .option("--count <n>", "how many", count, 1)
    .option("--main", "as main devices")
    .option("--sub", "as sub-devices")
    .option("--owner <email>", "claim them for this owner's plant")
    .option("--plant <name>", "which of the owner's plants")
    .option("--name <name>", "device name, numbered when there are several")
    .option("--parent <deviceId>", "the main device that sub-devices report through")
    .option(...json)
    .action((asked: AddDevices & Output) => answer(asked, (operator) => addDevices(operator, asked)));
  devices
    .command("list")
    .description("all units with plant, status and access token")
    .option("--owner <email>", "those of this owner's plants")
    .option(...json)
    .action((asked: { owner?: string } & Output) => answer(asked, (operator) => listDevices(operator, asked.owner)));
};

const addUserCommands = (program: Command, answer: Answer): void => {
  const users = program.command("users").description("people and their accounts");
  users
    .command("add")
    .description("make a user with a plant of their own, or with a role in another's plant")
    .requiredOption("--email <email>")
    .option("--password <password>", "at least 8 characters; left out: one is made up and printed")
    .option("--first-name <name>")
    .option("--last-name <name>")
    .option("--owner", "with a new plant of their own")
    .option("--plant <name>", "name of the new plant, or of the one to join")
    .option("--plant-of <email>", "join the plant of this owner")
    .option("--role <role>", Object.keys(roleWords).join(", "))
    .option("--invite", "mail an invitation to that plant instead of setting a password")
    .option(...json)
    .action(({ plantOf, ...asked }: AddUser & Output & { plantOf?: string }) =>
      answer(asked, (operator) => addUser(operator, { ...asked, ...(plantOf ? { ownerEmail: plantOf } : {}) })),
    );
  users
    .command("reset-second-factor")
    .description("let somebody who lost phone and recovery codes sign in with the password alone")
    .requiredOption("--email <email>")
    .option(...by)
    .option(...json)
    .action((asked: Personal) => answer(asked, (operator) => resetSecondFactor(operator, asked.email, asked.by)));
};

const addFirmwareCommands = (program: Command, answer: Answer): void => {
  const firmware = program.command("firmware").description("images that devices can be updated to");
  firmware
    .command("add")
    .description("keep an image and offer it to all devices of a P/N")
    .argument("<file>", "the image as it goes to the device")
    .requiredOption("--model <P/N>", "the P/N that it is for, as `devices list` prints it")
    .requiredOption("--version <version>", "up to four numbers with points, such as 2.5.0")
    .option("--type <type>", "mesh for the radio module, mcu for the controller", "mcu")
    .option(...by)
    .option(...json)
    .action((file: string, asked: AddFirmware & Output) =>
      answer(asked, (operator) => addFirmware(operator, file, asked)),
    );
  firmware
    .command("list")
    .description("the images on offer, and how many devices are being given each")
    .option(...json)
    .action((asked: Output) => answer(asked, listFirmware));
  firmware
    .command("withdraw")
    .description("take an image off the offer; updates to it end, and their devices keep what they run")
    .requiredOption("--model <P/N>")
    .requiredOption("--version <version>")
    .option(...by)
    .option(...json)
    .action((asked: WithdrawFirmware & Output) => answer(asked, (operator) => withdrawFirmware(operator, asked)));
};

const addSupportCommand = (program: Command, answer: Answer): void => {
  program
    .command("support-link")
    .description("a link to see the console as this user does, once and read-only")
    .requiredOption("--email <email>")
    .option(...by)
    .option(...json)
    .action((asked: Personal) => answer(asked, (operator) => supportLink(operator, asked.email, asked.by)));
};

const addOutboxCommand = (program: Command, answer: Answer): void => {
  program
    .command("outbox")
    .description("mails and SMS: when, to whom, what has become of them; with the links of those that were kept")
    .option("--count <n>", "how many, the latest first", count, 20)
    .option(...json)
    .action((asked: { count: number } & Output) => answer(asked, (operator) => listOutbox(operator, asked.count)));
};

/** The commands that work with the data of a server, whether it runs or not; each answers by `answer`. */
export const createProgram = (answer: Answer): Command => {
  const program = new Command("telltale").description("What an operator of Telltale does beside the console");
  addDeviceCommands(program, answer);
  addUserCommands(program, answer);
  addFirmwareCommands(program, answer);
  addSupportCommand(program, answer);
  addOutboxCommand(program, answer);
  return program;
};
