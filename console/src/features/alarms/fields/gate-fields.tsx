import { Select } from "@mantine/core";
import type { AlarmRow, GateChannel } from "@telltale/contract/domains/alarms";
import { GateType, gateTypeLabels, isContact } from "@telltale/contract/domains/alerting/gate";
import type { ReactNode } from "react";
import { SelectField } from "../../../form/select-field.tsx";
import { fieldClasses, TextField, validationError } from "../../../form/text-field.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import classes from "../timing/when-exactly.module.css";

const measuredTypes = [GateType.above, GateType.below].map((type) => ({
  value: String(type),
  label: gateTypeLabels[type],
}));

/** Channels by device, those of the alert's own device first, as they are listed. */
const byDevice = (channels: readonly GateChannel[]) =>
  Array.from(
    Map.groupBy(channels, ({ deviceId }) => deviceId),
    ([, ofDevice]) => ({
      group: ofDevice[0]?.deviceName ?? "",
      items: ofDevice.map(({ deviceChannelId, channelName }) => ({
        value: String(deviceChannelId),
        label: channelName,
      })),
    }),
  );

interface GateFieldsProps {
  form: CallForm;
  initial: AlarmRow | undefined;
  /** The channels of the device's family; undefined until they are loaded. */
  channels: readonly GateChannel[] | undefined;
  /** The channel that the alert watches, which cannot be its own gate. */
  watched: number | undefined;
  value: number | undefined;
  onChange: (channelId: number | undefined) => void;
}

/** The fields of a gate whose channels are not loaded: an alert that is saved meanwhile keeps it. */
const KeptGate = ({ gateChannelId, gateType, gateValue, startUp }: AlarmRow): ReactNode =>
  Object.entries({ gateChannelId, gateType, gateValue, startUp }).map(
    ([name, kept]) => kept !== null && <input key={name} type="hidden" name={name} value={kept} />,
  );

/** The channel that must be ON, or above or below a value, for the alert to be raised, and how long it must have been. */
export const GateFields = (props: GateFieldsProps): ReactNode => {
  const { form, initial, channels = [], watched, value, onChange } = props;
  const field = form.field("gateChannelId");
  const isKept = props.channels === undefined && value !== undefined && initial?.gateChannelId === value;
  const gate = channels.find(({ deviceChannelId }) => deviceChannelId === value);
  const type = form.field("gateType");
  const isOfContact = gate !== undefined && isContact(gate);
  return (
    <div className={classes.rows}>
      {isKept && <KeptGate {...initial} />}
      <Select
        {...(!isKept && { name: field.name })}
        data-field={field.name}
        label="Only while"
        description="another channel of the device or its family"
        placeholder={isKept ? initial.gateChannelName : "Always"}
        disabled={isKept}
        data={byDevice(channels.filter(({ deviceChannelId }) => deviceChannelId !== watched))}
        value={gate ? String(value) : null}
        onChange={(chosen) => {
          field.onInput();
          onChange(chosen === null ? undefined : Number(chosen));
        }}
        searchable
        clearable
        openOnFocus={false}
        nothingFoundMessage="No channel of this name"
        error={validationError(field.error)}
        classNames={fieldClasses}
      />
      {isOfContact && (
        <div className={classes.fixed}>
          {gateTypeLabels[GateType.on]}
          <input type="hidden" name={type.name} value={GateType.on} />
        </div>
      )}
      {gate && !isOfContact && (
        <>
          <SelectField
            {...type}
            label="Its value"
            description="when the alert is active"
            data={measuredTypes}
            defaultValue={String(initial?.gateType === GateType.below ? GateType.below : GateType.above)}
          />
          <TextField
            {...form.field("gateValue")}
            label="Value"
            description={gate.unit || "a number"}
            defaultValue={initial?.gateChannelId === value ? String(initial?.gateValue ?? "") : ""}
            inputMode="decimal"
            autoComplete="off"
          />
        </>
      )}
      {gate && (
        <TextField
          {...form.field("startUp")}
          label="Start-up time"
          description="seconds after that, in which it does not count"
          defaultValue={String(initial?.startUp ?? 0)}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </div>
  );
};
