import type { AlarmChannel, AlarmRow } from "@telltale/contract/domains/alarms";
import { plans } from "@telltale/contract/domains/alerting/escalation";
import type { ReactNode } from "react";
import { SelectField } from "../../../form/select-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { useCall } from "../../../session/use-call.ts";

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
  <SelectField
    data-field={field.name}
    label="Channel"
    placeholder={channels.length === 0 ? "Select a device first" : "Select a channel"}
    data={channels.map((channel) => ({ value: String(channel.deviceChannelId), label: labelOf(channel) }))}
    value={value === undefined ? null : String(value)}
    onInput={field.onInput}
    onChange={(chosen) => onChange(chosen === null ? undefined : Number(chosen))}
    searchable
    openOnFocus={false}
    nothingFoundMessage={channels.length === 0 ? "Select a device first" : "No channel of this name"}
    error={field.error}
  />
);

/** The escalation plan that the alert follows; the plant's default unless another is chosen. */
export const EscalationField = ({ initial }: { initial: AlarmRow | undefined }): ReactNode => {
  const { data, error } = useCall(plans.list, {});
  const planId = initial?.planId ?? 0;
  const known = data?.map((plan) => ({ value: String(plan.planId), label: plan.planName })) ?? [];
  const isMissing = planId !== 0 && !known.some(({ value }) => value === String(planId));
  const options = [
    { value: "0", label: "The plant's default" },
    ...known,
    ...(isMissing ? [{ value: String(planId), label: initial?.planName ?? "" }] : []),
  ];
  return (
    <SelectField
      name="planId"
      label="Escalation"
      description="Who is notified besides the recipients, step by step until somebody confirms"
      data={options}
      defaultValue={String(planId)}
      error={error?.message}
    />
  );
};
