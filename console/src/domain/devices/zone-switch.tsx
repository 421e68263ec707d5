import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { text, useSearchOf } from "../../ui/page/search.ts";
import { useRemembered } from "../../ui/remembered.ts";
import type { Search } from "../../ui/router/address.ts";
import { useNavigate } from "../../ui/router/hooks.ts";
import { Segments } from "../../ui/segments.tsx";
import classes from "./zone-switch.module.css";

/** The browser's own time zone. */
const browserZone = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone);

const labels = { device: "Device", browser: "Browser", utc: "UTC" } as const;
type Choice = keyof typeof labels;
const choices: readonly Choice[] = ["device", "browser", "utc"];

interface ZoneChoice {
  /** The zone of all times on the page. */
  zone: Zone;
  /** Undefined where a link names a zone that is none of them. */
  choice: Choice | undefined;
  choose: (choice: Choice) => void;
}

const linkSearch = { zone: text };

/** The zone that the address names; undefined where it names none that there is. */
const useLinkedZone = (): Zone | undefined => {
  const { zone: name } = useSearchOf(linkSearch);
  if (name === undefined) return undefined;
  const zone = zoneOf(name);
  return zone.name === name ? zone : undefined;
};

/** The zone of a page about devices: that of a copied link, else the one that this browser has chosen, else the device's. */
export const useZoneChoice = (deviceZone: string): ZoneChoice => {
  const [kept, keep] = useRemembered<Choice>("telltale-zone", "device");
  const linked = useLinkedZone();
  const navigate = useNavigate();
  const zones = { device: zoneOf(deviceZone), browser: browserZone, utc: zoneOf("UTC") };
  const choose = (choice: Choice) => {
    keep(choice);
    if (!linked) return;
    const search = (old: Search) => ({ ...old, zone: undefined });
    void navigate({ to: ".", search, replace: true, resetScroll: false });
  };
  if (linked) return { zone: linked, choice: choices.find((each) => zones[each].name === linked.name), choose };
  const choice = choices.find((each) => each === kept) ?? "device";
  return { zone: zones[choice], choice, choose };
};

/** Names the zone of the page's times, once, and switches it. */
export const ZoneSwitch = ({ zone, choice, choose }: ZoneChoice) => (
  <div className={classes.zone}>
    <span>
      Times in <b>{zone.name}</b>
    </span>
    <Segments
      label="Time zone"
      options={choices.map((each) => ({ value: each, label: labels[each] }))}
      value={choice}
      onChange={choose}
    />
  </div>
);
