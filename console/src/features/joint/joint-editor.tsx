import { Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { Input } from "@telltale/contract/call";
import { Code } from "@telltale/contract/codes";
import { type JointRow, joint } from "@telltale/contract/joint";
import { type ReactNode, useState } from "react";
import { useSession } from "../../session/session.ts";
import { callQuery, useAction, useCall } from "../../session/use-call.ts";
import { ErrorState } from "../../ui/message.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./joint.module.css";
import { JointForm } from "./joint-form.tsx";
import { JointLog } from "./joint-log.tsx";
import { ruleSentence } from "./words.ts";

/** Saves. When somebody else was faster, what was chosen stays, and a second 'Save' goes on top of theirs. */
const useSave = (initial: JointRow | undefined) => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [newer, setNewer] = useState<number>();
  const action = useAction(joint.edit, {
    success: initial ? "Modify successful" : "Add success",
    invalidates: [joint.list, joint.info, joint.outputs],
    onDone: () => void navigate({ to: "/joint" }),
  });
  const save = (fields: Input<typeof joint.edit>) => {
    if (!initial) return action.mutate(fields);
    const { jointId, version } = initial;
    const onError = async ({ code }: { code: number }) => {
      if (code !== Code.conflict) return;
      const query = { ...callQuery(joint.info, { jointId }), staleTime: 0 };
      setNewer((await queries.fetchQuery(query)).version);
    };
    return action.mutate({ ...fields, jointId, version: newer ?? version }, { onError });
  };
  return { save, isBusy: action.isPending };
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
  const { save, isBusy } = useSave(initial);
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
    </>
  );
};

/** A joint control as it is at the opening; what others do meanwhile does not take the form from under the hand. */
const Opened = ({ jointId }: { jointId: number }): ReactNode => {
  const info = useCall(
    joint.info,
    { jointId },
    { placeholderData: undefined as never, refetchOnMount: "always", refetchOnWindowFocus: false },
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

/** Makes a joint control, or changes one. (decisions §4) */
export const JointEditor = ({ jointId }: { jointId: number | undefined }): ReactNode =>
  jointId === undefined ? <Editor initial={undefined} /> : <Opened key={jointId} jointId={jointId} />;
