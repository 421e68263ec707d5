import { IconPlus } from "@tabler/icons-react";
import { type OnCall, plans, type Roster, rosters, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { type ReactNode, useState } from "react";
import { useRemoval } from "../../../form/use-confirmed-action.tsx";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { EmptyState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { changedByRoster } from "../changed-calls.ts";
import { RosterDialog } from "./roster-dialog.tsx";
import { RosterPanel } from "./roster-panel.tsx";
import { SwapDialog } from "./swap-dialog.tsx";

/** Asks for confirmation before a roster is deleted. */
const useRemoveRoster = () =>
  useRemoval({
    call: rosters.remove,
    inputOf: ({ rosterId }: Roster) => ({ rosterId }),
    invalidates: changedByRoster,
    title: "Delete roster",
    question: ({ rosterName }) => (
      <>
        Are you sure that you want to delete this roster?
        <p>
          <b>{rosterName}</b>, with its shifts and swaps.
        </p>
      </>
    ),
  });

/** What the open dialog is about. */
interface Subject {
  kind: "roster" | "swap";
  roster: Roster | undefined;
  initial?: OnCall | undefined;
}

interface RostersProps {
  all: readonly Roster[];
  /** How often a new roster was asked for. */
  adding: number;
  /** Epoch milliseconds, at a whole minute. */
  now: number;
}

/** The week of a roster, and the dialogs that change it. */
export const Rosters = ({ all, adding, now }: RostersProps): ReactNode => {
  const { can } = useSession();
  const [chosenId, setChosenId] = useState<number>();
  const { open, close, subject, count, isOpen } = useDialogSubject<Subject>();
  const [added, setAdded] = useState(0);
  const { ask, dialog } = useRemoveRoster();
  const { data: everybody = [] } = useCall(plans.people, {});
  const people = everybody.filter(({ kind, problem }) => kind === TargetKind.account && problem === "");
  if (adding > added) {
    setAdded(adding);
    open({ kind: "roster", roster: undefined });
  }
  const roster = all.find(({ rosterId }) => rosterId === chosenId) ?? all[0];
  const [isEditor, isSwapper] = [can("rosters.write"), can("rosters.swap")];
  const operations = {
    edit: isEditor ? (each: Roster) => open({ kind: "roster", roster: each }) : undefined,
    remove: isEditor ? ask : undefined,
    swap: isSwapper ? (each: Roster, initial?: OnCall) => open({ kind: "swap", roster: each, initial }) : undefined,
  };
  const addFirst = isEditor && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => open({ kind: "roster", roster: undefined })}
    >
      Add the first roster
    </Button>
  );
  return (
    <>
      {roster ? (
        <RosterPanel
          key={roster.rosterId}
          all={all}
          roster={roster}
          onChoose={setChosenId}
          operations={operations}
          now={now}
        />
      ) : (
        <Panel title="Rosters">
          <EmptyState action={addFirst}>There is no roster yet: who is on call by the week</EmptyState>
        </Panel>
      )}
      {subject?.kind === "roster" && (
        <RosterDialog
          key={count}
          roster={subject.roster}
          people={people}
          isOpen={isOpen}
          onClose={close}
          onSaved={setChosenId}
        />
      )}
      {subject?.kind === "swap" && subject.roster && (
        <SwapDialog
          key={count}
          roster={subject.roster}
          people={people}
          initial={subject.initial}
          now={now}
          isOpen={isOpen}
          onClose={close}
        />
      )}
      {dialog}
    </>
  );
};
