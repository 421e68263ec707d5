import { Checkbox, Select } from "@mantine/core";
import type { Input } from "@telltale/contract/call/call";
import { Analog, analogLabels, channels } from "@telltale/contract/domains/channels";
import { type DashboardGroup, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { devices, Model, modelPrefixes } from "@telltale/contract/domains/devices";
import { type ReactNode, useState } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import classes from "../../../form/pick-list.module.css";
import { fieldClasses, TextField, validationError } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useCall } from "../../../session/use-call.ts";

/** Two kinds each of vibration and digital input have the same label and icon: only one of each is offered. */
const twins: readonly number[] = [Analog.countingInput, Analog.vibrationMg];
const icons = Object.entries(analogLabels)
  .filter(([id]) => !twins.includes(Number(id)))
  .map(([value, label]) => ({ value, label }));

/** All motor controllers of the plant, by name. */
const useMotors = (): { value: string; label: string }[] => {
  const { data } = useCall(devices.list, { deviceSn: modelPrefixes[Model.motorController], size: 200 });
  return (data?.data ?? [])
    .flatMap((row) => row.subDevices)
    .filter(({ typeId }) => typeId === Model.motorController)
    .map(({ deviceId, deviceName, deviceSnId }) => ({
      value: String(deviceId),
      label: `${deviceName} (${deviceSnId})`,
    }));
};

interface GroupChannelsProps {
  deviceId: number;
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
  error: string | undefined;
}

const GroupChannels = ({ deviceId, chosen, onChange, error }: GroupChannelsProps) => {
  const [typed, setTyped] = useState("");
  const { data = [] } = useCall(channels.ofModbusDevice, { deviceId }, { placeholderData: () => undefined });
  const shown = data.filter(({ channelName }) => channelName.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <fieldset className={classes.picker}>
      <legend className={classes.legend}>
        Channels <small>{chosen.length} chosen</small>
      </legend>
      <TextField
        className={classes.search}
        aria-label="Search channels"
        placeholder="Search by name"
        data-field="deviceChannelIds"
        name="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={error}
      />
      <ul className={classes.list}>
        {shown.map(({ deviceChannelId: id, channelName }) => (
          <li key={id}>
            <Checkbox
              checked={chosen.includes(id)}
              onChange={() => onChange(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id])}
              label={channelName}
            />
          </li>
        ))}
        {shown.length === 0 && <li className={classes.note}>No channel of this name</li>}
      </ul>
    </fieldset>
  );
};

const inDrawer = { allowDeselect: false, classNames: fieldClasses };

const IconField = ({ icon, onChange }: { icon: string; onChange: (icon: string) => void }) => (
  <Select
    {...inDrawer}
    label="Icon"
    data={icons}
    value={icon}
    onChange={(value) => onChange(value ?? icon)}
    leftSection={<ChannelIcon analogId={Number(icon)} />}
  />
);

interface GroupFormProps {
  /** Undefined for a new group. */
  initial: DashboardGroup | undefined;
  formId: string;
  onSave: (fields: Input<typeof dashboards.editGroup>) => void;
}

/** Name, icon, motor controller and channels of a group. (spec 2 §2) */
export const GroupForm = ({ initial, formId, onSave }: GroupFormProps): ReactNode => {
  const motors = useMotors();
  const [icon, setIcon] = useState(String(initial?.icon ?? Analog.other));
  const [device, setDevice] = useState(initial ? String(initial.deviceId) : null);
  const [chosen, setChosen] = useState<number[]>(initial?.deviceChannelIds ?? []);
  const form = useCallForm(dashboards.editGroup, onSave, ({ groupName }) => ({
    groupName,
    icon,
    deviceId: device ?? undefined,
    deviceChannelIds: chosen.join(","),
  }));
  const [deviceField, channelField] = [form.field("deviceId"), form.field("deviceChannelIds")];
  return (
    <form id={formId} {...form.props}>
      <TextField
        {...form.field("groupName")}
        label="Group name"
        defaultValue={initial?.groupName ?? ""}
        autoComplete="off"
        maxLength={64}
        data-autofocus
      />
      <IconField icon={icon} onChange={setIcon} />
      <Select
        {...inDrawer}
        label="Motor controller"
        placeholder="Whose channels it shows"
        data={motors}
        value={device}
        data-field="deviceId"
        onChange={(value) => {
          setDevice(value);
          setChosen([]);
          deviceField.onInput();
        }}
        nothingFoundMessage="There are no motor controllers"
        error={validationError(deviceField.error)}
      />
      {device !== null && (
        <GroupChannels
          deviceId={Number(device)}
          chosen={chosen}
          onChange={(next) => {
            setChosen(next);
            channelField.onInput();
          }}
          error={channelField.error}
        />
      )}
    </form>
  );
};
