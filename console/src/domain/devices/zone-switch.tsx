import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { useRemembered } from "../../ui/remembered.ts";
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
  choice: Choice;
  choose: (choice: Choice) => void;
}

/** The zone of a page about a device: the device's, unless this browser has chosen another. */
export const useZoneChoice = (deviceZone: string): ZoneChoice => {
  const [kept, choose] = useRemembered<Choice>("telltale-zone", "device");
  const choice = choices.find((each) => each === kept) ?? "device";
  const zones = { device: zoneOf(deviceZone), browser: browserZone, utc: zoneOf("UTC") };
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
