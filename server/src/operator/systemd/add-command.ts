import type { Command } from "commander";
import { type InstallOptions, installService } from "./install.ts";

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
