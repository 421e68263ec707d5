import { Switch } from "@mantine/core";
import type { Input } from "@telltale/contract/call/call";
import { type ChannelSetup, channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { devices } from "@telltale/contract/domains/devices";
import { type ReactNode, useId, useState } from "react";
import type { MergeGroup } from "../../../form/merge.ts";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { useAction, useRead } from "../../../session/use-call.ts";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import classes from "./channel-dialog.module.css";

interface ChannelDialogProps {
  deviceId: number;
  channel: ChannelSetup;
  /** Version of the settings when they were read. */
  settingsVersion: number;
  isOpen: boolean;
  onClose: () => void;
}

type Fields = Input<typeof channelSettings.modifyBasic>;

interface Named {
  channel: ChannelSetup;
  version: number;
}

const fieldsOf = ({ channel: { deviceChannelId, channelName, channelSwitch } }: Named) =>
  ({ channelId: deviceChannelId, channelName, channelSwitch }) as Fields;

const groups: MergeGroup<Fields, Named>[] = [
  { label: "Name", keys: ["channelName"], text: ({ channelName = "" }) => channelName },
  { label: "Channel on", keys: ["channelSwitch"], text: ({ channelSwitch }) => (channelSwitch === 1 ? "Yes" : "No") },
];

/** Saves name and switch; on a conflict the other user's changes are shown beside the form's. */
const useSave = (opened: Named, deviceId: number, onDone: () => void) => {
  const read = useRead(channelSettings.setup);
  const action = useAction(channelSettings.modifyBasic, {
    success: "Modify successful",
    invalidates: [channelSettings.setup, devices.header, channels.info, channels.grouped, channels.value],
    onDone,
  });
  const { save, dialog } = useMergedSave<Fields, Named>({
    opened,
    fieldsOf,
    groups,
    read: async () => {
      const { channels: now, settingsVersion: version } = await read({ deviceId });
      const channel = now.find(({ deviceChannelId }) => deviceChannelId === opened.channel.deviceChannelId);
      return channel && { channel, version };
    },
    invalidates: [channelSettings.setup],
    send: (fields, version, onError) =>
      action.mutate({ ...fields, ...(version !== undefined && { settingsVersion: version }) }, { onError }),
    isBusy: action.isPending,
    onGone: onDone,
  });
  return { save, review: dialog, isBusy: action.isPending };
};

const ChannelDialog = ({ deviceId, channel, settingsVersion, isOpen, onClose }: ChannelDialogProps) => {
  const formId = useId();
  const [isOn, setOn] = useState(channel.channelSwitch === 1);
  const [opened] = useState({ channel, version: settingsVersion });
  const { save, review, isBusy } = useSave(opened, deviceId, onClose);
  const form = useCallForm(channelSettings.modifyBasic, save, (fields) => ({
    ...fields,
    channelId: String(channel.deviceChannelId),
    channelSwitch: isOn ? "1" : "0",
  }));
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Channel ${channel.channelCn}`}
      formId={formId}
      action="Save"
      isBusy={isBusy}
    >
      <form id={formId} {...form.props}>
        <TextField
          {...form.field("channelName")}
          label="Name"
          defaultValue={channel.channelName}
          maxLength={64}
          autoComplete="off"
          data-autofocus
        />
        <Switch
          className={classes.switch}
          label="Channel on"
          description="A channel that is off reports nothing, shows no value and raises no alert."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      </form>
      {review}
    </SubmitDialog>
  );
};

/** The dialog that renames a channel and switches it on or off. */
export const useChannelDialog = (
  deviceId: number,
  settingsVersion: number,
): { open: (channel: ChannelSetup) => void; dialog: ReactNode } => {
  const { open, subject, count, isOpen, close } = useDialogSubject<{
    channel: ChannelSetup;
    settingsVersion: number;
  }>();
  return {
    // Channel and version are read together: an older channel with a newer version would silently overwrite what another user saved between the two.
    open: (channel) => open({ channel, settingsVersion }),
    dialog: subject && <ChannelDialog key={count} deviceId={deviceId} {...subject} isOpen={isOpen} onClose={close} />,
  };
};
