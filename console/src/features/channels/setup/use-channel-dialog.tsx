import { Button, Switch } from "@mantine/core";
import { type ChannelSetup, channelSettings } from "@telltale/contract/channel-settings";
import { channels } from "@telltale/contract/channels";
import { Code } from "@telltale/contract/codes";
import { type ReactNode, useId, useState } from "react";
import { TextField } from "../../../form/text-field.tsx";
import { useCallForm } from "../../../form/use-call-form.ts";
import { useOutdate } from "../../../session/outdate.ts";
import { useAction } from "../../../session/use-call.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import classes from "./channel-dialog.module.css";

interface ChannelDialogProps {
  channel: ChannelSetup;
  /** Of the settings, as they were looked at. */
  settingsVersion: number;
  isOpen: boolean;
  onClose: () => void;
  /** It was saved, and made this version. */
  onSaved: (settingsVersion: number) => void;
}

/** Saves name and switch. When somebody else was faster, what was typed stays, and a second 'Save' goes on top of theirs. */
const useSave = (settingsVersion: number, onDone: (settingsVersion: number) => void) => {
  const outdate = useOutdate();
  const [isLate, setLate] = useState(false);
  const action = useAction(channelSettings.modifyBasic, {
    success: "Modify successful",
    invalidates: [channelSettings.setup, channels.header, channels.info, channels.grouped, channels.value],
    onDone: (saved) => onDone(saved.settingsVersion),
  });
  const save = (fields: Parameters<typeof action.mutate>[0]) => {
    const onError = ({ code }: { code: number }) => {
      if (code !== Code.conflict) return;
      setLate(true);
      outdate([channelSettings.setup]);
    };
    action.mutate({ ...fields, ...(isLate ? {} : { settingsVersion }) }, { onError });
  };
  return { save, isBusy: action.isPending };
};

const ChannelDialog = ({ channel, settingsVersion, isOpen, onClose, onSaved }: ChannelDialogProps) => {
  const formId = useId();
  const [isOn, setOn] = useState(channel.channelSwitch === 1);
  const { save, isBusy } = useSave(settingsVersion, (version) => {
    onClose();
    onSaved(version);
  });
  const form = useCallForm(channelSettings.modifyBasic, save, (fields) => ({
    ...fields,
    channelId: String(channel.deviceChannelId),
    channelSwitch: isOn ? "1" : "0",
  }));
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Channel ${channel.channelCn}`}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={isBusy}>
            Save
          </Button>
        </>
      }
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
    </Dialog>
  );
};

/** The dialog that names a channel and switches it on or off. */
export const useChannelDialog = (
  settingsVersion: number,
  onSaved: (settingsVersion: number) => void,
): { open: (channel: ChannelSetup) => void; dialog: ReactNode } => {
  const [opening, setOpening] = useState<{ count: number; channel: ChannelSetup }>();
  const [isOpen, setOpen] = useState(false);
  return {
    open: (channel) => {
      setOpening((before) => ({ count: (before?.count ?? 0) + 1, channel }));
      setOpen(true);
    },
    dialog: opening && (
      <ChannelDialog
        key={opening.count}
        channel={opening.channel}
        settingsVersion={settingsVersion}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onSaved={onSaved}
      />
    ),
  };
};
