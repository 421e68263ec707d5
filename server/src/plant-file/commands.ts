import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { stringify } from "yaml";
import { z } from "zod";
import { typedFile } from "../platform/installed.ts";
import { reachPlant, type Server, urlOption } from "./api-client.ts";
import { applyChanges, nameInFile } from "./apply-changes.ts";
import { differenceText } from "./differences.ts";
import { PlantFile, readPlantFile } from "./document.ts";
import { exportPlant } from "./export-plant.ts";
import { planChanges } from "./plan-changes.ts";
import { readPlant } from "./plant.ts";

const readWritten = async (file: string) => readPlantFile(file, await readFile(typedFile(file), "utf8"));

const planned = async (file: string, server: Server) => {
  const written = await readWritten(file);
  const { client, plantName } = await reachPlant(server);
  return {
    written,
    client,
    plantName,
    entries: planChanges(written, await readPlant(client, nameInFile(written.file))),
  };
};

const exportTo = async (file: string, server: Server): Promise<void> => {
  const { client, plantName } = await reachPlant(server);
  const text = stringify(exportPlant(await readPlant(client, () => undefined)), { lineWidth: 0 });
  await writeFile(
    typedFile(file),
    `# Configuration of ${plantName.replaceAll(/\s+/g, " ")}: see \`telltale plan\` and \`telltale apply\`.\n${text}`,
    {
      mode: 0o600,
    },
  );
};

const showPlan = async (file: string, server: Server): Promise<void> => {
  const { entries, plantName } = await planned(file, server);
  for (const { differences } of entries) for (const difference of differences) console.log(differenceText(difference));
  console.log(
    entries.length === 0 ? `${plantName} is as ${file} says` : `${entries.length} entries of ${plantName} differ`,
  );
};

const apply = async (file: string, server: Server): Promise<void> => {
  const { written, client, plantName } = await planned(file, server);
  const onProgress = (done: number, of: number) => void (of > 0 && console.error(`${done} of ${of} entries`));
  const { changed, refused } = await applyChanges({ client, written, onProgress });
  for (const fault of refused) console.error(fault);
  console.log(
    changed === 0 && refused.length === 0
      ? `${plantName} was as ${file} says`
      : `${changed} entries of ${plantName} changed`,
  );
  if (refused.length > 0) process.exitCode = 1;
};

/** Adds `export`, `plan` and `apply`: a plant's configuration as a file. They talk to the server as any program does. */
export const addPlantFileCommands = (program: Command): void => {
  program
    .command("export")
    .description(
      "write a plant's configuration to a YAML file: contacts, devices with channels and alerts, dashboards, users",
    )
    .argument("<file>", "such as plant.yaml")
    .option(...urlOption)
    .action(exportTo);
  program
    .command("plan")
    .description("show what `apply` would change, and change nothing")
    .argument("<file>")
    .option(...urlOption)
    .action(showPlan);
  program
    .command("apply")
    .description("make the plant as the file says; what the file leaves out stays as it is")
    .argument("<file>")
    .option(...urlOption)
    .action(apply);
  program
    .command("plant-schema")
    .description("print the JSON Schema of the file, for editors")
    .action(() => console.log(JSON.stringify(z.toJSONSchema(PlantFile), undefined, 2)));
};
