import { Checkbox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { dashboards, type TileChoice } from "@telltale/contract/dashboards";
import { Fragment, type ReactNode, useState } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCall } from "../../../session/use-call.ts";
import { type Chosen, choiceAsChosen, keyOfChosen } from "./chosen.ts";
import classes from "./picker.module.css";

/** Rows that one search offers; more are found by saying more. */
const offered = 100;

/** Waits for a pause in typing before it searches, in milliseconds. */
const pause = 250;

interface ChannelPickerProps {
  chosen: readonly Chosen[];
  onToggle: (one: Chosen) => void;
  /** What is wrong with what is chosen. */
  error: string | undefined;
}

const nameOf = ({ deviceChannelId, channelName }: TileChoice): string =>
  deviceChannelId === null ? "All of it in one tile" : channelName;

/** The plant's channels by device, found by the name of either, and motor controllers as a whole. */
export const ChannelPicker = ({ chosen, onToggle, error }: ChannelPickerProps): ReactNode => {
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), pause);
  const found = useCall(dashboards.choices, { size: offered, ...(name === "" ? {} : { name }) });
  const keys = new Set(chosen.map(keyOfChosen));
  const devices = Map.groupBy(found.data?.data ?? [], (row) => row.deviceId);
  const unseen = (found.data?.total ?? 0) - (found.data?.data.length ?? 0);
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Channels</legend>
      <TextField
        className={classes.search}
        aria-label="Search channels"
        placeholder="Search by channel, device name or device ID"
        data-field="deviceChannelIds"
        name="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={error}
      />
      <ul className={classes.list}>
        {[...devices].map(([deviceId, rows]) => (
          <Fragment key={deviceId}>
            <li className={classes.device}>{rows[0]?.deviceName}</li>
            {rows.map(choiceAsChosen).map((one, at) => (
              <li key={keyOfChosen(one)}>
                <Checkbox
                  checked={keys.has(keyOfChosen(one))}
                  onChange={() => onToggle(one)}
                  label={nameOf(rows[at] as TileChoice)}
                />
              </li>
            ))}
          </Fragment>
        ))}
        {unseen > 0 && <li className={classes.note}>{unseen} more: search for them by name</li>}
        {found.data?.total === 0 && <li className={classes.note}>No channel or device of this name</li>}
        {found.error && <li className={classes.note}>{found.error.message}</li>}
      </ul>
    </fieldset>
  );
};
