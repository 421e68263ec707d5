import { Tabs, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconPencil } from "@tabler/icons-react";
import { ChannelMessage } from "@telltale/contract/channel-types/checks";
import { channelTypes } from "@telltale/contract/channel-types/index";
import { ChannelType, channels } from "@telltale/contract/domains/channels";
import { counted, nounOf } from "@telltale/contract/text/counted";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { goToField } from "../../../form/go-to-field.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { warn } from "../../../ui/dialog/messages.ts";
import { dateTime } from "../../../ui/format/time.ts";
import { OperationButton } from "../../../ui/operation-button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useBlocker } from "../../../ui/router/use-blocker.ts";
import tabs from "../../../ui/tabs.module.css";
import { ChannelForm } from "./channel-form.tsx";
import { isChanged, isFaulty } from "./drafts.ts";
import { type Option, sourceOptions } from "./fields.ts";
import { SaveDialog } from "./save-dialog.tsx";
import classes from "./setup-form.module.css";
import { useChannelDialog } from "./use-channel-dialog.tsx";
import type { ChannelWithDraft, Setup } from "./use-setup.ts";

/** Asks for confirmation before leaving the page with unsaved changes; closing the window uses the browser's own dialog. */
const LeaveGuard = ({ changes }: { changes: number }): ReactNode => {
  const { isAsking, leave, stay } = useBlocker(changes > 0);
  return (
    <ConfirmDialog isOpen={isAsking} onClose={stay} title="Leave without saving" action="Leave" onConfirm={leave}>
      {counted(changes, "change is", "changes are")} not saved. Leave this page and lose {nounOf(changes, "it", "them")}
      ?
    </ConfirmDialog>
  );
};

interface SaveBarProps {
  changes: number;
  channels: number;
  /** Number of invalid settings, after the first attempt to save. */
  faults: number;
  onDiscard: () => void;
  onSave: () => void;
}

/** The unsaved changes with the save button; stays in view. */
const SaveBar = ({ changes, channels, faults, onDiscard, onSave }: SaveBarProps): ReactNode => (
  <section className={classes.bar} aria-label="Changes">
    <p role="status">
      {changes === 0 ? "No changes" : `${counted(changes, "change")} in ${counted(channels, "channel")}`}
      {faults > 0 && <b>{faults} to put right</b>}
    </p>
    {changes > 0 && (
      <Button variant="default" onClick={onDiscard}>
        Discard changes
      </Button>
    )}
    <Button onClick={onSave}>Save all</Button>
  </section>
);

const changesIn = (members: readonly ChannelWithDraft[]): number =>
  members.reduce((sum, { edited }) => sum + edited.changed.length + (edited.isRenamed ? 1 : 0), 0);

const faultsIn = (members: readonly ChannelWithDraft[]): number =>
  members.reduce(
    (sum, { edited }) => sum + Object.keys(edited.validationErrors).length + (edited.nameError === undefined ? 0 : 1),
    0,
  );

/** 'Please complete all' where a field is empty; all other errors are shown at their fields. (spec 2 §5) */
const warnOf = (faulty: readonly ChannelWithDraft[]): void => {
  const messages = faulty.flatMap(({ edited }) => [edited.nameError, ...Object.values(edited.validationErrors)]);
  if (messages.includes(ChannelMessage.blank)) warn(ChannelMessage.incomplete);
};

const useSources = (deviceId: number, deviceName: string, isNeeded: boolean): readonly Option[] => {
  const { data = [] } = useCall(channels.outputSources, { deviceId }, { enabled: isNeeded });
  return sourceOptions(data, deviceName);
};

const TabMark = ({ members, isChecked }: { members: readonly ChannelWithDraft[]; isChecked: boolean }) => {
  const changes = changesIn(members);
  if (isChecked && members.some(({ edited }) => isFaulty(edited)))
    return (
      <span className={classes.fault}>
        <IconAlertTriangle size={15} aria-hidden />
        <VisuallyHidden>to put right</VisuallyHidden>
      </span>
    );
  return changes === 0 ? null : (
    <span className={classes.count}>
      {changes}
      <VisuallyHidden> {nounOf(changes, "change")}</VisuallyHidden>
    </span>
  );
};

interface TypesProps {
  setup: Setup;
  sources: readonly Option[];
  isChecked: boolean;
  chosen: string;
  choose: (type: string) => void;
  actionOf: (member: ChannelWithDraft) => ReactNode;
}

