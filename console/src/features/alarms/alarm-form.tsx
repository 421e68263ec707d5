import type { Input } from "@telltale/contract/call/call";
import {
  type AlarmChannel,
  type AlarmRow,
  alarms,
  longestAlarmName,
  withinRange,
} from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";
import { type ReactNode, useMemo, useState } from "react";
import { type ChosenDevice, DeviceField } from "../../domain/devices/device-field.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { type CallForm, useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { sentFields, type Typed } from "./alarm-fields.ts";
import classes from "./alarm-form.module.css";
import { classLabels, classMeanings } from "./alarm-text.ts";
import { ChannelField, EscalationField } from "./fields/choice-fields.tsx";
import { ConditionFields } from "./fields/condition-fields.tsx";
import { PriorityField } from "./fields/priority-field.tsx";
import { RecipientsField } from "./fields/recipients-field.tsx";
import { EnabledField, ResponseField } from "./fields/response-fields.tsx";
import { TrialPlaceContext } from "./timing/trial-place.ts";
import { WhenExactly } from "./timing/when-exactly.tsx";

const options = Object.entries(classLabels).map(([value, label]) => ({ value, label }));

interface ClassFieldProps {
  field: ReturnType<CallForm["field"]>;
  value: number | undefined;
  onChange: (alarmClass: number) => void;
}

/** The alert's class: the owner can choose, for all others it is custom. (spec 2 §6) */
const ClassField = ({ field, value, onChange }: ClassFieldProps): ReactNode => (
  <SelectField
    data-field={field.name}
    label="Alert type"
    placeholder="Select an alert type"
    description={value === undefined ? undefined : classMeanings[value]}
    data={options}
    value={value === undefined ? null : String(value)}
    onInput={field.onInput}
    onChange={(chosen) => onChange(Number(chosen))}
    error={field.error}
  />
);

/** Selected values, in addition to the typed ones. */
interface Choice {
  alarmClass: number | undefined;
  device: ChosenDevice | null;
  channelId: number | undefined;
  condition: AlarmCondition;
  /** The channel that the alert depends on besides. */
  gateId: number | undefined;
  recipients: number[];
}

const choiceOf = (initial: AlarmRow | undefined, alarmClass: number | undefined): Choice => ({
  alarmClass: initial?.alarmClass ?? alarmClass,
  device: initial ?? null,
  channelId: initial?.deviceChannelId ?? undefined,
  condition: initial?.condition ?? AlarmCondition.limit,
  gateId: initial?.gateChannelId ?? undefined,
  recipients: initial?.notifyUserIds ?? [],
});

const textOf = (value: number | undefined): string => (value === undefined ? "" : String(value));

/** The fields as the call takes them; fields that are not shown are blank. */
const fieldsOf = ({ alarmClass, device, channelId }: Choice) => ({
  alarmClass: textOf(alarmClass),
  deviceId: textOf(device?.deviceId),
  deviceChannelId: textOf(channelId),
});

/** The call with the ranges of the selected channels in its validation. */
const callWithin = (channel: AlarmChannel | undefined, gate: AlarmChannel | undefined): typeof alarms.add =>
  alarms.add.body ? { ...alarms.add, body: withinRange(alarms.add.body, channel, gate) } : alarms.add;

interface AlarmFormProps {
  /** The alert to edit, as loaded when the form opened; undefined for a new one. */
  initial: AlarmRow | undefined;
  /** Initial class of a new alert; undefined when the user has to choose. */
  alarmClass: number | undefined;
  formId: string;
  onSave: (fields: Input<typeof alarms.add>) => void;
}

/** Name, type, device; for a custom alert also channel, condition and recipients. (spec 2 §2) */
export const AlarmForm = ({ initial, alarmClass, formId, onSave }: AlarmFormProps): ReactNode => {
  const isOwner = useSession().account.roleType === Role.owner;
  const [choice, setChoice] = useState(() => choiceOf(initial, alarmClass));
  const { device, channelId, condition } = choice;
  const isCustom = choice.alarmClass === AlertClass.custom;
  const channels = useCall(
    alarms.channels,
    { deviceId: device?.deviceId ?? 0 },
    { enabled: device !== null, placeholderData: () => undefined },
  );
  const gates = useCall(
    alarms.gateChannels,
    { deviceId: device?.deviceId ?? 0 },
    { enabled: device !== null && isCustom, placeholderData: () => undefined },
  );
  const gate = gates.data?.find(({ deviceChannelId }) => deviceChannelId === choice.gateId);
  const channel = channels.data?.find(({ deviceChannelId }) => deviceChannelId === channelId);
  const read = (typed: Typed) => ({
    ...sentFields(typed, isCustom ? condition : undefined),
    ...fieldsOf(choice),
  });
  const form = useCallForm(callWithin(channel, gate), onSave, read);
  const change = (changed: Partial<Choice>) => setChoice((before) => ({ ...before, ...changed }));
  const deviceField = form.field("deviceId");
  const [trialElement, setTrialElement] = useState<HTMLElement | null>(null);
  const channelName = channel?.channelName ?? "";
  const trialPlace = useMemo(() => ({ element: trialElement, channelName }), [trialElement, channelName]);
  return (
    <form id={formId} {...form.props}>
      <TrialPlaceContext value={trialPlace}>
        <div className={classes.columns}>
          <div>
            <div className={classes.source}>
              <TextField
                {...form.field("alarmName")}
                label="Alert name"
                description={`At most ${longestAlarmName} characters`}
                defaultValue={initial?.alarmName ?? ""}
                maxLength={longestAlarmName}
                autoComplete="off"
                data-autofocus
              />
              {isOwner && (
                <ClassField
                  field={form.field("alarmClass")}
                  value={choice.alarmClass}
                  onChange={(chosen) => change({ alarmClass: chosen })}
                />
              )}
              <DeviceField
                label="Device"
                field={deviceField.name}
                value={device}
                error={deviceField.error ?? channels.error?.message}
                onChange={(chosen) => {
                  deviceField.onInput();
                  change({
                    device: chosen,
                    ...(chosen?.deviceId !== device?.deviceId && { channelId: undefined, gateId: undefined }),
                  });
                }}
              />
              {isCustom && (
                <ChannelField
                  field={form.field("deviceChannelId")}
                  channels={channels.data}
                  value={channelId}
                  onChange={(chosen) => change({ channelId: chosen })}
                />
              )}
            </div>
            {isCustom && (
              <>
                <ConditionFields
                  form={form}
                  initial={initial}
                  channel={channel}
                  condition={condition}
                  onCondition={(chosen) => change({ condition: chosen })}
                />
                <WhenExactly
                  form={form}
                  initial={initial}
                  condition={condition}
                  gate={{
                    channels: gates.data,
                    watched: channelId,
                    value: choice.gateId,
                    onChange: (gateId) => change({ gateId }),
                  }}
                  read={read}
                />
              </>
            )}
          </div>
          <div>
            <EnabledField isEnabled={initial?.enabled !== 0} />
            <PriorityField initial={initial?.priority} />
            <ResponseField initial={initial?.response ?? ""} />
            <RecipientsField
              field={form.field("notifyUserIds")}
              chosen={choice.recipients}
              onChange={(recipients) => change({ recipients })}
            />
            <EscalationField initial={initial} />
          </div>
        </div>
        {isCustom && <div ref={setTrialElement} className={classes.trial} />}
      </TrialPlaceContext>
    </form>
  );
};
