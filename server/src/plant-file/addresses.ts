import type { WebhookEntry } from "./document/alerting.ts";
import type { PlantFile } from "./document/document.ts";
import type { Plant } from "./plant.ts";

/** The address that a webhook's entry says, or the environment variable that it names; undefined when neither does. */
export const addressOf = (url: WebhookEntry["url"]): string | undefined =>
  typeof url === "object" ? process.env[url.env] || undefined : url;

/** An address as it may be shown: the rest of it is a secret of many systems. */
const shown = (address: string): string => (URL.canParse(address) ? `${new URL(address).origin}/…` : "…");

/**
 * The webhooks of the plant and of the file with addresses that may be shown, and only where they differ: an address that the file leaves out, or the
 * environment does not have, stays.
 */
export const shownAddresses = (
  present: PlantFile["webhooks"] = {},
  wanted: PlantFile["webhooks"] = {},
  plant: Plant,
): { present: PlantFile["webhooks"]; wanted: PlantFile["webhooks"] } => {
  const sides = Object.entries(wanted).map(([name, entry]) => {
    const [before, after] = [plant.webhooks.get(name)?.url, addressOf(entry.url)];
    const isSame = after === undefined || after === before;
    const old = before === undefined || isSame ? undefined : shown(before);
    const fresh = isSame ? undefined : shown(after);
    return {
      present: [name, { ...present[name], url: old }] as const,
      wanted: [name, { ...entry, url: fresh === old && fresh ? `${fresh} (another one)` : fresh }] as const,
    };
  });
  const known = sides.filter(({ present: [name] }) => plant.webhooks.has(name));
  return {
    present: Object.fromEntries(known.map((side) => side.present)),
    wanted: Object.fromEntries(sides.map((side) => side.wanted)),
  };
};
