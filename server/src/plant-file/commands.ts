import { isUtf8 } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { counted } from "@telltale/contract/text/counted";
import type { Command } from "commander";
import { stringify } from "yaml";
import { z } from "zod";
import { codeOf } from "../platform/fault.ts";
import { typedFile } from "../platform/installed.ts";
import { reachPlant, type Server, urlOption } from "./api-client.ts";
import { applyChanges, namesInFile } from "./apply-changes.ts";
import { differenceText } from "./differences.ts";
import { PlantFile } from "./document/document.ts";
import { exportPlant } from "./export/export-plant.ts";
import { planChanges } from "./plan-changes.ts";
import { noNames, readPlant } from "./plant.ts";
import { readDevicesCsv } from "./read-csv.ts";
import { readPlantFile, type WrittenPlant } from "./read-file.ts";
import { BadFile } from "./read-yaml.ts";

/** The text of a file; throws `BadFile` for another encoding, in which names would be other ones. */
const textOf = async (file: string): Promise<string> => {
  const bytes = await readFile(typedFile(file)).catch((cause: unknown) => {
    throw new Error(`${file} cannot be read (${codeOf(cause)}): check its name, and that this user may read it`, {
      cause,
    });
  });
  if (!isUtf8(bytes))
    throw new BadFile([`${file}:1: it is not written in UTF-8: save it again as such, from Excel as "CSV UTF-8"`]);
  return bytes.toString("utf8");
};

const readWritten = async (file: string): Promise<WrittenPlant> => {
  const text = await textOf(file);
  return /\.csv$/i.test(file) ? readDevicesCsv(file, text) : readPlantFile(file, text);
};

const exportTo = async (file: string, server: Server): Promise<void> => {
  const { client, plantName } = await reachPlant(server);
  const plant = (await readPlant(client, noNames)).now();
  const text = stringify(exportPlant(plant), { lineWidth: 0 });
  const missing = [...plant.unreadable].join(", ");
  const head = [
    `# Configuration of ${plantName.replaceAll(/\s+/g, " ")}: see \`telltale plan\` and \`telltale apply\`.`,
    ...(missing ? [`# Without what the key's role may not read: ${missing}.`] : []),
  ];
  await writeFile(typedFile(file), `${head.join("\n")}\n${text}`, { mode: 0o600 });
};

const showPlan = async (file: string, server: Server): Promise<void> => {
  const written = await readWritten(file);
  const { client, plantName } = await reachPlant(server);
  const entries = planChanges(written, (await readPlant(client, namesInFile(written.file))).now());
  for (const { differences } of entries) for (const difference of differences) console.log(differenceText(difference));
  console.log(
    entries.length === 0
      ? `${plantName} is as ${file} says`
      : `${counted(entries.length, "entry", "entries")} of ${plantName} ${entries.length === 1 ? "differs" : "differ"}`,
  );
};

const apply = async (file: string, server: Server): Promise<void> => {
  const written = await readWritten(file);
  const { client, plantName } = await reachPlant(server);
  let told = "";
  const onProgress = (done: number, of: number): void => {
    const text = `${done} of ${counted(of, "entry", "entries")}`;
    if (of > 0 && text !== told) console.error(text);
    told = text;
  };
  const onSecret = (webhook: string, secret: string) =>
    console.log(`Secret of the webhook ${webhook}, shown this once: ${secret}`);
  const { changed, partly, refused } = await applyChanges({ client, written, onProgress, onSecret });
  for (const fault of refused) console.error(fault);
  console.log(
    changed === 0 && refused.length === 0
      ? `${plantName} was as ${file} says`
      : `${counted(changed, "entry", "entries")} of ${plantName} changed${partly > 0 ? `, ${partly} in part` : ""}`,
  );
  if (refused.length > 0) process.exitCode = 1;
};

/** Adds `export`, `plan` and `apply`: a plant's configuration as a file. They talk to the server as any program does. */
export const addPlantFileCommands = (program: Command): void => {
  program
    .command("export")
    .description(
      "write a plant's configuration to a YAML file: devices with channels and alerts, people, escalation, and the rest",
    )
    .argument("<file>", "such as plant.yaml")
    .option(...urlOption)
    .action(exportTo);
  program
    .command("plan")
    .description("show what `apply` would change, and change nothing")
    .argument("<file>", "such as plant.yaml, or devices.csv")
    .option(...urlOption)
    .action(showPlan);
  program
    .command("apply")
    .description("make the plant as the file says; what the file leaves out stays as it is")
    .argument("<file>", "such as plant.yaml, or devices.csv")
    .option(...urlOption)
    .action(apply);
  program
    .command("plant-schema")
    .description("print the JSON Schema of the file, for editors")
    .action(() => console.log(JSON.stringify(z.toJSONSchema(PlantFile), undefined, 2)));
};
