import { type DeviceStorage, gigabyte, type MonthsKept } from "@telltale/contract/domains/readings/storage";
import { counted } from "@telltale/contract/text/counted";
import { withDecimals } from "../../../ui/format/decimals.ts";

/** `0.42 GB of 1 GB`; without a package only what is used. */
export const usedText = ({ usedBytes, storageSpace }: DeviceStorage): string => {
  const used = usedBytes / gigabyte;
  const words = usedBytes > 0 && used < 0.01 ? "under 0.01 GB" : `${withDecimals(used, 2)} GB`;
  return storageSpace === null ? words : `${words} of ${storageSpace} GB`;
};

/** Part of the storage space that is used, from 0 to 1; null without a package. */
export const usedPart = ({ usedBytes, storageSpace }: DeviceStorage): number | null =>
  storageSpace === null ? null : Math.min(1, usedBytes / (storageSpace * gigabyte));

const whose: Record<keyof MonthsKept, string> = {
  device: "set for this device",
  plant: "set for the plant",
  operator: "set by the operator",
};

/** For how long readings are kept, and by whose word: the shortest applies. */
export const keptText = (kept: MonthsKept): string => {
  const given = (["operator", "plant", "device"] as const).flatMap((key) => {
    const months = kept[key];
    return months === null ? [] : [{ key, months }];
  });
  const [first, ...others] = given;
  if (!first) return "For ever";
  const shortest = others.reduce((least, each) => (each.months < least.months ? each : least), first);
  return `${counted(shortest.months, "month")}, ${whose[shortest.key]}`;
};
