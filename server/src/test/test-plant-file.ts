import type { Client } from "@telltale/contract/call/client";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import { stringify } from "yaml";
import { type Applied, applyChanges, namesInFile } from "../plant-file/apply-changes.ts";
import { differenceText } from "../plant-file/differences.ts";
import { exportPlant } from "../plant-file/export/export-plant.ts";
import { planChanges } from "../plant-file/plan-changes.ts";
import { noNames, readPlant } from "../plant-file/plant.ts";
import { readPlantFile, type WrittenPlant } from "../plant-file/read-file.ts";
import type { Person } from "./test-people.ts";
import type { TestServer } from "./test-server.ts";

/** The client of a program with an API key of this person, by default with all rights. */
export const keyOf = async (at: TestServer, person: Person, roleType: Role = Role.owner): Promise<Client> => {
  const wanted = { keyName: "Configuration", roleType, readOnly: 0, days: 30 } as const;
  return at.byKey((await at.as(person)(apiKeys.add, wanted)).apiKey);
};

/** What `telltale export` writes. */
export const exported = async (client: Client): Promise<string> =>
  stringify(exportPlant((await readPlant(client, noNames)).now()), { lineWidth: 0 });

const read = (file: string | WrittenPlant): WrittenPlant =>
  typeof file === "string" ? readPlantFile("plant.yaml", file) : file;

/** What `telltale plan` prints. */
export const planOf = async (client: Client, file: string | WrittenPlant): Promise<string[]> => {
  const written = read(file);
  const entries = planChanges(written, (await readPlant(client, namesInFile(written.file))).now());
  return entries.flatMap(({ differences }) => differences.map(differenceText));
};

/** Applies a file as `telltale apply` does. */
export const apply = async (
  client: Client,
  file: string | WrittenPlant,
  onSecret: (webhook: string, secret: string) => void = () => undefined,
): Promise<Applied> => applyChanges({ client, written: read(file), onProgress: () => undefined, onSecret });
