import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { draftOf } from "./drafts.ts";
import { type Option, optionsOf, wordsOf } from "./fields.ts";
import classes from "./save-dialog.module.css";
import type { ChannelInWork } from "./use-setup.ts";

interface SaveDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onSave: () => void;
  isSaving: boolean;
  /** Channels that change. */
  members: readonly ChannelInWork[];
  sources: readonly Option[];
}

interface Change {
  name: string;
  before: string;
  after: string;
}

const changesOf = ({ channel, edited }: ChannelInWork, sources: readonly Option[]): Change[] => {
  const { after, changed, isRenamed, name } = edited;
  const renamed = isRenamed ? [{ name: "Name", before: channel.channelName, after: name }] : [];
  const keys = changed.map((key): Change => {
    const saved = channel.channelKeys;
    const words = (keys: typeof saved, unit: string) =>
      wordsOf(key, draftOf(keys[key]), optionsOf(key, { saved, after: keys, sources }), unit);
    return { name: key, before: words(saved, channel.unit), after: words(after, String(after.UNIT ?? channel.unit)) };
  });
  return [...renamed, ...keys];
};

const Changes = ({ member, sources }: { member: ChannelInWork; sources: readonly Option[] }) => (
  <section className={classes.channel} aria-label={member.channel.channelName}>
    <h3>{member.channel.channelName}</h3>
    <dl>
      {changesOf(member, sources).map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <s>{before}</s> <b>{after}</b>
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** Everything that a save would change, before it does. */
export const SaveDialog = ({ isOpen, onClose, onSave, isSaving, members, sources }: SaveDialogProps): ReactNode => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Save all"
    footer={
      <>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={onSave} loading={isSaving} data-autofocus>
          Save
        </Button>
      </>
    }
  >
    {members.map((member) => (
      <Changes key={member.channel.deviceChannelId} {...{ member, sources }} />
    ))}
    <p className={classes.note}>
      Readings are scaled and judged by these settings from the moment they are saved. What was measured before keeps
      its own.
    </p>
  </Dialog>
);
