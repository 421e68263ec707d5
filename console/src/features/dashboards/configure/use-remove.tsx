import { type DashboardGroup, type DashboardRow, dashboards } from "@telltale/contract/dashboards";
import { type ReactNode, useCallback, useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { changedCalls } from "./changed-calls.ts";

interface Removing<Subject> {
  ask: (subject: Subject) => void;
  dialog: ReactNode;
}

interface Question<Subject> {
  title: string;
  question: string;
  nameOf: (subject: Subject) => string;
  /** What follows from a yes. */
  consequence: string;
  remove: (subject: Subject) => void;
  isBusy: boolean;
}

const success = { success: "Delete successful", invalidates: changedCalls };

const useAsked = <Subject,>() => {
  const [asked, setAsked] = useState<Subject>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((subject: Subject) => {
    setAsked(subject);
    setOpen(true);
  }, []);
  return { asked, isOpen, ask, close: () => setOpen(false) };
};

const questionDialog = <Subject,>(
  { asked, isOpen, close }: ReturnType<typeof useAsked<Subject>>,
  { title, question, nameOf, consequence, remove, isBusy }: Question<Subject>,
): ReactNode => (
  <ConfirmDialog
    isOpen={isOpen}
    onClose={close}
    title={title}
    action="Delete"
    onConfirm={() => asked && remove(asked)}
    isBusy={isBusy}
  >
    {question}
    <p>
      {asked && <b>{nameOf(asked)}</b>}. {consequence}
    </p>
  </ConfirmDialog>
);

/** Asks before a dashboard is deleted. (spec 2 §2) */
export const useRemoveDashboard = (): Removing<DashboardRow> => {
  const asking = useAsked<DashboardRow>();
  const { mutate, isPending } = useAction(dashboards.remove, { ...success, onDone: asking.close });
  const dialog = questionDialog(asking, {
    title: "Delete dashboard",
    question: "Are you sure that you want to delete this Dashboard?",
    nameOf: ({ name }) => name,
    consequence: "Viewers it was assigned to see the default dashboard then.",
    remove: ({ dashboardId }) => mutate({ dashboardId }),
    isBusy: isPending,
  });
  return { ask: asking.ask, dialog };
};

/** Asks before a group is deleted. (spec 2 §2) */
export const useRemoveGroup = (): Removing<DashboardGroup> => {
  const asking = useAsked<DashboardGroup>();
  const { mutate, isPending } = useAction(dashboards.removeGroup, { ...success, onDone: asking.close });
  const dialog = questionDialog(asking, {
    title: "Delete dashboard group",
    question: "Are you sure that you want to delete this Dashboard group?",
    nameOf: ({ groupName }) => groupName,
    consequence: "Every dashboard that shows it loses its tile.",
    remove: ({ dashboardGroupId }) => mutate({ dashboardGroupId }),
    isBusy: isPending,
  });
  return { ask: asking.ask, dialog };
};
