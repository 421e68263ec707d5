import type { Key } from "@telltale/contract/channel-types/keys";
import { ChannelType } from "@telltale/contract/domains/channels";
import type { ReactNode } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import { TextField } from "../../../form/text-field.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./channel-form.module.css";
import { type ChannelDraft, type ConcurrentSave, savedDraft, withAlarm, withField } from "./drafts.ts";
import { disabledText, fieldGroups, isFixed, type Option, optionsOf, type ShownKey, shownKeys } from "./fields.ts";
import { KeyField } from "./key-field.tsx";
import type { ChannelWithDraft } from "./use-setup.ts";

interface ChannelFormProps {
  deviceId: number;
  member: ChannelWithDraft;
  /** Other users' saved changes of this channel. */
  theirs: Partial<Record<Key, ConcurrentSave>>;
  /** Possible sources of an output. */
  sources: readonly Option[];
  /** Errors are shown after the first attempt to save. */
  isChecked: boolean;
  onChange: (draft: ChannelDraft) => void;
  /** The button that renames and switches the channel. */
  action: ReactNode;
}

const Head = ({ deviceId, member, action }: Pick<ChannelFormProps, "deviceId" | "member" | "action">) => {
  const { deviceChannelId, channelName, channelCn, channelAnalogId, channelSwitch, isPending } = member.channel;
  return (
    <div className={classes.head}>
      <ChannelIcon analogId={channelAnalogId} size={17} />
      <Link to="/devicesDetail" search={{ deviceId, deviceChannelId }}>
        {channelName}
      </Link>
      {action}
      <small>
        {channelCn}
        {channelSwitch === 0 && ", OFF"}
      </small>
      {isPending && (
        <small className={classes.pending}>
          <Glyph name="clock" size={14} /> Pending
        </small>
      )}
    </div>
  );
};

const NameField = ({ member, isChecked, onChange }: Pick<ChannelFormProps, "member" | "isChecked" | "onChange">) => {
  const { channel, draft, edited } = member;
  const name = draft?.name ?? channel.channelName;
  return (
    <TextField
      label="Name"
      placeholder="Digital output name"
      data-field="name"
      autoComplete="off"
      maxLength={64}
      value={name}
      description={edited.isRenamed ? `Was ${channel.channelName}` : undefined}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={isChecked ? edited.nameError : undefined}
      onChange={(event) => onChange({ keys: {}, ...draft, name: event.currentTarget.value })}
    />
  );
};

const Field = ({ shown: { key, isDisabled }, ...props }: ChannelFormProps & { shown: ShownKey }) => {
  const { member, theirs, sources, isChecked, onChange } = props;
  const { channel, draft, edited } = member;
  const { after, changed, validationErrors } = edited;
  const typed = draft?.keys[key];
  const present = typed === undefined ? savedDraft(channel.channelKeys, key) : typed;
  return (
    <KeyField
      name={key}
      draft={isDisabled ? disabledText(key) : present}
      saved={changed.includes(key) ? savedDraft(channel.channelKeys, key) : undefined}
      theirs={theirs[key]}
      options={optionsOf(key, { saved: channel.channelKeys, after, sources })}
      unit={String(after.UNIT ?? channel.unit)}
      isDisabled={isDisabled || isFixed(key, after)}
      error={isChecked ? validationErrors[key] : undefined}
      onChange={(text) => onChange(withField(draft, channel, key, text))}
      onAlarm={(isOn) => onChange(withAlarm(draft, channel, key, isOn))}
    />
  );
};

/** One channel with the settings of its type. (spec 2 §2, §3) */
export const ChannelForm = (props: ChannelFormProps): ReactNode => {
  const { channel, edited } = props.member;
  return (
    <section className={classes.channel} aria-label={channel.channelName} data-channel={channel.deviceChannelId}>
      <Head {...props} />
      <div className={classes.fields}>
        {channel.channelType === ChannelType.digitalOutput && <NameField {...props} />}
        {fieldGroups(shownKeys(channel, edited.after)).map((group) => (
          <div key={group[0]?.key} className={group.length > 1 ? classes.pair : undefined}>
            {group.map((shown) => (
              <Field key={shown.key} {...props} shown={shown} />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
};