const Types = ({ setup, sources, isChecked, chosen, choose, actionOf }: TypesProps) => {
  const { device, members, theirs, change } = setup;
  const types = [...Map.groupBy(members, ({ channel }) => channel.channelType)];
  return (
    <Tabs
      value={chosen}
      onChange={(type) => choose(type ?? chosen)}
      keepMounted={false}
      classNames={{ ...tabs, list: `${tabs.list} ${classes.tabs}` }}
    >
      <Tabs.List aria-label="Channel types">
        {types.map(([type, ofType]) => (
          <Tabs.Tab key={type} value={String(type)} rightSection={<TabMark members={ofType} isChecked={isChecked} />}>
            {channelTypes[type].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {types.map(([type, ofType]) => (
        <Tabs.Panel key={type} value={String(type)}>
          {ofType.map((member) => (
            <ChannelForm
              key={member.channel.deviceChannelId}
              deviceId={device?.deviceId ?? 0}
              theirs={theirs[member.channel.deviceChannelId] ?? {}}
              onChange={(draft) => change(member.channel.deviceChannelId, draft)}
              action={actionOf(member)}
              {...{ member, sources, isChecked }}
            />
          ))}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

/** The open tab, and how to reach the first invalid field. */
const useFaultFinder = (members: readonly ChannelWithDraft[]) => {
  const place = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<string>();
  const open = chosen ?? String(members[0]?.channel.channelType ?? ChannelType.analogInput);
  const find = (faulty: ChannelWithDraft): void => {
    const { channel, edited } = faulty;
    flushSync(() => choose(String(channel.channelType)));
    const name = edited.nameError ? "name" : Object.keys(edited.validationErrors)[0];
    const form = place.current?.querySelector(`[data-channel="${channel.deviceChannelId}"]`);
    goToField(form?.querySelector<HTMLElement>(`[data-field="${name}"]`));
  };
  return { place, open, choose, find };
};

/** A device's channels by type, each with its editable settings; one save for all of them. (spec 2 §2, §5) */
const SetupForm = ({ setup }: { setup: Setup }): ReactNode => {
  const { device, members, theirs, isSaving, save, discard } = setup;
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const hasOutputs = members.some(({ channel }) => channel.channelType === ChannelType.digitalOutput);
  const sources = useSources(device?.deviceId ?? 0, device?.deviceName ?? "", hasOutputs && device !== undefined);
  const { place, open, choose, find } = useFaultFinder(members);
  const basic = useChannelDialog(device?.deviceId ?? 0, setup.live?.settingsVersion ?? 0);
  const changed = members.filter(({ edited }) => isChanged(edited));
  const faulty = changed.filter(({ edited }) => isFaulty(edited));
  const trySave = () => {
    if (changed.length === 0) return warn(ChannelMessage.unchanged);
    setChecked(true);
    const [first] = faulty;
    if (!first) return setAsking(true);
    warnOf(faulty);
    find(first);
  };
  const giveUp = () => {
    setChecked(false);
    discard();
  };
  const done = () => {
    setAsking(false);
    setChecked(false);
  };
  const isLate = Object.values(theirs).some((keys) => Object.keys(keys).length > 0);
  return (
    <Panel className={classes.panel}>
      <div ref={place}>
        {isLate && (
          <p className={classes.late} role="alert">
            {device?.savedBy || "Another user"} has saved settings of this device in the meantime
            {device?.savedTime && `, ${dateTime(device.savedTime)}`}. They are marked below; your input is kept. Where
            both of you changed the same setting, Save all asks which value to keep.
          </p>
        )}
        {members.length === 0 ? (
          <EmptyState>This device has no channels</EmptyState>
        ) : (
          <Types
            {...{ setup, sources, isChecked, choose }}
            chosen={open}
            actionOf={({ channel }) => (
              <OperationButton
                label={`Name and switch of ${channel.channelName}`}
                icon={IconPencil}
                onClick={() => basic.open(channel)}
              />
            )}
          />
        )}
      </div>
      <SaveBar
        changes={changesIn(changed)}
        channels={changed.length}
        faults={isChecked ? faultsIn(faulty) : 0}
        onDiscard={giveUp}
        onSave={trySave}
      />
      <SaveDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSave={(kept) => save(kept, { onDone: done, onFaulty: () => setAsking(false) })}
        members={changed}
        theirs={theirs}
        saved={device}
        {...{ isSaving, sources }}
      />
      {basic.dialog}
      <LeaveGuard changes={changesIn(changed)} />
    </Panel>
  );
};

/** The same while it loads, or when loading failed. */
export const LoadedSetup = ({ setup }: { setup: Setup }): ReactNode => {
  if (setup.error)
    return (
      <Panel>
        <ErrorState error={setup.error} onRetry={setup.retry} />
      </Panel>
    );
  return setup.device ? <SetupForm setup={setup} /> : <Panel className={classes.panel}>{null}</Panel>;
};
