import { channelCodes } from "@telltale/contract/domains/fleet/provisioning";
import type { PlantFile, Section } from "./document/document.ts";
import { ownerWord, selfRegisteringWords } from "./document/words.ts";
import type { Plant, PlantDevice } from "./plant.ts";

/** Where a reference `DEVICE/NAME` can be parted: names may hold slashes, too. The shortest last part comes first. */
const partings = (reference: string): [device: string, name: string][] =>
  Array.from(reference.matchAll(/\//g), ({ index }): [string, string] => [
    reference.slice(0, index),
    reference.slice(index + 1),
  ]).toReversed();

/** What of a device a reference `DEVICE/NAME` names; undefined when there is none. */
export const referred = <T>(
  plant: Plant,
  reference: string,
  find: (device: PlantDevice, name: string) => T | undefined,
): T | undefined => {
  for (const [deviceName, name] of partings(reference)) {
    const device = plant.devices.get(deviceName);
    const found = device && find(device, name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** What is referred to by its own name, by the section that it is an entry of. */
const sections = {
  contact: "contacts",
  dashboard: "dashboards",
  device: "devices",
  "escalation plan": "plans",
  roster: "rosters",
  user: "users",
  webhook: "webhooks",
} as const satisfies Record<string, Section>;
/** What a device has. */
type OfDevice = "channel" | "alert" | "group";
export type Kind = keyof typeof sections | OfDevice;

const isOfDevice = (kind: Kind): kind is OfDevice => kind === "channel" || kind === "alert" || kind === "group";

/** Whether references of this kind name a device, whose name several may have. */
export const isAboutDevices = (kind: Kind): boolean => kind === "device" || isOfDevice(kind);

/** What a plant and its file have between them. */
export interface Known {
  /** The name of the device that a reference means, or of what is called by its own name; undefined when it is nowhere. */
  find(kind: Kind, name: string): string | undefined;
  /** The codes of a device's channels; undefined of a device whose model only the server knows, while the plant does not have it. */
  codes(device: string): readonly string[] | undefined;
}

/** Looks up what can be referred to: entries of the file, and of the plant. */
export const knownIn = (file: PlantFile, plant: Plant): Known => {
  const inFile = new Map(Object.entries(file.devices ?? {}));
  const isEntry = (section: Section, name: string): boolean =>
    plant[section].has(name) || Object.hasOwn(file[section] ?? {}, name);
  const codes: Known["codes"] = (name) => {
    const model = inFile.get(name)?.model;
    return (
      plant.devices.get(name)?.setup.channels.map(({ channelCn }) => channelCn) ??
      (model && channelCodes[selfRegisteringWords[model]])
    );
  };
  const has: Record<OfDevice, (device: string, name: string) => boolean> = {
    // A device that is not in the plant yet may have any.
    channel: (device, code) => isEntry("devices", device) && (codes(device)?.includes(code) ?? true),
    alert: (device, name) =>
      Object.hasOwn(inFile.get(device)?.alerts ?? {}, name) || plant.devices.get(device)?.alerts.has(name) === true,
    group: (device, name) =>
      Object.hasOwn(inFile.get(device)?.groups ?? {}, name) || plant.devices.get(device)?.groups.has(name) === true,
  };
  return {
    codes,
    find: (kind, name) => {
      if (isOfDevice(kind)) return partings(name).find(([device, own]) => has[kind](device, own))?.[0];
      const isThere = isEntry(sections[kind], name) || (kind === "user" && name === ownerWord);
      return isThere ? name : undefined;
    },
  };
};
