import type { DeviceSetup } from "@telltale/contract/channel-settings";
import type { ReactNode } from "react";
import type { Zone } from "../../../format/zone.ts";
import { StatusLabel } from "../../../ui/status-label.tsx";
import classes from "./settings-state.module.css";

type State = Pick<DeviceSetup, "isPending" | "savedTime" | "savedBy" | "confirmedTime">;

const by = (name: string): string => (name === "" ? "" : ` by ${name}`);

/** Whether the device works by what was saved: pending until it has confirmed that, then applied. Nothing while nobody has saved anything. */
export const SettingsState = ({ setup, zone }: { setup: State | undefined; zone: Zone }): ReactNode => {
  if (!setup?.savedTime) return null;
  const { isPending, savedTime, savedBy, confirmedTime } = setup;
  const saved = `Saved ${zone.stamp(savedTime)}${by(savedBy)}`;
  return (
    <span className={classes.state} role="status" title={saved}>
      {isPending ? (
        <StatusLabel glyph="clock" tone="strong" label={`Pending since ${zone.stamp(savedTime)}`} />
      ) : (
        <StatusLabel glyph="tick" tone="plain" label={`Applied ${zone.stamp(confirmedTime ?? savedTime)}`} />
      )}
    </span>
  );
};

/** What pending means, in a sentence; it stays for a device that never confirms. */
export const PendingNote = ({ setup }: { setup: State | undefined }): ReactNode =>
  setup?.isPending && (
    <p className={classes.note}>
      The settings were saved{by(setup.savedBy)} and hold here from then on; the device has not confirmed them yet. It
      is told again when it connects.
    </p>
  );
