import type { Input } from "@telltale/contract/call/call";
import { JointEnding, type JointRow, joint } from "@telltale/contract/domains/joint";
import { type ReactNode, useState } from "react";
import type { MergeGroup } from "../../form/merge.ts";
import { useMergedSave } from "../../form/use-merged-save.tsx";
import { useSession } from "../../session/session.ts";
import { useAction, useCall, useRead } from "../../session/use-call.ts";
import { Loader } from "../../ui/control/loader.tsx";
import { ErrorState } from "../../ui/page/message.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { useLeave } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./joint.module.css";
import { JointForm } from "./joint-form.tsx";
import { JointLog } from "./joint-log.tsx";
import { conditionText, endingText, levelLabel, ruleSentence } from "./joint-text.ts";

type Fields = Input<typeof joint.edit>;

const fieldsOf = ({ name, source, output, level, ending, enabled }: JointRow): Fields => {
  const { alarmId, deviceChannelId, alarmType } = source;
  const trigger = alarmId === null ? { sourceChannelId: deviceChannelId, alarmType } : { alarmId };
  return { name, ...trigger, outputChannelId: output.deviceChannelId, level, ending, enabled };
};

const inForm = "as chosen in the form";

const groups: MergeGroup<Fields, JointRow>[] = [
  { label: "Name", keys: ["name"], text: ({ name }) => name },
  {
    label: "When",
    keys: ["alarmId", "sourceChannelId", "alarmType"],
    text: (_, row) => (row ? `${row.source.channelName}, ${conditionText(row.source)}` : inForm),
  },
  {
    label: "Drives",
    keys: ["outputChannelId"],
    text: (_, row) => (row ? `${row.output.channelName} of ${row.output.deviceName}` : inForm),
  },
  { label: "To", keys: ["level"], text: ({ level }) => levelLabel(level) },
  {
    label: "When the alert has ended",
    keys: ["ending"],
    text: ({ level, ending = JointEnding.back }) => endingText({ level, ending }),
  },
  { label: "Enabled", keys: ["enabled"], text: ({ enabled }) => (enabled ? "Yes" : "No") },
];

/** Saves; on a conflict the other user's changes are shown beside the form's. */
const useSave = (initial: JointRow | undefined) => {
  const leave = useLeave();
  const action = useAction(joint.edit, {
    success: initial ? "Modify successful" : "Add success",
    invalidates: [joint.list, joint.info, joint.outputs],
    onDone: () => leave({ to: "/joint" }),
  });
  const id = initial && { jointId: initial.jointId };
  const read = useRead(joint.info);
  const { save, dialog } = useMergedSave<Fields, JointRow>({
    opened: initial,
    fieldsOf,
    groups,
    read: async () => id && read(id),
    invalidates: [joint.list],
    send: (fields, version, onError) =>
      action.mutate({ ...fields, ...id, ...(version !== undefined && { version }) }, { onError }),
    isBusy: action.isPending,
  });
  return { save, review: dialog, isBusy: action.isPending };
};

const Title = ({ children }: { children: string }) => (
  <PageTitle>
    <small>
      <Link to="/joint">JOINT CONTROL</Link> /
    </small>{" "}
    {children}
  </PageTitle>
);

const Editor = ({ initial }: { initial: JointRow | undefined }) => {
  const { save, review, isBusy } = useSave(initial);
  const { can } = useSession();
  return (
    <>
      <Title>{initial?.name ?? "Add"}</Title>
      {can("joint.write") ? (
        <JointForm initial={initial} isBusy={isBusy} onSave={save} />
      ) : (
        initial && (
          <Panel>
            <p className={classes.sentence}>{ruleSentence(initial)}</p>
          </Panel>
        )
      )}
      {initial && <JointLog jointId={initial.jointId} />}
      {review}
    </>
  );
};

/** A joint control as loaded at the opening: other users' changes must not alter the open form. */
const Opened = ({ jointId }: { jointId: number }): ReactNode => {
  const info = useCall(
    joint.info,
    { jointId },
    { placeholderData: () => undefined, refetchOnMount: "always", refetchOnWindowFocus: false },
  );
  const [loaded, setLoaded] = useState<JointRow>();
  if (loaded === undefined && info.data && info.isFetchedAfterMount) setLoaded(info.data);
  if (loaded) return <Editor initial={loaded} />;
  return (
    <>
      <Title>Edit</Title>
      {info.error ? (
        <Panel>
          <ErrorState error={info.error} onRetry={info.refetch} />
        </Panel>
      ) : (
        <Loader size={20} aria-label="Loading" />
      )}
    </>
  );
};

/** Creates or edits a joint control. (decisions §4) */
export const JointEditor = ({ jointId }: { jointId: number | undefined }): ReactNode =>
  jointId === undefined ? <Editor initial={undefined} /> : <Opened key={jointId} jointId={jointId} />;
