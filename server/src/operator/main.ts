import type { Command } from "commander";
import { BadConfig } from "../config.ts";
import { addImportCommand } from "../import-file/commands.ts";
import { addPlantFileCommands } from "../plant-file/commands.ts";
import { readVersion } from "../platform/installed.ts";
import { addReadingsCommand } from "../readings-file/commands.ts";
import { backUpTo, restoreFrom } from "./backup.ts";
import { runBatch } from "./batch.ts";
import { distributeDatabase } from "./distribute.ts";
import { asOperator } from "./open.ts";
import { print } from "./print.ts";
import { createProgram, json, type Output } from "./program.ts";
import { addServiceCommand } from "./systemd/install.ts";

const addBackupCommands = (program: Command): void => {
  program
    .command("backup")
    .description(
      "write a snapshot of everything (database, firmware images, packages) into one file, while the server runs",
    )
    .argument("<file>", "a new file; it contains secrets, protect it")
    .option(...json)
    .action(async (file: string, { json = false }: Output) => print(await backUpTo(file), json));
  program
    .command("restore")
    .description(
      "replace everything by a backup's content; the running server stops meanwhile and restarts, and all users have to sign in again",
    )
    .argument("<file>", "a file that `backup` wrote, by this version or an older one")
    .option(...json)
    .action(async (file: string, { json = false }: Output) => print(await restoreFrom(file), json));
};

const addDatabaseCommands = (program: Command): void => {
  program
    .command("database")
    .description("the database of a cluster")
    .command("distribute")
    .description("spread the readings over the workers of the database's Citus, once; all servers must be stopped")
    .option(...json)
    .action(async ({ json = false }: Output) => print(await distributeDatabase(), json));
};

const addBatchCommand = (program: Command): void => {
  program
    .command("batch")
    .description(
      "run the commands of a file, one per line, over one connection (devices, users, firmware, support-link, sql-user, outbox, bridges, nodes, disk); continues after a failure",
    )
    .argument("[file]", "default: standard input, each line as it arrives")
    .option("--json", "answer each line with a line of JSON: its number and `rows`, or `error`")
    .action(async (file: string | undefined, { json = false }: Output) => {
      if ((await runBatch(file, json)) > 0) process.exitCode = 1;
    });
};

/** The programs that bin/telltale.mjs starts without this one. */
const others = `
Also:
  telltale [start]          the server, configured by environment variables
  telltale replay --help    sends a CSV recording through the device API
  telltale simulate --help  the simulated plant by itself`;

const program = createProgram(async ({ json = false }, work) => print(await asOperator(work), json));
addBackupCommands(program);
addDatabaseCommands(program);
addBatchCommand(program);
addPlantFileCommands(program);
addReadingsCommand(program);
addImportCommand(program);
addServiceCommand(program);
// Positional, because commands have a --version of their own.
program
  .enablePositionalOptions()
  .version(await readVersion())
  .addHelpText("after", others);

try {
  await program.parseAsync();
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : String(fault));
  process.exitCode = fault instanceof BadConfig ? 2 : 1;
}
