import { Checkbox, Switch } from "@mantine/core";
import type { Input } from "@telltale/contract/call/call";
import { type DashboardInfo, DashboardStatus, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { type ReactNode, useState } from "react";
import classes from "../../../form/pick-list.module.css";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useCall } from "../../../session/use-call.ts";
import { CloseButton } from "../../../ui/control/close-button.tsx";
import { ChannelPicker } from "./channel-picker.tsx";
import {
  type SelectedTile,
  selectedTiles,
  selectionFields,
  tileKey,
  tileOfGroup,
  toggleTile,
} from "./selected-tiles.ts";

interface SelectedTileListProps {
  chosen: readonly SelectedTile[];
  onToggle: (one: SelectedTile) => void;
}

const besideName = ({ kind, deviceName }: SelectedTile): string =>
  kind === TileKind.modbus ? "Motor controller" : deviceName;

/** The selected tiles, each with a remove button. */
const SelectedTileList = ({ chosen, onToggle }: SelectedTileListProps): ReactNode => {
  if (chosen.length === 0) return null;
  return (
    <section className={classes.picker} aria-label="Chosen tiles">
      <div className={classes.legend}>
        Chosen <small>{chosen.length}</small>
      </div>
      <ul className={classes.list}>
        {chosen.map((one) => (
          <li key={tileKey(one)}>
            <span className={classes.one}>
              {one.name}
              <small>{besideName(one)}</small>
            </span>
            <CloseButton
              size="sm"
              aria-label={`Take off ${one.name}, ${one.deviceName}`}
              onClick={() => onToggle(one)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
};

interface GroupPickerProps {
  chosen: readonly SelectedTile[];
  onToggle: (one: SelectedTile) => void;
}

/** The groups of motor controllers' channels; empty when there are none. */
const GroupPicker = ({ chosen, onToggle }: GroupPickerProps): ReactNode => {
  const { data = [] } = useCall(dashboards.groups, {});
  const keys = new Set(chosen.map(tileKey));
  if (data.length === 0) return null;
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>Channel groups</legend>
      <ul className={classes.list}>
        {data.map(tileOfGroup).map((one) => (
          <li key={one.id}>
            <Checkbox
              checked={keys.has(tileKey(one))}
              onChange={() => onToggle(one)}
              label={`${one.name}, ${one.deviceName}`}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

interface DashboardFormProps {
  /** The dashboard to edit, as loaded when the form opened; undefined for a new one. */
  initial: DashboardInfo | undefined;
  formId: string;
  onSave: (fields: Input<typeof dashboards.edit>) => void;
}

/** Name, notes, default switch, channels and groups. (spec 2 §2) */
export const DashboardForm = ({ initial, formId, onSave }: DashboardFormProps): ReactNode => {
  const wasDefault = initial?.status === DashboardStatus.standard;
  const [isDefault, setDefault] = useState(wasDefault);
  const [chosen, setChosen] = useState(() => selectedTiles(initial));
  const form = useCallForm(dashboards.edit, onSave, ({ name, notes }) => ({
    name,
    notes,
    status: isDefault ? DashboardStatus.standard : DashboardStatus.other,
    ...selectionFields(chosen),
  }));
  const channelList = form.field("deviceChannelIds");
  const toggle = (one: SelectedTile) => {
    setChosen(toggleTile(chosen, one));
    channelList.onInput();
  };
  return (
    <form id={formId} {...form.props}>
      <TextField
        {...form.field("name")}
        label="Name"
        defaultValue={initial?.name ?? ""}
        autoComplete="off"
        maxLength={64}
        data-autofocus
      />
      <TextField {...form.field("notes")} label="Notes" defaultValue={initial?.notes ?? ""} autoComplete="off" />
      <Switch
        className={classes.default}
        label="Default dashboard"
        description={wasDefault ? "To change it, make another dashboard the default" : undefined}
        checked={isDefault}
        disabled={wasDefault}
        onChange={(event) => setDefault(event.currentTarget.checked)}
      />
      <ChannelPicker chosen={chosen} onToggle={toggle} error={channelList.error} />
      <GroupPicker chosen={chosen} onToggle={toggle} />
      <SelectedTileList chosen={chosen} onToggle={toggle} />
    </form>
  );
};
