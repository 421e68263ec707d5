import { type JointOutput, type JointSource, joint } from "@telltale/contract/domains/joint";
import type { ReactNode } from "react";
import { offered, PickList, useSearch } from "../../form/pick-list.tsx";
import { useCall } from "../../session/use-call.ts";
import { conditionText } from "./joint-text.ts";

interface PickerProps<T> {
  chosen: T | undefined;
  onChoose: (row: T) => void;
  error: string | undefined;
}

type Source = JointSource;
type Output = Omit<JointOutput, "drivenBy">;

/** Key of a source: a limit of a channel, or an alert rule. */
const keyOfSource = ({ deviceChannelId, alarmType, alarmId }: Source): string =>
  alarmId === null ? `${deviceChannelId} ${alarmType}` : `rule ${alarmId}`;

const groupOf = ({ deviceId, deviceName }: { deviceId: number | null; deviceName: string }) => ({
  key: deviceId ?? 0,
  name: deviceName,
});

const placeholder = "Search by channel, device or alert";

/** The source of the rule: a limit set on an input, or an alert rule. */
export const SourcePicker = ({ chosen, onChoose, error }: PickerProps<Source>): ReactNode => {
  const search = useSearch();
  const { data, error: failure } = useCall(joint.sources, {
    size: offered,
    ...(search.name !== undefined && { name: search.name }),
  });
  const key = chosen && keyOfSource(chosen);
  return (
    <PickList
      legend="When this is in alert"
      field="sourceChannelId"
      kind="one"
      search={search}
      placeholder={placeholder}
      found={data && { rows: data.data, total: data.total }}
      groupOf={groupOf}
      row={{ keyOf: keyOfSource, label: (row) => `${row.channelName}, ${conditionText(row)}` }}
      isChosen={(row) => keyOfSource(row) === key}
      onToggle={onChoose}
      none="No input with a limit, and no alert, of this name"
      error={error ?? failure?.message}
    />
  );
};

const drivenBy = (names: readonly string[]): string => (names.length === 0 ? "" : `, driven by ${names.join(", ")}`);

interface OutputPickerProps extends PickerProps<Output> {
  /** The name of the joint control being edited, which is not listed among those that drive the output. */
  editedName: string | undefined;
}

/** The digital output to drive. */
export const OutputPicker = ({ chosen, onChoose, error, editedName }: OutputPickerProps): ReactNode => {
  const search = useSearch();
  const { data, error: failure } = useCall(joint.outputs, {
    size: offered,
    ...(search.name !== undefined && { name: search.name }),
  });
  return (
    <PickList
      legend="drive this output"
      field="outputChannelId"
      kind="one"
      search={search}
      placeholder="Search by output, device name or device ID"
      found={data && { rows: data.data, total: data.total }}
      groupOf={groupOf}
      row={{
        keyOf: (row) => String(row.deviceChannelId),
        label: (row) =>
          `${row.channelCn}, ${row.channelName}${drivenBy(row.drivenBy.filter((name) => name !== editedName))}`,
      }}
      isChosen={(row) => row.deviceChannelId === chosen?.deviceChannelId}
      onToggle={onChoose}
      none="No digital output of this name"
      error={error ?? failure?.message}
    />
  );
};
