import type { Letter } from "../notify/letter.ts";
import { quoted, typedText } from "../notify/quoted.rules.ts";
import type { EndingService } from "./reminder-queries.ts";

/** Devices that a letter names; of more it tells how many. */
const named = 50;

const dayOf = (moment: Date, zone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    moment,
  );

const lineOf = ({ device_name, device_sn_id, service_end, time_zone_id }: EndingService): [string, string] => [
  `${typedText(device_name)} (${device_sn_id})`,
  `ends on ${dayOf(service_end, time_zone_id)}`,
];

/** Tells whoever can pay that the network services of a plant's devices end soon. `devices` has at least one. */
export const reminderLetter = (devices: readonly EndingService[], publicUrl: string): Letter => {
  const [first] = devices;
  const which = devices.length === 1 ? typedText(first?.device_name ?? "") : `${devices.length} devices`;
  const more = devices.length - named;
  return {
    subject: `Network services end soon: ${which}`,
    paragraphs: [
      `In ${quoted(first?.plant_name ?? "")} the network services of ${devices.length === 1 ? "a device end" : "some devices end"} soon.`,
      "Without a renewal live values and alerts stop then. Readings are stored for 30 more days, and settings stay as they are; paying brings everything back at once.",
    ],
    facts: [
      ...devices.slice(0, named).map(lineOf),
      ...(more > 0 ? [["", `and ${more} more`] as [string, string]] : []),
    ],
    action: { label: "Renew", url: `${publicUrl}/devices` },
    footnotes: ["You are told because you are an owner or admin of this plant."],
  };
};
