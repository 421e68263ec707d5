import type { Command } from "commander";
import { BadConfig } from "../config.ts";
import { backUpTo, restoreFrom } from "./backup.ts";
import { doBatch } from "./batch.ts";
import { asOperator } from "./open.ts";
import { print } from "./print.ts";
import { createProgram, json, type Output } from "./program.ts";

const addBackupCommands = (program: Command): void => {
  program
    .command("backup")
    .description(
      "write everything (database, firmware images, packages) as it is at this moment into one file, while the server runs",
    )
    .argument("<file>", "a new file; it holds secrets, keep it as such")
    .option(...json)
    .action(async (file: string, { json = false }: Output) => print(await backUpTo(file), json));
  program
    .command("restore")
    .description(
      "replace everything by what a backup holds; running servers stop for so long and go on with it, and everybody signs in again",
    )
    .argument("<file>", "a file that `backup` wrote, by this version or an older one")
    .option(...json)
    .action(async (file: string, { json = false }: Output) => print(await restoreFrom(file), json));
};

const addBatchCommand = (program: Command): void => {
  program
    .command("batch")
    .description(
      "do the commands of a file, one a line, over one connection: those above but for backup and restore; goes on after one that fails",
    )
    .argument("[file]", "left out: what comes on standard input, each line at once")
    .option("--json", "answer each line by a line of JSON: its number and `rows`, or `error`")
    .action(async (file: string | undefined, { json = false }: Output) => {
      if ((await doBatch(file, json)) > 0) process.exitCode = 1;
    });
};

const program = createProgram(async ({ json = false }, work) => print(await asOperator(work), json));
addBackupCommands(program);
addBatchCommand(program);

try {
  await program.parseAsync();
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : String(fault));
  process.exitCode = fault instanceof BadConfig ? 2 : 1;
}
