import { PlantFile } from "./document/document.ts";
import { BadFile, checkedBy, readYamlFile, type Written } from "./read-yaml.ts";

/** A plant file as it was read. */
export type WrittenPlant = Written<PlantFile>;

/**
 * Throws unless each device is known by an ID, or by serial number and model, and no two by the same: each entry would rename the other's device.
 */
const withOwnIds = (written: WrittenPlant): WrittenPlant => {
  const names = { id: new Map<string, string>(), serial: new Map<string, string>() };
  const { file, at } = written;
  const faults = Object.entries(file.devices ?? {}).flatMap(([name, { id, serial, model, master }]) => {
    const path = ["devices", name];
    if ((id === undefined) === (serial === undefined))
      return [`${at(path)}: give it an id, or a serial number and its model`];
    if ((serial === undefined) !== (model === undefined))
      return [`${at(path)}: serial and model are given together: with an ID the model is known`];
    if (serial !== undefined && master !== undefined)
      return [`${at([...path, "master"])}: sub-devices don't register themselves: give it an id`];
    const [field, value] = id === undefined ? (["serial", serial ?? ""] as const) : (["id", id] as const);
    // The server knows an ID with any capitals.
    const key = field === "id" ? value.toUpperCase() : value;
    const first = names[field].get(key);
    names[field].set(key, first ?? name);
    const called = field === "id" ? "ID" : "serial number";
    return first === undefined ? [] : [`${at([...path, field])}: ${value} is the ${called} of ${first} already`];
  });
  if (faults.length > 0) throw new BadFile(faults);
  return written;
};

/** Checks what a plant file says; throws `BadFile` that names line and path of what it does not understand. */
export const checked = (said: unknown, at: WrittenPlant["at"]): WrittenPlant =>
  withOwnIds(checkedBy(PlantFile, said, at));

/** Reads a plant file; throws `BadFile` that names line and path of what it does not understand. */
export const readPlantFile = (name: string, text: string): WrittenPlant =>
  withOwnIds(readYamlFile(PlantFile, name, text));
