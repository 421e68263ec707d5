import { PlantFile } from "./document/document.ts";
import { BadFile, checkedBy, readYamlFile, type Written } from "./read-yaml.ts";

/** A plant file as it was read. */
export type WrittenPlant = Written<PlantFile>;

/** Two devices of the file with one ID: each entry would rename the other's device. */
const withoutRepeatedIds = (written: WrittenPlant): WrittenPlant => {
  const names = new Map<string, string>();
  const { file, at } = written;
  const repeated = Object.entries(file.devices ?? {}).flatMap(([name, { id }]) => {
    const first = names.get(id);
    names.set(id, first ?? name);
    return first === undefined ? [] : [`${at(["devices", name, "id"])}: ${id} is the ID of ${first} already`];
  });
  if (repeated.length > 0) throw new BadFile(repeated);
  return written;
};

/** Checks what a plant file says; throws `BadFile` that names line and path of what it does not understand. */
export const checked = (said: unknown, at: WrittenPlant["at"]): WrittenPlant =>
  withoutRepeatedIds(checkedBy(PlantFile, said, at));

/** Reads a plant file; throws `BadFile` that names line and path of what it does not understand. */
export const readPlantFile = (name: string, text: string): WrittenPlant =>
  withoutRepeatedIds(readYamlFile(PlantFile, name, text));
