import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import type { AlarmChannel } from "@telltale/contract/domains/alarms";
import type { ReactNode } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";

interface ChannelFieldProps {
  field: ReturnType<CallForm["field"]>;
  /** The device's channels; undefined until a device is selected and they are loaded. */
  channels: readonly AlarmChannel[] | undefined;
  value: number | undefined;
  onChange: (deviceChannelId: number | undefined) => void;
}

const labelOf = ({ channelName, channelCn }: AlarmChannel): string =>
  channelName === channelCn ? channelName : `${channelName} (${channelCn})`;

/** A channel of the selected device, searchable: a motor controller has about sixty. */
export const ChannelField = ({ field, channels = [], value, onChange }: ChannelFieldProps): ReactNode => (
  <Select
    data-field={field.name}
    label="Channel"
    placeholder={channels.length === 0 ? "Select a device first" : "Select a channel"}
    data={channels.map((channel) => ({ value: String(channel.deviceChannelId), label: labelOf(channel) }))}
    value={value === undefined ? null : String(value)}
    onChange={(chosen) => {
      field.onInput();
      onChange(chosen === null ? undefined : Number(chosen));
    }}
    searchable
    openOnFocus={false}
    allowDeselect={false}
    nothingFoundMessage={channels.length === 0 ? "Select a device first" : "No channel of this name"}
    error={validationError(field.error)}
    rightSection={<IconChevronDown size={18} aria-hidden />}
    rightSectionPointerEvents="none"
    classNames={fieldClasses}
  />
);
