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
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { type ChosenDevice, DeviceField } from "../../domain/devices/device-field.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { type CallForm, useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { isOtherAddress, useBlocker } from "../../ui/router/use-blocker.ts";
import { sentFields, type Typed } from "./alarm-fields.ts";
import classes from "./alarm-form.module.css";
import { classLabels, classMeanings } from "./alarm-text.ts";
import { AlarmTitle } from "./alarm-title.tsx";
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
  isBusy: boolean;
  /** Whether what the form holds is saved or given up, so that it may be left without a question. */
  isDone: RefObject<boolean>;
  onCancel: () => void;
  onSave: (fields: Input<typeof alarms.add>) => void;
}

/** Asks before the form is left with changes. `read` returns the fields as a save sends them. */
const LeaveQuestion = ({ read, isDone }: { read: () => string; isDone: RefObject<boolean> }): ReactNode => {
  const now = useEffectEvent(read);
  const opened = useRef<string>(undefined);
  const [isChanged, setCheck] = useState<() => boolean>();
  useEffect(() => {
    opened.current = now();
    setCheck(() => () => !isDone.current && now() !== opened.current);
  }, [isDone]);
  const { isAsking, leave, stay } = useBlocker(isChanged ?? false, isOtherAddress);
  return (
    <ConfirmDialog isOpen={isAsking} onClose={stay} title="Discard your input?" action="Discard" onConfirm={leave}>
      The changes of this alert are not saved.
    </ConfirmDialog>
  );
};

/** The channels that an alert of this device can be about, and those that it can depend on besides. */
const useOffered = (deviceId: number | undefined, isCustom: boolean) => {
  const isChosen = deviceId !== undefined;
  const input = { deviceId: deviceId ?? 0 };
  return {
    channels: useCall(alarms.channels, input, { enabled: isChosen, placeholderData: () => undefined }),
    gates: useCall(alarms.gateChannels, input, { enabled: isChosen && isCustom, placeholderData: () => undefined }),
  };
};

interface FooterProps {
  isBusy: boolean;
  onCancel: () => void;
  children: ReactNode;
}

const Footer = ({ isBusy, onCancel, children }: FooterProps) => (
  <div className={classes.footer}>
    {children}
    <div className={classes.actions}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy}>
        Save
      </Button>
    </div>
  </div>
);

/** Name, type, device; for a custom alert also channel, condition and recipients. (spec 2 §2) */
export const AlarmForm = ({ initial, alarmClass, isBusy, isDone, onCancel, onSave }: AlarmFormProps): ReactNode => {
  const isOwner = useSession().account.roleType === Role.owner;
  const [choice, setChoice] = useState(() => choiceOf(initial, alarmClass));
  const { device, channelId, condition } = choice;
  const isCustom = choice.alarmClass === AlertClass.custom;
  const { channels, gates } = useOffered(device?.deviceId, isCustom);
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
  const title = initial ? "Edit alert" : "Add alert";
  const typed = () =>
    JSON.stringify(form.props.ref.current ? read(Object.fromEntries(new FormData(form.props.ref.current))) : {});
  return (
    <form aria-label={title} className={classes.form} {...form.props}>
      <AlarmTitle aside={<EnabledField isEnabled={initial?.enabled !== 0} isCustom={isCustom} />}>
        {initial?.alarmName ?? "Add"}
      </AlarmTitle>
      <TrialPlaceContext value={trialPlace}>
        <div className={classes.columns}>
          <div>
            <Panel title="Alert" className={classes.panel}>
              <div>
                <TextField
                  {...form.field("alarmName")}
                  label="Alert name"
                  description={`At most ${longestAlarmName} characters`}
                  defaultValue={initial?.alarmName ?? ""}
                  maxLength={longestAlarmName}
                  autoComplete="off"
                  autoFocus={!initial}
                />
                {isOwner && (
                  <ClassField
                    field={form.field("alarmClass")}
                    value={choice.alarmClass}
                    onChange={(chosen) => change({ alarmClass: chosen })}
                  />
                )}
                <div className={isCustom ? classes.pair : undefined}>
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
              </div>
              {isCustom && (
                <ConditionFields
                  form={form}
                  initial={initial}
                  channel={channel}
                  condition={condition}
                  onCondition={(chosen) => change({ condition: chosen })}
                />
              )}
            </Panel>
            {isCustom && (
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
            )}
          </div>
          <div>
            <Panel title="Priority" className={classes.panel}>
              <PriorityField initial={initial?.priority} />
            </Panel>
            <Panel title="Response" className={classes.panel}>
              <ResponseField initial={initial?.response ?? ""} />
            </Panel>
            <Panel title="Notification" className={classes.panel}>
              <EscalationField initial={initial} />
              <RecipientsField
                field={form.field("notifyUserIds")}
                chosen={choice.recipients}
                onChange={(recipients) => change({ recipients })}
              />
            </Panel>
          </div>
        </div>
        <Footer isBusy={isBusy} onCancel={onCancel}>
          {isCustom && <div ref={setTrialElement} className={classes.trial} />}
        </Footer>
      </TrialPlaceContext>
      <LeaveQuestion read={typed} isDone={isDone} />
    </form>
  );
};
