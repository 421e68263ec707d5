import { Radio } from "@mantine/core";
import type { Key } from "@telltale/contract/channel-types/keys";
import type { DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { type ReactNode, useState } from "react";
import type { Choice } from "../../../form/merge.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { dateTime } from "../../../ui/format/time.ts";
import { type ConcurrentSave, type concurrentSaves, savedDraft } from "./drafts.ts";
import { type Option, optionsOf, valueText } from "./fields.ts";
import classes from "./save-dialog.module.css";
import type { ChannelWithDraft, KeptKeys } from "./use-setup.ts";

interface SaveDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onSave: (kept: KeptKeys) => void;
  isSaving: boolean;
  /** The changed channels. */
  members: readonly ChannelWithDraft[];
  /** What other users have saved since editing began. */
  theirs: ReturnType<typeof concurrentSaves>;
  /** Who saved last, and when. */
  saved: Pick<DeviceSetup, "savedBy" | "savedTime"> | undefined;
  sources: readonly Option[];
}

interface Change {
  name: string;
  /** The current value. */
  before: string;
  after: string;
  /** The value when editing began, where others have saved `before` since. */
  began?: string;
}

/** Key of a setting that both have changed. */
const idOf = (channelId: number, name: string): string => `${channelId} ${name}`;

const changesOf = (
  { channel, edited }: ChannelWithDraft,
  theirs: Partial<Record<Key, ConcurrentSave>>,
  sources: readonly Option[],
): Change[] => {
  const { after, changed, isRenamed, name } = edited;
  const renamed = isRenamed ? [{ name: "Name", before: channel.channelName, after: name }] : [];
  const keys = changed.map((key): Change => {
    const saved = channel.channelKeys;
    const words = (keys: typeof saved, unit: string) =>
      valueText(key, savedDraft(keys, key), optionsOf(key, { saved, after: keys, sources }), unit);
    const meanwhile = theirs[key];
    const options = optionsOf(key, { saved, after: saved, sources });
    return {
      name: key,
      before: words(saved, channel.unit),
      after: words(after, String(after.UNIT ?? channel.unit)),
      ...(meanwhile && { began: valueText(key, meanwhile.before, options, channel.unit) }),
    };
  });
  return [...renamed, ...keys];
};

interface ChangesProps extends Pick<SaveDialogProps, "theirs" | "saved" | "sources"> {
  member: ChannelWithDraft;
  choices: Choices;
  onChoose: (id: string, choice: Choice) => void;
}

type Choices = Readonly<Record<string, Choice>>;

interface ConflictProps extends Pick<SaveDialogProps, "saved"> {
  change: Change;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

/** Another user's value of a setting, and the choice which of the two to keep. */
const Conflict = ({ change, saved, choice, onChoose }: ConflictProps) => (
  <Radio.Group
    aria-label={`${change.name}: theirs or yours`}
    className={classes.choices}
    value={choice ?? null}
    onChange={(value) => onChoose(value as Choice)}
    description={`${saved?.savedBy || "Another user"} has changed it${saved?.savedTime ? `, ${dateTime(saved.savedTime)}` : ""}: ${change.began} became ${change.before}`}
  >
    <Radio value="theirs" label={`Keep ${change.before}`} />
    <Radio value="mine" label={`Save ${change.after}`} />
  </Radio.Group>
);

const Changes = ({ member, theirs, saved, sources, choices, onChoose }: ChangesProps) => (
  <section className={classes.channel} aria-label={member.channel.channelName}>
    <h3>{member.channel.channelName}</h3>
    <dl>
      {changesOf(member, theirs[member.channel.deviceChannelId] ?? {}, sources).map((change) => (
        <div key={change.name}>
          <dt>{change.name}</dt>
          <dd>
            <s>{change.before}</s> <b>{change.after}</b>
            {change.began !== undefined && (
              <Conflict
                change={change}
                saved={saved}
                choice={choices[idOf(member.channel.deviceChannelId, change.name)]}
                onChoose={(choice) => onChoose(idOf(member.channel.deviceChannelId, change.name), choice)}
              />
            )}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** The settings of the changed channels that both users have changed. */
const conflictsOf = (members: readonly ChannelWithDraft[], theirs: SaveDialogProps["theirs"]) =>
  members.flatMap(({ channel: { deviceChannelId }, edited }) =>
    edited.changed
      .filter((key) => theirs[deviceChannelId]?.[key] !== undefined)
      .map((key) => ({ deviceChannelId, key, id: idOf(deviceChannelId, key) })),
  );

/** Reviews everything that a save would change against the current values, before saving. */
export const SaveDialog = (props: SaveDialogProps): ReactNode => {
  const { isOpen, onClose, onSave, isSaving, members, theirs, saved, sources } = props;
  const [choices, setChoices] = useState<Choices>({});
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    setChoices({});
  }
  const conflicts = conflictsOf(members, theirs);
  const kept = Map.groupBy(
    conflicts.filter(({ id }) => choices[id] === "theirs"),
    ({ deviceChannelId }) => deviceChannelId,
  );
  const save = () => onSave(Object.fromEntries([...kept].map(([id, keys]) => [id, keys.map(({ key }) => key)])));
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Save all"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            onClick={save}
            loading={isSaving}
            disabled={conflicts.some(({ id }) => choices[id] === undefined)}
            data-autofocus
          >
            Save
          </Button>
        </>
      }
    >
      {members.map((member) => (
        <Changes
          key={member.channel.deviceChannelId}
          {...{ member, theirs, saved, sources, choices }}
          onChoose={(id, choice) => setChoices({ ...choices, [id]: choice })}
        />
      ))}
      <p className={classes.note}>
        Readings are scaled and evaluated with these settings from the moment they are saved. Earlier readings keep
        theirs.
      </p>
    </Dialog>
  );
};
